public import TacklineCore

/// An enum whose cases are flags.
///
/// ```swift
/// enum AppFeature: String, FlagFeature { case newCheckout, debugMenu }
///
/// let flags = FlagsLoader(AppFeature.self, providers: [overrides, remote])
/// if flags.isEnabled(.newCheckout) { … }                       // the key is "new_checkout"
/// ```
///
/// All cases have the same type of value, which is `Bool` unless you name another. A loader reads the key, the default
/// and the metadata of each case once, when it is created.
public protocol FlagFeature: Hashable, Sendable, CaseIterable {
    /// The type of the flags' values.
    associatedtype Value: FlagValue = Bool

    /// The flag's key.
    ///
    /// If the raw value is a `String`, there is a default: a raw value of only letters and digits is transformed like
    /// the name of a property (`newCheckout` → `new_checkout`), and any other is used as it is (`"checkout-v2"`).
    var key: FlagKey { get }

    /// The effect of the flag, in a sentence.
    ///
    /// If the raw value is a `String`, the default is its words (`newCheckout` → `New checkout`).
    var description: String { get }

    /// The value if no provider has a usable one. The default for a `Bool` is `false`.
    var defaultValue: Value { get }

    /// The description of the flag for people, with further metadata. The default has only the ``description``.
    var metadata: FlagMetadata { get }

    /// The time at which the flag takes a new value. The default is ``/TacklineCore/FlagUpdatePolicy/live``.
    var updatePolicy: FlagUpdatePolicy { get }
}

extension FlagFeature {
    /// The default metadata, which has only the ``description``.
    public var metadata: FlagMetadata { FlagMetadata(description: description) }

    /// The default policy, ``/TacklineCore/FlagUpdatePolicy/live``.
    public var updatePolicy: FlagUpdatePolicy { .live }
}

extension FlagFeature where Value == Bool {
    /// The default, `false`: a feature is off unless a provider turns it on.
    public var defaultValue: Bool { false }
}

extension FlagFeature where Self: RawRepresentable, RawValue == String {
    /// The raw value, which is transformed if it consists of letters and digits.
    public var key: FlagKey {
        rawValue.allSatisfy { $0.isLetter || $0.isNumber } ? .name(rawValue) : .component(rawValue)
    }

    /// The words of the raw value.
    public var description: String {
        let text = KeyConfiguration.Transform.words(in: rawValue).map { $0.lowercased() }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

/// A collection of an enum's flags. ``FlagFeatureCollection`` is one.
///
/// It is a protocol so that a loader's methods for features exist only where the collection has no properties, whose
/// names they would hide.
public protocol FlagFeatures: FlagCollectionProtocol {
    /// The enum.
    associatedtype Feature: FlagFeature

    /// Returns the value of a feature.
    subscript(feature: Feature) -> Feature.Value { get }

    /// Returns the handle of a feature, or `nil` for a value that is not in `allCases`.
    func handle(of feature: Feature) -> FlagHandle<Feature.Value>?
}

/// The collection of an enum's flags, one for each case, in the order of `allCases`.
///
/// It is the root of a loader for an enum. It can also be nested in another collection:
///
/// ```swift
/// @FlagCollection(keyConfiguration: .skip) var features: FlagFeatureCollection<AppFeature>
/// ```
public struct FlagFeatureCollection<F: FlagFeature>: FlagFeatures {
    @usableFromInline let flags: [F: Flag<F.Value>]

    /// Creates the collection. A loader calls it. Flags of a collection without a loader return their defaults, which
    /// is reported.
    public init() {
        let flags = F.allCases.enumerated().map { ($1, Flag<F.Value>(Self.declaration(of: $1, index: $0))) }
        self.flags = Dictionary(flags) { first, _ in first }
    }

    private static func declaration(of feature: F, index: Int) -> FlagDeclaration {
        let (name, metadata) = (name(of: feature), feature.metadata)
        return FlagDeclaration(
            name: metadata.name ?? name, key: feature.key, defaultValue: feature.defaultValue,
            updatePolicy: feature.updatePolicy, metadata: metadata,
            site: FlagSite(feature: F.self, name: name, number: index))
    }

    private static func name(of feature: F) -> String {
        (feature as? any RawRepresentable<String>)?.rawValue ?? String(describing: feature)
    }

    // MARK: Reading

    /// Returns the value of a feature, as a read of a property returns it. It takes the time of a hash more.
    ///
    /// A feature that is not in `allCases` has no flag: it returns its default, and that is reported.
    @inlinable
    public subscript(feature: F) -> F.Value { flags[feature]?.wrappedValue ?? unlistedDefault(of: feature) }

    /// Returns whether a feature is on.
    @inlinable
    public func isEnabled(_ feature: F) -> Bool where F.Value == Bool { self[feature] }

    /// Returns the flag's handle, for explaining, writing and observing the flag.
    ///
    /// - Returns: `nil` for a value that is not in `allCases`, which has no flag.
    public func handle(of feature: F) -> FlagHandle<F.Value>? { flags[feature]?.projectedValue }

    @usableFromInline
    func unlistedDefault(of feature: F) -> F.Value {
        let message = """
            Feature "\(Self.name(of: feature))" is not in \(F.self).allCases, so it has no flag and returns its \
            default. Add it to allCases.
            """
        FlagIssueReporter.current.report(FlagError(.unlistedFeature, message))
        return feature.defaultValue
    }
}

extension FlagError.Code {
    /// A feature that is not in `allCases`.
    public static let unlistedFeature = FlagError.Code("unlisted-feature")
}

extension FlagsLoader {
    /// Creates a loader for the flags of an enum. The parameters are those of a loader of a collection.
    public convenience init<F: FlagFeature>(
        _ features: F.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration? = nil,
        environment: DeploymentEnvironment = .detected,
        providers: [any FlagProvider],
        mode: FlagModeSwitch? = nil,
        observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current
    ) where Collection == FlagFeatureCollection<F> {
        self.init(
            Collection.self, description: description, keyConfiguration: keyConfiguration, environment: environment,
            providers: providers, mode: mode, observation: observation, issueReporter: issueReporter)
    }
}

extension FlagsLoader where Collection: FlagFeatures {
    /// Returns whether a feature is on.
    @inlinable
    public func isEnabled(_ feature: Collection.Feature) -> Bool where Collection.Feature.Value == Bool {
        flags[feature]
    }

    /// Returns the value of a feature.
    @inlinable
    public func value(of feature: Collection.Feature) -> Collection.Feature.Value { flags[feature] }

    /// Returns the handle of a feature, for explaining, writing and observing the flag.
    ///
    /// - Returns: `nil` for a value that is not in `allCases`, which has no flag.
    public func handle(of feature: Collection.Feature) -> FlagHandle<Collection.Feature.Value>? {
        flags.handle(of: feature)
    }
}
