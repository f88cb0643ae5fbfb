public import TacklineCore

/// A set of flags as an enum: each case is a flag.
///
/// ```swift
/// enum AppFeature: String, Feature { case newCheckout, debugMenu }
///
/// let flags = FlagsLoader(AppFeature.self, providers: [overrides, remote])
/// if flags.isEnabled(.newCheckout) { … }                       // asked for under "new_checkout"
/// ```
///
/// All cases have one type of value, `Bool` unless you name another. A loader asks each case for its key, its default
/// and its metadata once, when it is made.
public protocol Feature: Hashable, Sendable, CaseIterable {
    /// The type of the flags' values.
    associatedtype Value: FlagValue = Bool

    /// The flag's key.
    ///
    /// Derived where the raw value is a `String`: a raw value of nothing but letters and digits counts as a property's
    /// name, which the loader transforms (`newCheckout` → `new_checkout`); any other stands as it is
    /// (`"checkout-v2"`).
    var key: FlagKey { get }

    /// What the flag does, in a sentence.
    ///
    /// Derived where the raw value is a `String`: its words (`newCheckout` → `New checkout`).
    var description: String { get }

    /// The value where no provider has a usable one. `false` for a `Bool` unless you say otherwise.
    var defaultValue: Value { get }

    /// What people should know about the flag. By default just its ``description``.
    var metadata: FlagMetadata { get }

    /// When the flag takes a new value. By default ``/TacklineCore/FlagUpdatePolicy/live``.
    var updatePolicy: FlagUpdatePolicy { get }
}

extension Feature {
    /// Metadata with the ``description`` only.
    public var metadata: FlagMetadata { FlagMetadata(description: description) }

    /// Takes a new value as soon as it is there.
    public var updatePolicy: FlagUpdatePolicy { .live }
}

extension Feature where Value == Bool {
    /// `false`: a feature is off unless a provider turns it on.
    public var defaultValue: Bool { false }
}

extension Feature where Self: RawRepresentable, RawValue == String {
    /// The raw value, as a name if it can be one.
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
/// A loader of an enum has it as its root. It can also stand inside another collection:
///
/// ```swift
/// @FlagCollection(keyConfiguration: .skip) var features: FeatureCollection<AppFeature>
/// ```
public struct FeatureCollection<F: Feature>: FlagCollectionProtocol {
    /// Never dangles: see ``FeatureList``.
    @usableFromInline let list: Unmanaged<FeatureList<F>>
    /// The life of the list that the collection belongs to.
    @usableFromInline let life: UInt64

    /// Makes the collection. A loader does that; flags of a collection made by hand give their defaults.
    public init() {
        let features = Array(F.allCases)
        let list = FeatureCollection.listInConstruction(features) ?? FeatureCollection.unboundList(features)
        self.list = Unmanaged.passUnretained(list)
        life = list.currentLife
    }

    /// Takes a list for the loader that is constructing, if one is.
    private static func listInConstruction(_ features: [F]) -> FeatureList<F>? {
        guard let construction = FlagConstruction.current else { return nil }
        let list = FeatureLists.take(features)
        guard construction.add(list) else {
            FeatureLists.takeBack(list)
            return nil
        }
        list.setFlags(makeFlags(features))
        return list
    }

    private static func unboundList(_ features: [F]) -> FeatureList<F> {
        FeatureLists.unbound(features) {
            let list = FeatureList(features: features, life: 0)
            list.setFlags(makeFlags(features))
            return list
        }
    }

    private static func makeFlags(_ features: [F]) -> [Flag<F.Value>] {
        features.enumerated().map { index, feature in Flag(declaration(of: feature, index: index)) }
    }

    private static func declaration(of feature: F, index: Int) -> FlagDeclaration {
        let name = name(of: feature)
        // There is no `@Flag` in the source, so the type and the case identify the declaration.
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

    /// The value of a feature, as reading a property flag gives it.
    @inlinable
    public subscript(feature: F) -> F.Value {
        @inline(__always) get {
            list._withUnsafeGuaranteedRef { list in
                if let place = FeatureList.pattern(of: feature), place < list.directCount,
                    let flag = list.flag(at: place, life: life)
                {
                    return flag.wrappedValue
                }
                return hashedValue(of: feature)
            }
        }
    }

    /// The value of a feature, as reading a property flag gives it.
    @inlinable @inline(__always)
    public func value(of feature: F) -> F.Value { self[feature] }

    /// Whether a feature is on.
    @inlinable @inline(__always)
    public func isEnabled(_ feature: F) -> Bool where F.Value == Bool { self[feature] }

    /// The flag's handle, for everything but its value.
    ///
    /// - Returns: `nil` for a value that `allCases` leaves out, which has no flag.
    public func handle(of feature: F) -> FlagHandle<F.Value>? {
        list._withUnsafeGuaranteedRef { $0.flag(of: feature, life: life) }?.projectedValue
    }

    /// Looks a feature up by its hash, and gives the default of one that `allCases` leaves out.
    @usableFromInline @inline(never)
    func hashedValue(of feature: F) -> F.Value {
        guard let flag = list._withUnsafeGuaranteedRef({ $0.flag(of: feature, life: life) }) else {
            FlagIssueReporter.current.report(
                FlagIssue(
                    .unlistedFeature,
                    message: """
                        Feature "\(Self.name(of: feature))" is not in \(F.self).allCases, so it has no flag and gives \
                        its default. Add it to allCases.
                        """))
            return feature.defaultValue
        }
        return flag.wrappedValue
    }
}

extension FeatureCollection: ListedFlagCollection {
    package var listedFlags: [(name: String, slot: Unmanaged<FlagSlot>)] {
        list._withUnsafeGuaranteedRef { list in
            list.features.compactMap { feature in
                list.flag(of: feature, life: life).map { (Self.name(of: feature), $0.slot) }
            }
        }
    }
}

extension FlagIssue.Code {
    /// A feature is not in `allCases`.
    public static let unlistedFeature = FlagIssue.Code("unlisted-feature")
}

extension FlagsLoader {
    /// Makes a loader for the flags of an enum.
    ///
    /// - Parameters:
    ///   - features: The enum.
    ///   - description: What people should know about it.
    ///   - keyConfiguration: How the keys of its flags are made.
    ///   - providers: The chain, asked from the first to the last. In production, providers that are marked as overrides
    ///     are left out and reported.
    ///   - observation: Whether reads are registered with Observation.
    ///   - issueReporter: Where issues go that cannot be thrown.
    public convenience init<F: Feature>(
        _ features: F.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: ProviderChain,
        observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current
    ) where Collection == FeatureCollection<F> {
        self.init(
            Collection.self, description: description, keyConfiguration: keyConfiguration, providers: providers,
            observation: observation, issueReporter: issueReporter)
    }

    /// Whether a feature is on. Costs about what reading a property flag costs.
    @inlinable @inline(__always)
    public func isEnabled<F: Feature>(_ feature: F) -> Bool where Collection == FeatureCollection<F>, F.Value == Bool {
        flags[feature]
    }

    /// The value of a feature. Costs about what reading a property flag costs.
    @inlinable @inline(__always)
    public func value<F: Feature>(of feature: F) -> F.Value where Collection == FeatureCollection<F> {
        flags[feature]
    }

    /// The handle of a feature, for everything but its value.
    ///
    /// - Returns: `nil` for a value that `allCases` leaves out, which has no flag.
    public func handle<F: Feature>(of feature: F) -> FlagHandle<F.Value>? where Collection == FeatureCollection<F> {
        flags.handle(of: feature)
    }
}
