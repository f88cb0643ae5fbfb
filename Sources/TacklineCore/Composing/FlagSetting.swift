/// A value for one flag of a collection: a line of a ``FlagConfiguration``.
///
/// Made by `enable(_:)`, `disable(_:)` and `set(_:to:)`, which take a property of the collection or a case of a
/// ``Feature``.
public struct FlagSetting<Root: FlagCollectionProtocol>: Sendable {
    /// The flag's number and its value, or why there is none.
    let content: Result<(ordinal: Int, value: EncodedFlagValue), FlagIssue>

    init<Value: FlagValue>(_ value: Value, ordinal: Int?, name: @autoclosure () -> String) {
        guard let ordinal else {
            content = .failure(
                FlagIssue(
                    .unusableSetting,
                    message: """
                        A configuration sets \(name()), which is no flag of \(Root.self), so that line has no effect. \
                        Name a property that is declared with @Flag.
                        """))
            return
        }
        do throws(FlagValueError) {
            content = .success((ordinal, try value.encoded))
        } catch {
            content = .failure(
                FlagIssue(
                    .unusableSetting,
                    message: """
                        A configuration sets \(name()) to a value that cannot be kept: \(error). That line has no \
                        effect. Use another value.
                        """))
        }
    }

    init<Value: FlagValue>(_ value: Value, for flag: KeyPath<Root, Value>) {
        self.init(value, ordinal: FlagProbe<Root>.ordinal(of: flag), name: "\(flag)")
    }

    init<F: Feature>(_ value: F.Value, for feature: F) where Root == FeatureCollection<F> {
        self.init(value, ordinal: Array(F.allCases).firstIndex(of: feature), name: "\(feature)")
    }
}

extension FlagIssue.Code {
    /// A line of a configuration names no flag, or holds a value without a neutral form.
    public static let unusableSetting = FlagIssue.Code("unusable-setting")
}

// MARK: In the braces of a configuration
//
// Free functions, so that the lines of a configuration read as they do. Where a type has methods of the same names, write
// `TacklineCore.enable(…)`.

/// Switches a flag on, in the braces of a ``FlagConfiguration``.
public func enable<Root: FlagCollectionProtocol>(_ flag: KeyPath<Root, Bool>) -> FlagSetting<Root> {
    FlagSetting(true, for: flag)
}

/// Switches a feature on, in the braces of a ``FlagConfiguration``.
public func enable<F: Feature>(_ feature: F) -> FlagSetting<FeatureCollection<F>> where F.Value == Bool {
    FlagSetting(true, for: feature)
}

/// Switches a flag off, in the braces of a ``FlagConfiguration``.
public func disable<Root: FlagCollectionProtocol>(_ flag: KeyPath<Root, Bool>) -> FlagSetting<Root> {
    FlagSetting(false, for: flag)
}

/// Switches a feature off, in the braces of a ``FlagConfiguration``.
public func disable<F: Feature>(_ feature: F) -> FlagSetting<FeatureCollection<F>> where F.Value == Bool {
    FlagSetting(false, for: feature)
}

/// Gives a flag a value, in the braces of a ``FlagConfiguration``.
public func set<Root: FlagCollectionProtocol, Value: FlagValue>(
    _ flag: KeyPath<Root, Value>, to value: Value
) -> FlagSetting<Root> {
    FlagSetting(value, for: flag)
}

/// Gives a feature a value, in the braces of a ``FlagConfiguration``.
public func set<F: Feature>(_ feature: F, to value: F.Value) -> FlagSetting<FeatureCollection<F>> {
    FlagSetting(value, for: feature)
}
