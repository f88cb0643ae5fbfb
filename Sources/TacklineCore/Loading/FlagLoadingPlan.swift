import Synchronization

/// What a construction came to: each flag with its key, and the mistakes that were found.
struct FlagLoadingPlan {
    let index: FlagIndex
    let entries: [LoadedFlags.Entry]
    let groups: [FlagCollectionDeclaration]
    let groupSlots: [FlagCollectionSlot]
    let issues: [FlagIssue]
    let records: [FlagConstruction.Record]

    /// Remembers, for each collection type, what its last loaders worked out.
    private struct Memory {
        var homes: [any AnyFlagHome] = []
        /// The newest few; a process rarely uses more than one key configuration for a type.
        var indexes: [FlagIndex] = []
    }

    private static let memory = Mutex<[ObjectIdentifier: Memory]>([:])
    private static let indexLimit = 4

    /// Constructs a collection and works its keys out.
    static func make<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration
    ) -> (collection: Collection, plan: FlagLoadingPlan) {
        let id = ObjectIdentifier(type)
        let known = memory.withLock { $0[id] } ?? Memory()
        let construction = FlagConstruction(hints: known.homes)
        let collection = FlagConstruction.$current.withValue(construction) { Collection() }
        let records = construction.records
        let found = CollectionMembers(of: collection)
        let matching = match(found, with: records)
        let plan = FlagLoadingPlan(
            type, matching, records: records, configuration: configuration, known: known.indexes)
        let homes = construction.homes
        memory.withLock { memory in
            memory[id, default: Memory()].homes = homes
            if !known.indexes.contains(where: { $0 === plan.index }) {
                memory[id, default: Memory()].indexes.insert(plan.index, at: 0)
                memory[id, default: Memory()].indexes = Array(memory[id, default: Memory()].indexes.prefix(indexLimit))
            }
        }
        return (collection, plan)
    }

    private struct Matching {
        var members: [CollectionMembers.Member] = []
        var records: [FlagConstruction.Record] = []
        /// What was constructed and reflection did not find.
        var unreachable: [FlagConstruction.Record] = []
        /// What reflection found and this construction did not make.
        var foreign: [String] = []
    }

    /// Brings names and declarations together by the address that both know.
    private static func match(_ found: CollectionMembers, with records: [FlagConstruction.Record]) -> Matching {
        var matching = Matching()
        if found.addresses.elementsEqual(records.lazy.map(\.address)) {
            matching.members = found.members
            matching.records = records
            return matching
        }
        // The collection's own init made them in another order, or left some out of its properties.
        var waiting: [UInt: FlagConstruction.Record] = [:]
        for record in records { waiting[record.address] = record }
        var newIndexes: [Int: Int] = [-1: -1]
        for (index, member) in found.members.enumerated() {
            guard let record = waiting.removeValue(forKey: found.addresses[index]),
                let parent = newIndexes[member.parent]
            else {
                matching.foreign.append(member.label ?? "?")
                continue
            }
            newIndexes[index] = matching.members.count
            matching.members.append(
                CollectionMembers.Member(label: member.label, parent: parent, isCollection: member.isCollection))
            matching.records.append(record)
        }
        matching.unreachable = records.filter { waiting[$0.address] != nil }
        return matching
    }

    private init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, _ matching: Matching, records: [FlagConstruction.Record],
        configuration: KeyConfiguration, known: [FlagIndex]
    ) {
        var entries: [LoadedFlags.Entry] = []
        var groups: [FlagCollectionDeclaration] = []
        var groupSlots: [FlagCollectionSlot] = []
        var declared: [FlagIndex.Declared] = []
        var issues: [FlagIssue] = []
        entries.reserveCapacity(matching.records.count)
        declared.reserveCapacity(matching.records.count)
        for record in matching.records {
            switch record.kind {
            case .flag(let declaration):
                entries.append(LoadedFlags.Entry(declaration: declaration, slot: record.slot, life: record.life))
                declared.append(.flag(declaration.key))
                if let root = declaration.rootType, root != type {
                    issues.append(.wrongRoot(expected: root, root: type, site: declaration.site))
                }
            case .collection(let declaration):
                groups.append(declaration)
                if let slot = record.slot as? FlagCollectionSlot { groupSlots.append(slot) }
                declared.append(.collection(declaration.keyConfiguration))
            }
        }
        let index =
            known.first { $0.configuration == configuration && $0.declared == declared }
            ?? FlagIndex(
                members: matching.members, declared: declared, sites: matching.records.map(\.kind.site),
                configuration: configuration)
        let isStripped =
            (matching.members.isEmpty && !records.isEmpty && MemoryLayout<Collection>.size > 0)
            || matching.members.contains { $0.label == nil }
        if isStripped {
            issues.append(.missingReflection(type))
        } else {
            issues += index.issues
            issues += matching.unreachable.map { .unreachableFlag($0.kind.site) }
            issues += matching.foreign.map { .foreignFlag($0, in: type) }
        }
        self.index = index
        self.entries = entries
        self.groups = groups
        self.groupSlots = groupSlots
        self.issues = issues
        self.records = records
    }
}

extension FlagConstruction.Record.Kind {
    fileprivate var site: FlagSite {
        switch self {
        case .flag(let declaration): declaration.site
        case .collection(let declaration): declaration.site
        }
    }
}

extension FlagIssue {
    fileprivate static func wrongRoot(expected: Any.Type, root: Any.Type, site: FlagSite) -> FlagIssue {
        FlagIssue(
            .wrongRoot,
            message: """
                The flag declared at \(site) computes its value from \(expected), but its loader was made for \(root), \
                so it is never computed. Let the closure take \(root).
                """)
    }

    fileprivate static func missingReflection(_ type: Any.Type) -> FlagIssue {
        FlagIssue(
            .missingReflection,
            message: """
                The properties of \(type) cannot be seen with their names, so its flags give their defaults or have no \
                keys. Build its module with reflection metadata: set SWIFT_REFLECTION_METADATA_LEVEL to "all", and \
                leave out -disable-reflection-metadata and -disable-reflection-names.
                """)
    }

    fileprivate static func unreachableFlag(_ site: FlagSite) -> FlagIssue {
        FlagIssue(
            .unreachableFlag,
            message: """
                The flag or collection declared at \(site) was made together with its collection but is no property of \
                it, so it has no key and gives its default. Make it a stored property with @Flag or @FlagCollection; \
                arrays, tuples and optionals of flags are not looked into.
                """)
    }

    fileprivate static func foreignFlag(_ label: String, in type: Any.Type) -> FlagIssue {
        FlagIssue(
            .unreachableFlag,
            message: """
                The property "\(label)" of \(type) holds a flag or collection that was copied from somewhere else, so \
                it has no key of its own. Declare it with its own @Flag or @FlagCollection.
                """)
    }
}
