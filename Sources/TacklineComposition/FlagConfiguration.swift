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
/// It answers for the flags themselves, so it fits into the chain of any loader of the collection, whatever its keys
/// are, and has no opinion in the chains of other collections. Asked by key outside of a chain, or inside a wrapper, it
/// goes by the keys of the default ``/TacklineCore/KeyConfiguration``. Where two lines set one flag, the later one holds. It never
/// changes.
public struct FlagConfiguration<Root: FlagCollectionProtocol>: Sendable {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// How early it is asked where priorities decide.
    public let priority: FlagPriority
    /// The values by flat key: in a chain the keys of the loader, else those of the default ``/TacklineCore/KeyConfiguration``.
    public let document: FlagDocument
    let settings: [FlagSetting<Root>]
    private let identity: Identity

    /// Tells configurations apart.
    private final class Identity: Sendable {}

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - type: The collection whose flags it sets.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - priority: How early it is asked where priorities decide.
    ///   - issueReporter: Told of each line that has no effect, because its key path leads to no flag.
    ///   - settings: The lines.
    public init(
        _ type: Root.Type = Root.self,
        name: String = "configuration",
        priority: FlagPriority = .business,
        issueReporter: FlagIssueReporter = .current,
        @FlagConfigurationBuilder<Root> _ settings: () -> [FlagSetting<Root>]
    ) {
        self.name = name
        self.priority = priority
        self.settings = settings()
        identity = Identity()
        document = FlagConfiguration.document(of: self.settings, keys: FlagProbe<Root>.defaultKeys)
        for case .failure(let issue) in self.settings.map(\.content) { issueReporter.report(issue) }
    }

    /// Makes a configuration for the cases of an enum.
    ///
    /// - Parameters:
    ///   - features: The enum whose flags it sets.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - priority: How early it is asked where priorities decide.
    ///   - issueReporter: Told of each line that has no effect, because its value has no neutral form.
    ///   - settings: The lines.
    public init<F: Feature>(
        _ features: F.Type,
        name: String = "configuration",
        priority: FlagPriority = .business,
        issueReporter: FlagIssueReporter = .current,
        @FlagConfigurationBuilder<FeatureCollection<F>> _ settings: () -> [FlagSetting<FeatureCollection<F>>]
    ) where Root == FeatureCollection<F> {
        self.init(Root.self, name: name, priority: priority, issueReporter: issueReporter, settings)
    }

    private init(_ original: FlagConfiguration, document: FlagDocument) {
        name = original.name
        priority = original.priority
        settings = original.settings
        identity = original.identity
        self.document = document
    }

    private static func document(of settings: [FlagSetting<Root>], keys: [FlagKeyPath]) -> FlagDocument {
        var values: [String: EncodedFlagValue] = [:]
        for setting in settings {
            guard case .success(let (ordinal, value)) = setting.content, keys.indices.contains(ordinal) else {
                continue
            }
            values[keys[ordinal].text] = value
        }
        return FlagDocument(values)
    }
}

extension FlagConfiguration: FlagDocumentProvider, ObservableFlagProvider, PrioritizedFlagProvider {
    /// Returns the value that was written for the flag with a key.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { document.value(for: key) }

    /// Does nothing, since a configuration never changes.
    public func observe(_ observer: FlagProviderObserver) {}
}

extension FlagConfiguration: LoaderBoundProvider {
    package func bound(to loader: LoaderBinding) -> any FlagProvider {
        let fits = loader.root == ObjectIdentifier(Root.self)
        return FlagConfiguration(
            self, document: fits ? FlagConfiguration.document(of: settings, keys: loader.keys) : FlagDocument())
    }
}

extension FlagConfiguration: Hashable {
    /// Whether one is a copy of the other.
    public static func == (left: FlagConfiguration, right: FlagConfiguration) -> Bool {
        left.identity === right.identity
    }

    /// Hashes the identity that copies share.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

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

/// Lists the lines of a configuration, with `if`, `if let`, `switch`, `for`, arrays and optionals.
@resultBuilder
public enum FlagConfigurationBuilder<Root: FlagCollectionProtocol> {
    /// A line.
    public static func buildExpression(_ setting: FlagSetting<Root>) -> [FlagSetting<Root>] { [setting] }

    /// A line, or nothing.
    public static func buildExpression(_ setting: FlagSetting<Root>?) -> [FlagSetting<Root>] {
        setting.map { [$0] } ?? []
    }

    /// Several lines.
    public static func buildExpression(_ settings: [FlagSetting<Root>]) -> [FlagSetting<Root>] { settings }

    /// All lines of another configuration.
    public static func buildExpression(_ configuration: FlagConfiguration<Root>) -> [FlagSetting<Root>] {
        configuration.settings
    }

    /// One part after the other.
    public static func buildBlock(_ parts: [FlagSetting<Root>]...) -> [FlagSetting<Root>] { parts.flatMap { $0 } }

    /// One part after the other.
    public static func buildArray(_ parts: [[FlagSetting<Root>]]) -> [FlagSetting<Root>] { parts.flatMap { $0 } }

    /// An `if` without `else`.
    public static func buildOptional(_ part: [FlagSetting<Root>]?) -> [FlagSetting<Root>] { part ?? [] }

    /// The first branch.
    public static func buildEither(first part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }

    /// Another branch.
    public static func buildEither(second part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }

    /// A part behind `#available`.
    public static func buildLimitedAvailability(_ part: [FlagSetting<Root>]) -> [FlagSetting<Root>] { part }
}
