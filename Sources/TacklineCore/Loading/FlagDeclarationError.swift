/// The mistakes in the declaration of a collection.
public struct FlagDeclarationError: Error, Sendable, Hashable {
    /// Every mistake, in the order of the declaration. Never empty.
    public let issues: [FlagIssue]
}

extension FlagDeclarationError: CustomStringConvertible {
    /// A line for each mistake.
    public var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}
