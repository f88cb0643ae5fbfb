import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the day on which a flag expires.

/// The parts of a root collection that never change. One is made for each loader.
final class BrowserLayout: Sendable {
    /// A flag that the browser shows.
    struct Entry: Sendable {
        let handle: AnyFlagHandle
        /// The flag, with its declared default in place of its values.
        let template: FlagsBrowserFlag
    }

    let core: LoaderCore
    /// The section without its providers and destination, which can change.
    let section: FlagsBrowserSection
    let entries: [Entry]
    /// The ordinal of each entry's flag in the loader. Each snapshot scans this array instead of the larger entries.
    let ordinals: [Int]
    /// The indices of the entries whose flag is computed.
    let computed: Set<Int>
    /// The index of each entry by the id of its flag.
    let entriesByID: [String: Int]
    /// The index of each entry by the text of its key. If two entries have the same key, the first counts.
    let entriesByKey: [String: Int]
    /// The index of each entry by the ordinal of its flag in the loader.
    let entriesByOrdinal: [Int: Int]
    /// The indices of the entries whose flag has an expiry date.
    let expiring: [Int]
    /// The indices of the entries in each group and the groups inside it.
    let entriesByGroup: [String: [Int]]

    /// - Parameters:
    ///   - root: The root of the loader.
    ///   - id: The id of the section.
    init(root: FlagGroup, core: LoaderCore, id: String, showsInternalFlags: Bool) {
        var builder = BrowserLayoutBuilder(core: core, id: id, showsInternalFlags: showsInternalFlags)
        let metadata = root.metadata
        builder.add(root, group: nil, surroundings: BrowserLayoutBuilder.Surroundings())
        self.core = core
        entries = builder.entries
        entriesByGroup = builder.entriesByGroup
        ordinals = entries.map(\.handle.ordinal)
        computed = Set(entries.indices.filter { builder.entries[$0].handle.isComputed })
        entriesByID = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.template.id, $0) })
        entriesByKey = Dictionary(entries.enumerated().map { ($1.template.key, $0) }) { first, _ in first }
        entriesByOrdinal = Dictionary(
            uniqueKeysWithValues: entries.enumerated().map { ($1.handle.ordinal, $0) })
        expiring = entries.indices.filter { builder.entries[$0].template.metadata.expiryDate != nil }
        section = FlagsBrowserSection(
            id: id, title: metadata.name ?? id, description: metadata.description, iconName: metadata.iconName,
            path: root.keyPath.text, groups: builder.groups)
    }

    /// Returns the name of the root collection's type.
    static func name(of core: LoaderCore) -> String { String(describing: core.collectionType) }
}

/// A builder that traverses the collections of a loader.
struct BrowserLayoutBuilder {
    /// The metadata that a flag inherits from the collections around it.
    struct Surroundings {
        var isInternal = false
        var isLocked = false
        var depth = 0
        /// The ids of the groups around it, outermost first.
        var groups: [String] = []
    }

    let core: LoaderCore
    let id: String
    let showsInternalFlags: Bool
    var entries: [BrowserLayout.Entry] = []
    var groups: [FlagsBrowserGroup] = []
    var entriesByGroup: [String: [Int]] = [:]
    private var taken: Set<String> = []

    init(core: LoaderCore, id: String, showsInternalFlags: Bool) {
        self.core = core
        self.id = id
        self.showsInternalFlags = showsInternalFlags
    }

    mutating func add(_ collection: FlagGroup, group: String?, surroundings: Surroundings) {
        var surroundings = surroundings
        let metadata = collection.metadata
        surroundings.isInternal = surroundings.isInternal || metadata.isInternal
        surroundings.isLocked = surroundings.isLocked || metadata.isLocked
        guard showsInternalFlags || !surroundings.isInternal else { return }
        if let group {
            groups.append(
                FlagsBrowserGroup(
                    id: group, parent: surroundings.groups.last, depth: surroundings.depth,
                    title: metadata.name ?? collection.property, description: metadata.description,
                    iconName: metadata.iconName, path: collection.keyPath.text))
            entriesByGroup[group] = []
            surroundings.groups.append(group)
            surroundings.depth += 1
        }
        for flag in collection.flags { add(flag, group: group, surroundings: surroundings) }
        for inner in collection.groups {
            add(inner, group: "\(id):\(inner.property)", surroundings: surroundings)
        }
    }

    private mutating func add(_ flag: AnyFlagHandle, group: String?, surroundings: Surroundings) {
        let metadata = flag.metadata
        let isInternal = surroundings.isInternal || metadata.isInternal
        guard showsInternalFlags || !isInternal else { return }
        let key = flag.keyPath.text
        let type = flag.valueType
        let declaredDefault = FlagsBrowserValue(flag.declaredDefault, isSecret: metadata.isSecret)
        let template = FlagsBrowserFlag(
            id: unusedID("\(id):\(key)"), section: id, group: group, name: metadata.name ?? flag.property,
            key: key, property: flag.property, description: metadata.description,
            type: String(describing: type), control: FlagsBrowserControl(for: flag),
            rule: flag.declaration.bounds?.phrase, isOptional: FlagsBrowserControl.isOptional(type),
            metadata: FlagsBrowserMetadata(
                owner: metadata.owner, expiryDate: metadata.expiryDate, ticket: metadata.ticket, tags: metadata.tags,
                iconName: metadata.iconName, isInternal: isInternal,
                isLocked: surroundings.isLocked || metadata.isLocked),
            declaredDefault: declaredDefault, value: declaredDefault, source: .default,
            defaultValue: declaredDefault)
        for group in surroundings.groups { entriesByGroup[group, default: []].append(entries.count) }
        entries.append(BrowserLayout.Entry(handle: flag, template: template))
    }

    /// Returns an id that no other flag has. Two flags with the same key are a mistake that is reported elsewhere; each
    /// gets its own id here.
    private mutating func unusedID(_ wanted: String) -> String {
        var id = wanted
        var number = 2
        while !taken.insert(id).inserted {
            id = "\(wanted) \(number)"
            number += 1
        }
        return id
    }
}

extension AnyFlagHandle {
    /// The declared default, or `null` if it can't be encoded.
    var declaredDefault: EncodedFlagValue { declaration.encode(declaration.defaultValue) ?? .null }
}
