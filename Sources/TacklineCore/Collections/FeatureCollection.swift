/// The collection of an enum's flags, one for each case, in the order of `allCases`.
///
/// A loader of an enum has it as its root. It can also stand inside another collection:
///
/// ```swift
/// @FlagCollection(keyConfiguration: .skip) var features: FeatureCollection<AppFeature>
/// ```
public struct FeatureCollection<F: Feature>: FlagCollectionProtocol {
    /// One reference, so that a copy of the collection is cheap.
    @usableFromInline let list: FeatureList<F>

    /// Makes the collection. A loader does that; flags of a collection made by hand give their defaults.
    public init() {
        list = FeatureList { feature, index in Flag(Self.declaration(of: feature, index: index)) }
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
            updatePolicy: feature.updatePolicy,
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
            if let pattern = FeatureList.pattern(of: feature), pattern < list.table.count {
                return list.table[pattern].wrappedValue
            }
            return hashedValue(of: feature)
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
        list.flag(of: feature)?.projectedValue
    }

    /// Looks a feature up by its hash, and gives the default of one that `allCases` leaves out.
    @usableFromInline @inline(never)
    func hashedValue(of feature: F) -> F.Value {
        guard let flag = list.flag(of: feature) else {
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
    package var listedFlags: [(name: String, slotAddress: UInt)] {
        zip(list.features, list.flags).map { (Self.name(of: $0), $1.slotAddress) }
    }
}

extension FlagIssue.Code {
    /// A feature is not in `allCases`.
    public static let unlistedFeature = FlagIssue.Code("unlisted-feature")
}
