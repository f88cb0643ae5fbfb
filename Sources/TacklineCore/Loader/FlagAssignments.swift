/// Values of some flags of a collection, by their properties.
///
/// Providers in code, previews, launch arguments and scopes of tests take values in this form:
///
/// ```swift
/// let region = MemoryProvider(AppFlags.self, name: "region") {
///     $0.set(\.maxAttempts, to: 5)
///     if isSpain { $0.set(\.secrets.siesta, to: true) }
/// }
/// ```
///
/// Of two values for one flag, the later one is used. A key path that leads to no flag sets nothing and is reported.
public struct FlagAssignments<Collection: FlagCollectionProtocol>: Sendable {
    /// The values in the order in which they were set, each with the number of its flag in the collection.
    package private(set) var assignments: [(ordinal: Int, value: ErasedFlagValue)] = []
    /// The mistakes in key paths.
    package private(set) var issues: [FlagError] = []

    package init(_ body: (inout FlagAssignments) -> Void) { body(&self) }

    /// Sets the value of a flag.
    ///
    /// - Parameters:
    ///   - flag: The key path from the root collection to the property of a flag: `\.secrets.boomFeature`. A computed
    ///     property leads to no flag, even if it returns a flag's value.
    ///   - value: The value.
    public mutating func set<Value: FlagValue>(_ flag: KeyPath<Collection, Value>, to value: Value) {
        do throws(FlagError) {
            set(flagAt: try FlagProbe<Collection>.ordinal(of: flag), to: value)
        } catch {
            issues.append(error)
        }
    }

    package mutating func set<Value: FlagValue>(flagAt ordinal: Int, to value: Value) {
        assignments.append((ordinal, ErasedFlagValue(value)))
    }

    package mutating func report(_ issue: FlagError) { issues.append(issue) }

    /// Returns the values in their neutral form by the numbers of the flags, with all mistakes: those in key paths, and
    /// values that can't be encoded.
    package func encoded() -> (values: [Int: EncodedFlagValue], issues: [FlagError]) {
        var (values, issues) = ([Int: EncodedFlagValue](), issues)
        for (ordinal, value) in assignments {
            let flag = FlagProbe<Collection>.flags[ordinal]
            do throws(FlagValueError) {
                values[ordinal] = try flag.encoded(value)
            } catch {
                let message = "\(flag.property) is set to a value that can't be kept: \(error). Use another value."
                issues.append(FlagError(.unusableSetting, message))
            }
        }
        return (values, issues)
    }

    /// Returns the values in their neutral form by the keys that the collection's own key configuration makes, with all
    /// mistakes.
    package func document() -> (document: FlagDocument, issues: [FlagError]) {
        let (values, issues) = encoded()
        let flags = FlagProbe<Collection>.flags
        let members = values.map { (flags[$0.key].keyPath.text, $0.value) }
        return (FlagDocument(Dictionary(members) { first, _ in first }), issues)
    }
}

extension FlagError.Code {
    /// A value that is set in code for a feature without a flag, or one that can't be encoded.
    public static let unusableSetting = FlagError.Code("unusable-setting")
}
