public import TacklineCore

/// A provider whose values are written in code, by the properties of a collection or the cases of an enum.
///
/// ```swift
/// let configuration = FlagConfiguration(AppFlags.self) {
///     enable(\.newCheckout)
///     disable(\.debugMenu)
///     set(\.maxAttempts, to: 5)
///     if isInternalBuild { enable(\.secrets.boomFeature) }
/// }
/// ```
///
/// The values belong to the flags and not to their keys, so a configuration fits into the chain of any loader of the
/// collection. It has no values in the chains of other collections. For a key path that no loader created, it uses the
/// keys of the default ``/TacklineCore/KeyConfiguration``. If two lines set one flag, the later one is used. A
/// configuration never changes.
public struct FlagConfiguration<Root: FlagCollectionProtocol>: Sendable {
    /// The name in messages and explanations, which is also the id in a chain.
    public let name: String
    let settings: [FlagSetting<Root>]
    private let contents: Contents

    /// The values of a configuration. All copies of it share them, so they also identify it.
    private final class Contents: Sendable {
        let values: [Int: EncodedFlagValue]
        /// The numbers of the flags by their keys in the default key configuration.
        let ordinals: [FlagKeyPath: Int]
        let issues: [FlagError]
        let issueLog = FlagIssueLog()

        init(_ settings: [FlagSetting<Root>]) {
            var (values, ordinals, issues) = ([Int: EncodedFlagValue](), [FlagKeyPath: Int](), [FlagError]())
            let keys = FlagProbe<Root>.defaultKeys
            for setting in settings {
                switch setting.content {
                case .success(let (ordinal, value)) where keys.indices.contains(ordinal):
                    values[ordinal] = value
                    ordinals[keys[ordinal]] = ordinal
                case .success: break
                case .failure(let issue): issues.append(issue)
                }
            }
            (self.values, self.ordinals, self.issues) = (values, ordinals, issues)
        }
    }

    /// Creates a configuration.
    ///
    /// A line that has no effect, because its key path leads to no flag, is reported by each loader whose chain has the
    /// configuration.
    ///
    /// - Parameters:
    ///   - type: The collection whose flags it sets.
    ///   - name: The name in messages and explanations, which is also the id in a chain.
    ///   - settings: The lines, such as `enable(\.newCheckout)`. Of two lines for one flag, the later one is used.
    public init(
        _ type: Root.Type = Root.self, name: String = "configuration",
        @FlagConfigurationBuilder<Root> _ settings: () -> [FlagSetting<Root>]
    ) {
        self.name = name
        self.settings = settings()
        contents = Contents(self.settings)
    }

    /// Creates a configuration for the cases of an enum.
    ///
    /// A line that has no effect, because its value can't be encoded, is reported by each loader whose chain has the
    /// configuration.
    ///
    /// - Parameters:
    ///   - features: The enum whose flags it sets.
    ///   - name: The name in messages and explanations, which is also the id in a chain.
    ///   - settings: The lines, such as `enable(.newCheckout)`. Of two lines for one flag, the later one is used.
    public init<F: FlagFeature>(
        _ features: F.Type, name: String = "configuration",
        @FlagConfigurationBuilder<FlagFeatureCollection<F>> _ settings: () -> [FlagSetting<FlagFeatureCollection<F>>]
    ) where Root == FlagFeatureCollection<F> {
        self.init(Root.self, name: name, settings)
    }
}

extension FlagConfiguration: FlagProvider {
    /// Returns the value that was written for a flag, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let identity = key.identity else {
            return contents.ordinals[key].flatMap { contents.values[$0] }
        }
        return identity.root == ObjectIdentifier(Root.self) ? contents.values[identity.ordinal] : nil
    }

    /// Reports the lines without effect and returns `true`, because a configuration never changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        for issue in contents.issues {
            contents.issueLog.report(issue, detail: issue.message, to: [observer.issueReporter])
        }
        return true
    }
}

extension FlagConfiguration: Hashable {
    /// Returns whether one is a copy of the other.
    public static func == (left: FlagConfiguration, right: FlagConfiguration) -> Bool {
        left.contents === right.contents
    }

    /// Hashes the identity that copies share.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(contents)) }
}

/// A line of a ``FlagConfiguration``: a value for one flag of a collection.
///
/// `enable(_:)`, `disable(_:)` and `set(_:to:)` create one from a property of the collection or a case of a
/// ``FlagFeature``.
public struct FlagSetting<Root: FlagCollectionProtocol>: Sendable {
    /// The flag's number and its value, or the issue if the line has no effect.
    let content: Result<(ordinal: Int, value: EncodedFlagValue), FlagError>

    private init(content: Result<(ordinal: Int, value: EncodedFlagValue), FlagError>) { self.content = content }

    init<Value: FlagValue>(_ value: Value, ordinal: Int?, name: @autoclosure () -> String) {
        guard let ordinal else {
            content = .failure(
                FlagError(
                    .unusableSetting,
                    """
                    A configuration sets \(name()), which is not a flag of \(Root.self), so that line has no effect. \
                    Name a property that is declared with @Flag.
                    """))
            return
        }
        do throws(FlagValueError) {
            content = .success((ordinal, try value.encoded))
        } catch {
            content = .failure(
                FlagError(
                    .unusableSetting,
                    """
                    A configuration sets \(name()) to a value that cannot be kept: \(error). That line has no \
                    effect. Use another value.
                    """))
        }
    }

    init<Value: FlagValue>(_ value: Value, for flag: KeyPath<Root, Value>) {
        do throws(FlagError) {
            let ordinal = try FlagProbe<Root>.ordinal(of: flag)
            self.init(value, ordinal: ordinal, name: "\(flag)")
        } catch {
            self.init(content: .failure(error))
        }
    }

    init<F: FlagFeature>(_ value: F.Value, for feature: F) where Root == FlagFeatureCollection<F> {
        self.init(value, ordinal: Array(F.allCases).firstIndex(of: feature), name: "\(feature)")
    }
}

extension FlagError.Code {
    /// A line of a configuration that names a feature without a flag, or has a value that can't be encoded.
    public static let unusableSetting = FlagError.Code("unusable-setting")
}

// MARK: Lines of a configuration
//
// These are free functions. Static functions don't work here: a line that begins with a dot continues the line before.
// In a type with a method of the same name, write `Tackline.enable(…)`.

/// Returns a line of a ``FlagConfiguration`` that enables a flag.
public func enable<Root: FlagCollectionProtocol>(_ flag: KeyPath<Root, Bool>) -> FlagSetting<Root> {
    FlagSetting(true, for: flag)
}

/// Returns a line of a ``FlagConfiguration`` that enables a feature.
public func enable<F: FlagFeature>(_ feature: F) -> FlagSetting<FlagFeatureCollection<F>> where F.Value == Bool {
    FlagSetting(true, for: feature)
}

/// Returns a line of a ``FlagConfiguration`` that disables a flag.
public func disable<Root: FlagCollectionProtocol>(_ flag: KeyPath<Root, Bool>) -> FlagSetting<Root> {
    FlagSetting(false, for: flag)
}

/// Returns a line of a ``FlagConfiguration`` that disables a feature.
public func disable<F: FlagFeature>(_ feature: F) -> FlagSetting<FlagFeatureCollection<F>> where F.Value == Bool {
    FlagSetting(false, for: feature)
}

/// Returns a line of a ``FlagConfiguration`` that gives a flag a value.
public func set<Root: FlagCollectionProtocol, Value: FlagValue>(
    _ flag: KeyPath<Root, Value>, to value: Value
) -> FlagSetting<Root> {
    FlagSetting(value, for: flag)
}

/// Returns a line of a ``FlagConfiguration`` that gives a feature a value.
public func set<F: FlagFeature>(_ feature: F, to value: F.Value) -> FlagSetting<FlagFeatureCollection<F>> {
    FlagSetting(value, for: feature)
}

/// A builder of the lines of a configuration. It supports `if`, `if let`, `switch`, `for`, arrays and optionals.
@resultBuilder
public enum FlagConfigurationBuilder<Root: FlagCollectionProtocol> {
    /// Adds a line.
    public static func buildExpression(_ setting: FlagSetting<Root>) -> [FlagSetting<Root>] { [setting] }

    /// Adds a line if it is not `nil`.
    public static func buildExpression(_ setting: FlagSetting<Root>?) -> [FlagSetting<Root>] {
        setting.map { [$0] } ?? []
    }

    /// Adds several lines.
    public static func buildExpression(_ settings: [FlagSetting<Root>]) -> [FlagSetting<Root>] { settings }

    /// Adds all lines of another configuration.
    public static func buildExpression(_ configuration: FlagConfiguration<Root>) -> [FlagSetting<Root>] {
        configuration.settings
    }

    /// Combines the parts in their order.
    public static func buildBlock(_ parts: [FlagSetting<Root>]...) -> [FlagSetting<Root>] { parts.flatMap { $0 } }

    /// Combines the parts in their order.
    public static func buildArray(_ parts: [[FlagSetting<Root>]]) -> [FlagSetting<Root>] { parts.flatMap { $0 } }

    /// Adds the part of an `if` without `else`.
    public static func buildOptional(_ part: [FlagSetting<Root>]?) -> [FlagSetting<Root>] { part ?? [] }

    /// Adds the first branch.
    public static func buildEither(first part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }

    /// Adds another branch.
    public static func buildEither(second part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }

    /// Adds a part behind `#available`.
    public static func buildLimitedAvailability(_ part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }
}
