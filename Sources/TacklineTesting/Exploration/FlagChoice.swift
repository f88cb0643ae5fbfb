import TacklineCore

/// A value of a flag that a test tries. Two are equal if they have the same encoded form.
struct FlagChoice: Sendable, Equatable {
    let flag: AnyFlagHandle
    let encoded: EncodedFlagValue?
    /// The scope in which the flag has the value.
    let values: ScopedFlagValues

    init(of flag: AnyFlagHandle, _ value: ErasedFlagValue) {
        self.flag = flag
        encoded = flag.declaration.encode(value)
        values = ScopedFlagValues { $0.set(value, of: flag) }
    }

    static func == (left: FlagChoice, right: FlagChoice) -> Bool {
        left.flag.identity == right.flag.identity && left.encoded == right.encoded
    }
}

extension AnyFlagHandle {
    /// The identity of the flag in all loaders of its collection.
    var identity: FlagKeyPath.Identity { FlagKeyPath.Identity(root: core.rootType, ordinal: ordinal) }

    /// The values to try: those at the edges of the bounds or all values of the type, if these are few, and `nil` for an
    /// optional.
    var choices: [FlagChoice] {
        let edges = declaration.bounds?.edges ?? []
        let values = edges.isEmpty || edges.count > Self.caseLimit ? Self.cases(of: valueType) : edges
        // Only an optional takes null. A value that the flag refuses is left out.
        return (values + [.null]).compactMap { try? declaration.decode($0) }.map { FlagChoice(of: self, $0) }
    }

    /// The largest number of cases of a type, or of values in a list, whose flags are varied.
    private static let caseLimit = 32

    /// Returns all values of a type that has few: `Bool`, and the cases of a type that lists them.
    private static func cases(of type: any FlagValue.Type) -> [EncodedFlagValue] {
        func cases<Cases: CaseIterable>(_ type: Cases.Type) -> [EncodedFlagValue] {
            let cases = type.allCases.prefix(caseLimit + 1)
            return cases.count > caseLimit ? [] : cases.compactMap { try? ($0 as? any FlagValue)?.encoded }
        }
        if type == Bool.self { return [false, true] }
        if let wrapped = (type as? any OptionalFlagValue.Type)?.wrapped { return Self.cases(of: wrapped) }
        return (type as? any CaseIterable.Type).map { cases($0) } ?? []
    }
}

/// An optional type of a flag.
private protocol OptionalFlagValue {
    static var wrapped: any FlagValue.Type { get }
}

extension Optional: OptionalFlagValue where Wrapped: FlagValue {
    fileprivate static var wrapped: any FlagValue.Type { Wrapped.self }
}
