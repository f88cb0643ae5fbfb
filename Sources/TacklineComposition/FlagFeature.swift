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
        let text = FlagKeyTransform.words(in: rawValue).map { $0.lowercased() }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

/// The collection of an enum's flags, one for each case, in the order of `allCases`.
///
/// It is the root of a loader for an enum. It can also be nested in another collection:
///
/// ```swift
/// @FlagCollection(keyConfiguration: .skip) var features: FlagFeatureCollection<AppFeature>
/// ```
public struct FlagFeatureCollection<F: FlagFeature>: FlagCollectionProtocol {
    /// Never dangles. See ``FeatureList``.
    @usableFromInline let list: Unmanaged<FeatureList<F>>
    /// The generation of the list that the collection belongs to.
    @usableFromInline let generation: UInt64

    /// Creates the collection. A loader calls it. Flags of a collection without a loader return their defaults, which
    /// is reported.
    public init() {
        let features = Array(F.allCases)
        let list = FlagFeatureCollection.listInConstruction(features) ?? FlagFeatureCollection.unboundList(features)
        self.list = Unmanaged.passUnretained(list)
        generation = list.currentGeneration
    }

    /// Returns a list for the loader that constructs the collection, or `nil` if there is none.
    private static func listInConstruction(_ features: [F]) -> FeatureList<F>? {
        let list = FeatureLists.take(features)
        guard FlagConstruction.add(list) else {
            FeatureLists.giveBack(list)
            return nil
        }
        FlagConstruction.noteListedFlags(of: Self.self)
        list.setFlags(makeFlags(features))
        return list
    }

    private static func unboundList(_ features: [F]) -> FeatureList<F> {
        FeatureLists.unbound(features) {
            let list = FeatureList(features: features, generation: 0)
            list.setFlags(makeFlags(features))
            return list
        }
    }

    private static func makeFlags(_ features: [F]) -> [Flag<F.Value>] {
        features.enumerated().map { index, feature in Flag(declaration(of: feature, index: index)) }
    }

    private static func declaration(of feature: F, index: Int) -> FlagDeclaration {
        let name = name(of: feature)
        // There is no `@Flag` in the source. The type and the case identify the declaration.
        let site = FlagSite(
            fileID: #fileID, line: UInt(index), column: UInt(bitPattern: ObjectIdentifier(F.self)),
            label: "\(F.self).\(name)")
        return FlagDeclaration(
            name: feature.metadata.name ?? name, key: feature.key, defaultValue: feature.defaultValue,
            updatePolicy: feature.updatePolicy, metadata: feature.metadata, site: site)
    }

    private static func name(of feature: F) -> String {
        (feature as? any RawRepresentable<String>)?.rawValue ?? String(describing: feature)
    }

    // MARK: Reading

    /// Returns the value of a feature, as a read of a property returns it.
    @inlinable
    public subscript(feature: F) -> F.Value {
        @inline(__always) get {
            list._withUnsafeGuaranteedRef { list in
                if let place = FeatureList.pattern(of: feature), place < list.directCount,
                    let flag = list.flag(at: place, generation: generation)
                {
                    return flag.wrappedValue
                }
                return hashedValue(of: feature)
            }
        }
    }

    /// Returns the value of a feature, as a read of a property returns it.
    @inlinable @inline(__always)
    public func value(of feature: F) -> F.Value { self[feature] }

    /// Returns whether a feature is on.
    @inlinable @inline(__always)
    public func isEnabled(_ feature: F) -> Bool where F.Value == Bool { self[feature] }

    /// Returns the flag's handle, for explaining, writing and observing the flag.
    ///
    /// - Returns: `nil` for a value that is not in `allCases`, which has no flag.
    public func handle(of feature: F) -> FlagHandle<F.Value>? {
        list._withUnsafeGuaranteedRef { $0.flag(of: feature, generation: generation) }?.projectedValue
    }

    /// Returns the value of a feature that is looked up by its hash, or the default of one that is not in `allCases`.
    @usableFromInline @inline(never)
    func hashedValue(of feature: F) -> F.Value {
        guard let flag = list._withUnsafeGuaranteedRef({ $0.flag(of: feature, generation: generation) }) else {
            let message = """
                Feature "\(Self.name(of: feature))" is not in \(F.self).allCases, so it has no flag and returns its \
                default. Add it to allCases.
                """
            list._withUnsafeGuaranteedRef {
                $0.issueLog.report(FlagIssue(.unlistedFeature, message: message), detail: message, to: [.current])
            }
            return feature.defaultValue
        }
        return flag.wrappedValue
    }
}

extension FlagFeatureCollection: ListedFlagCollection {
    package var listedFlags: [(name: String, slot: Unmanaged<FlagSlot>)] {
        list._withUnsafeGuaranteedRef { list in
            list.features.compactMap { feature in
                list.flag(of: feature, generation: generation).map { (Self.name(of: feature), $0.slot) }
            }
        }
    }
}

extension FlagIssue.Code {
    /// A feature that is not in `allCases`.
    public static let unlistedFeature = FlagIssue.Code("unlisted-feature")
}

extension FlagsLoader {
    /// Creates a loader for the flags of an enum.
    ///
    /// - Parameters:
    ///   - features: The type of the enum.
    ///   - description: The description of the enum for people.
    ///   - keyConfiguration: The way in which the keys of the flags are made.
    ///   - providers: The chain, from the first provider to the last. In production, overrides are left out and
    ///     reported.
    ///   - observation: The mode in which reads are registered with Observation.
    ///   - issueReporter: The destination of issues, including those of the providers.
    public convenience init<F: FlagFeature>(
        _ features: F.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: ProviderChain,
        observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current
    ) where Collection == FlagFeatureCollection<F> {
        self.init(
            Collection.self, description: description, keyConfiguration: keyConfiguration, providers: providers,
            observation: observation, issueReporter: issueReporter)
    }

    /// Returns whether a feature is on. It costs about as much as a read of a property.
    @inlinable @inline(__always)
    public func isEnabled<F: FlagFeature>(_ feature: F) -> Bool
    where Collection == FlagFeatureCollection<F>, F.Value == Bool {
        flags[feature]
    }

    /// Returns the value of a feature. It costs about as much as a read of a property.
    @inlinable @inline(__always)
    public func value<F: FlagFeature>(of feature: F) -> F.Value where Collection == FlagFeatureCollection<F> {
        flags[feature]
    }

    /// Returns the handle of a feature, for explaining, writing and observing the flag.
    ///
    /// - Returns: `nil` for a value that is not in `allCases`, which has no flag.
    public func handle<F: FlagFeature>(of feature: F) -> FlagHandle<F.Value>?
    where Collection == FlagFeatureCollection<F> {
        flags.handle(of: feature)
    }
}
