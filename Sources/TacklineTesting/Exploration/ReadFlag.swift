import Synchronization
import TacklineCore

/// A flag that a test reads, with the values to try.
struct ReadFlag {
    let core: LoaderCore
    let ordinal: Int
    /// The values, the first of which is the one that the flag has without being set.
    let values: [EncodedFlagValue]

    var key: FlagKeyPath.Identity { FlagKeyPath.Identity(root: core.rootType, ordinal: ordinal) }
    private var declaration: FlagDeclaration { core.declarations[ordinal] }

    /// Sets one of the values in a scope.
    func set(_ choice: Int, in scope: inout FlagScope) {
        guard let value = try? declaration.decode(values[choice]) else { return }
        scope.set(value, of: declaration.valueType, for: key)
    }

    /// Returns the flag and one of its values, as in `theme = dark`.
    func text(_ choice: Int) -> String {
        func text<Value: FlagValue>(as type: Value.Type) -> String? {
            (try? Value(encoded: values[choice])).map { "\($0)" }
        }
        let shown = text(as: declaration.valueType) ?? "\(values[choice])"
        return "\(core.index.property(of: ordinal)) = \(declaration.metadata.shown(shown))"
    }

    /// Returns the values to try for a flag.
    ///
    /// - Parameters:
    ///   - own: The value that the flag has without being set, which comes first.
    ///   - given: The values that the test gives for it, in place of those at the edges of its bounds or of its type.
    static func values(
        _ declaration: FlagDeclaration, own: EncodedFlagValue, given: [EncodedFlagValue]?
    ) -> [EncodedFlagValue] {
        let edges = declaration.bounds.map(\.edges) ?? []
        let others = given ?? (edges.isEmpty || edges.count > caseLimit ? values(of: declaration.valueType) : edges)
        // A value that the flag refuses can't be set.
        return others.reduce(into: [own]) { values, other in
            guard !values.contains(other), (try? declaration.decode(other)) != nil else { return }
            values.append(other)
        }
    }

    /// The largest number of cases of a type, or of values in a list, whose flags are varied.
    private static let caseLimit = 32

    /// Returns all values of a type that has few: `Bool`, the cases of a type that lists them, an optional of these.
    private static func values(of type: any FlagValue.Type) -> [EncodedFlagValue] {
        func cases<Cases: CaseIterable>(_ type: Cases.Type) -> [EncodedFlagValue] {
            let cases = type.allCases.prefix(caseLimit + 1)
            return cases.count > caseLimit ? [] : cases.compactMap { try? ($0 as? any FlagValue)?.encoded }
        }
        if type == Bool.self { return [false, true] }
        if let wrapped = (type as? any OptionalFlagValue.Type)?.wrapped {
            let values = values(of: wrapped)
            return values.isEmpty ? [] : [.null] + values
        }
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

/// A recorder of the flags that a test reads, with the first value of each.
final class FirstReads: FlagReadRecorder {
    private let reads = Mutex<[(key: FlagKeyPath.Identity, declaration: FlagDeclaration, value: ErasedFlagValue)]>([])

    func flagWasRead(_ key: FlagKeyPath.Identity, _ declaration: FlagDeclaration, _ value: ErasedFlagValue) {
        reads.withLock { reads in
            // A loop, because a test reads few flags, and each of them often.
            if !reads.contains(where: { $0.key == key }) { reads.append((key, declaration, value)) }
        }
    }

    /// The flags in the order of their first reads. A computed flag is left out: those that it reads are there.
    var values: [(key: FlagKeyPath.Identity, declaration: FlagDeclaration, value: EncodedFlagValue)] {
        reads.withLock { $0 }.compactMap { read in
            guard !read.declaration.isComputed, let value = read.declaration.encode(read.value) else { return nil }
            return (read.key, read.declaration, value)
        }
    }
}
