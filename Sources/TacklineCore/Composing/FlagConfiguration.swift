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
/// goes by the keys of the default ``KeyConfiguration``. Where two lines set one flag, the later one holds. It never
/// changes.
public struct FlagConfiguration<Root: FlagCollectionProtocol>: Sendable {
    /// What people call it, and its id in a chain.
    public let name: String
    /// How early it is asked where priorities decide.
    public let priority: FlagPriority
    /// The values by flat key: in a chain the keys of the loader, else those of the default ``KeyConfiguration``.
    public let document: FlagDocument
    let settings: [FlagSetting<Root>]
    private let identity: Identity

    /// Tells configurations apart.
    private final class Identity: Sendable {}

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - type: The collection whose flags it sets.
    ///   - name: What people call it, and its id in a chain.
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
    ///   - name: What people call it, and its id in a chain.
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

extension FlagConfiguration: FlagDocumentProvider, PrioritizedFlagProvider {
    /// Returns the value that was written for the flag with a key.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { document.value(for: key) }

    /// Takes the observer, who will never hear anything: a configuration does not change.
    public func observe(_ observer: FlagProviderObserver) -> Bool { true }
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

    /// Hashes what tells it from others.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
