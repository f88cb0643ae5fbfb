/// The collection of an enum's flags, one for each case, in the order of `allCases`.
///
/// A loader of an enum has it as its root. It can also stand inside another collection:
///
/// ```swift
/// @FlagCollection(keyConfiguration: .skip) var features: FeatureCollection<AppFeature>
/// ```
public struct FeatureCollection<F: Feature>: FlagCollectionProtocol {
    /// In the order of the cases.
    let flags: [Flag<F.Value>]
    /// The flags by the bits of their feature. Empty unless every feature has at most two bytes and their bits, taken as
    /// numbers, are 0, 1, 2 and so on, as those of enums without payloads are.
    @usableFromInline let table: [Flag<F.Value>]
    /// The number of each feature among the flags.
    private let ordinals: [F: Int]

    /// Makes the collection. A loader does that; flags of a collection made by hand give their defaults.
    public init() {
        var flags: [Flag<F.Value>] = []
        var patterns: [Int: Flag<F.Value>] = [:]
        var ordinals: [F: Int] = [:]
        for (index, feature) in F.allCases.enumerated() {
            let flag = Flag(Self.declaration(of: feature, index: index))
            flags.append(flag)
            if ordinals[feature] == nil { ordinals[feature] = index }
            if let pattern = Self.pattern(of: feature), patterns[pattern] == nil { patterns[pattern] = flag }
        }
        self.flags = flags
        self.ordinals = ordinals
        let table = flags.indices.compactMap { patterns[$0] }
        self.table = table.count == flags.count ? table : []
    }

    private static func declaration(of feature: F, index: Int) -> FlagDeclaration<F.Value> {
        let name = name(of: feature)
        // There is no `@Flag` in the source, so the type and the case identify the declaration.
        let site = FlagSite(
            fileID: #fileID, line: UInt(index), column: UInt(bitPattern: ObjectIdentifier(F.self)),
            label: "\(F.self).\(name)")
        return FlagDeclaration(
            name: feature.metadata.name ?? name,
            key: feature.key,
            defaultValue: feature.defaultValue,
            excludedProviderTypes: [],
            computedValue: nil,
            computed: nil,
            metadata: feature.metadata,
            site: site
        )
    }

    private static func name(of feature: F) -> String {
        (feature as? any RawRepresentable<String>)?.rawValue ?? String(describing: feature)
    }

    // MARK: Reading

    /// The value of a feature, as reading a property flag gives it.
    @inlinable
    public subscript(feature: F) -> F.Value {
        @inline(__always) get {
            if let pattern = Self.pattern(of: feature), pattern < table.count {
                return table[pattern].wrappedValue
            }
            return unlistedValue(of: feature)
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
        ordinals[feature].map { flags[$0].projectedValue }
    }

    /// The bits of a feature as a number, or `nil` for a type that has more than two bytes or more to it than bits.
    @inlinable @inline(__always)
    static func pattern(of feature: F) -> Int? {
        guard _isPOD(F.self) else { return nil }
        switch MemoryLayout<F>.size {
        case 0: return 0
        case 1: return unsafe withUnsafeBytes(of: feature) { Int(unsafe $0.loadUnaligned(as: UInt8.self)) }
        case 2: return unsafe withUnsafeBytes(of: feature) { Int(unsafe $0.loadUnaligned(as: UInt16.self)) }
        default: return nil
        }
    }

    /// Looks a feature up by its hash, and gives the default of one that `allCases` leaves out.
    @usableFromInline @inline(never)
    func unlistedValue(of feature: F) -> F.Value {
        guard let ordinal = ordinals[feature] else {
            FlagIssueReporter.current.report(
                FlagIssue(
                    .unlistedFeature,
                    message: """
                        Feature "\(Self.name(of: feature))" is not in \(F.self).allCases, so it has no flag and gives \
                        its default. Add it to allCases.
                        """))
            return feature.defaultValue
        }
        return flags[ordinal].wrappedValue
    }
}

extension FeatureCollection: ListedFlagCollection {
    package var listedFlags: [(name: String, slotAddress: UInt)] {
        zip(F.allCases, flags).map { (Self.name(of: $0), $1.slotAddress) }
    }
}

extension FlagIssue.Code {
    /// A feature is not in `allCases`.
    public static let unlistedFeature = FlagIssue.Code("unlisted-feature")
}
