import TacklineCore

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
    /// The index of each entry by the id of its flag.
    let entriesByID: [String: Int]
    /// The index of each entry by the ordinal of its flag in the loader.
    let entriesByOrdinal: [Int: Int]
    /// The indices of the entries in each group and the groups inside it.
    let entriesByGroup: [String: [Int]]

    /// - Parameters:
    ///   - root: The root of the loader.
    ///   - id: The id of the section.
    init(root: FlagGroup, core: LoaderCore, id: String, showsInternalFlags: Bool) {
        var builder = BrowserLayoutBuilder(core: core, id: id, showsInternalFlags: showsInternalFlags)
        let metadata = root.metadata
        builder.add(root, group: nil, inherited: BrowserLayoutBuilder.Inherited())
        self.core = core
        entries = builder.entries
        entriesByGroup = builder.entriesByGroup
        entriesByID = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.template.id, $0) })
        entriesByOrdinal = Dictionary(
            uniqueKeysWithValues: entries.enumerated().map { ($1.handle.ordinal, $0) })
        section = FlagsBrowserSection(
            id: id, title: metadata.name ?? id, description: metadata.description, groups: builder.groups)
    }
}

/// A builder that traverses the collections of a loader.
struct BrowserLayoutBuilder {
    /// The metadata that a flag inherits from the collections around it.
    struct Inherited {
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

    mutating func add(_ collection: FlagGroup, group: String?, inherited: Inherited) {
        var inherited = inherited
        let metadata = collection.metadata
        inherited.isInternal = inherited.isInternal || metadata.isInternal
        inherited.isLocked = inherited.isLocked || metadata.isLocked
        guard showsInternalFlags || !inherited.isInternal else { return }
        if let group {
            groups.append(
                FlagsBrowserGroup(
                    id: group, parent: inherited.groups.last, depth: inherited.depth,
                    title: metadata.name ?? collection.property, description: metadata.description))
            entriesByGroup[group] = []
            inherited.groups.append(group)
            inherited.depth += 1
        }
        for flag in collection.flags { add(flag, group: group, inherited: inherited) }
        for inner in collection.groups {
            add(inner, group: "\(id):\(inner.property)", inherited: inherited)
        }
    }

    private mutating func add(_ flag: AnyFlagHandle, group: String?, inherited: Inherited) {
        let metadata = flag.metadata
        let isInternal = inherited.isInternal || metadata.isInternal
        guard showsInternalFlags || !isInternal else { return }
        let key = flag.keyPath.text
        let type = flag.valueType
        let declaredDefault = FlagsBrowserValue(
            flag.declaration.encode(flag.declaration.defaultValue) ?? .null, isSecret: metadata.isSecret)
        let template = FlagsBrowserFlag(
            id: unusedID("\(id):\(key)"), section: id, group: group, name: metadata.name ?? flag.property,
            key: key, property: flag.property, description: metadata.description,
            type: String(describing: type), control: FlagsBrowserControl(for: flag),
            rule: flag.declaration.bounds?.phrase, isOptional: FlagsBrowserControl.isOptional(type),
            metadata: FlagsBrowserFlag.Metadata(
                owner: metadata.owner, expiryDate: metadata.expiryDate, ticket: metadata.ticket, tags: metadata.tags,
                isInternal: isInternal, isLocked: inherited.isLocked || metadata.isLocked,
                isSecret: metadata.isSecret),
            declaredDefault: declaredDefault, value: declaredDefault, defaultValue: declaredDefault)
        for group in inherited.groups { entriesByGroup[group, default: []].append(entries.count) }
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
