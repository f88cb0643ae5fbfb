import Synchronization

/// The result of constructing a collection: each flag with its key, and the mistakes that were found.
struct FlagLoadingPlan {
    struct Flag: Sendable {
        let slot: Unmanaged<FlagSlot>
        let life: UInt32
        let declaration: FlagDeclaration
    }

    struct Group: Sendable {
        let slot: Unmanaged<FlagSlot>
        let declaration: FlagCollectionDeclaration
    }

    let index: FlagIndex
    let flags: [Flag]
    let groups: [Group]
    let issues: [FlagIssue]
    /// The slots that the construction took, in use or not, with their lives.
    private let slots: [(slot: Unmanaged<FlagSlot>, life: UInt32)]
    private let lists: [any FlagList]

    /// What the last loaders of a type worked out.
    private struct Memory {
        var homes: [FlagHome] = []
        /// The newest few; a process rarely uses more than one key configuration for a type.
        var indexes: [FlagIndex] = []
    }

    private static let memory = Mutex([ObjectIdentifier: Memory]())
    private static let indexLimit = 4

    /// Constructs a collection and works its keys out.
    static func make<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration
    ) -> (collection: Collection, plan: FlagLoadingPlan) {
        let id = ObjectIdentifier(type)
        var memory = memory.withLock { $0[id] } ?? Memory()
        let construction = FlagConstruction(hints: memory.homes)
        let collection = FlagConstruction.$current.withValue(construction) { Collection() }
        let (records, lists, hasListedFlags) = construction.finish()
        let found = FlagDiscovery(of: collection, constructed: records, hasListedFlags: hasListedFlags)
        let plan = FlagLoadingPlan(
            type, size: MemoryLayout<Collection>.size, found, records, lists, configuration: configuration,
            known: memory.indexes)
        let isKnown = memory.indexes.contains { $0 === plan.index }
        if !isKnown || memory.homes.count != records.count {
            memory.homes = records.map { $0.slot.takeUnretainedValue().home.takeUnretainedValue() }
            if !isKnown { memory.indexes = [plan.index] + memory.indexes.prefix(indexLimit - 1) }
            self.memory.withLock { [memory] in $0[id] = memory }
        }
        return (collection, plan)
    }

    private init(
        _ type: any FlagCollectionProtocol.Type, size: Int, _ found: FlagDiscovery,
        _ records: [FlagConstruction.Record], _ lists: [any FlagList], configuration: KeyConfiguration,
        known: [FlagIndex]
    ) {
        var flags: [Flag] = []
        var groups: [Group] = []
        var issues: [FlagIssue] = []
        flags.reserveCapacity(found.records.count)
        for record in found.records {
            switch record.declaration {
            case .flag(let declaration):
                flags.append(Flag(slot: record.slot, life: record.life, declaration: declaration))
                if let root = declaration.rootType, root != type {
                    issues.append(.wrongRoot(expected: root, root: type, site: declaration.site))
                }
            case .collection(let declaration):
                groups.append(Group(slot: record.slot, declaration: declaration))
            }
        }
        index =
            known.first { $0.configuration == configuration && $0.describes(flags, groups) }
            ?? FlagIndex(found, configuration: configuration)
        let isStripped =
            (found.members.isEmpty && !found.unreachable.isEmpty && size > 0)
            || found.members.contains { $0.label == nil }
        if isStripped {
            issues.append(.missingReflection(type))
        } else {
            issues += index.issues
            issues += found.unreachable.map { .unreachableFlag($0.declaration.site) }
            issues += found.foreign.map { .foreignFlag($0, in: type) }
        }
        self.flags = flags
        self.groups = groups
        self.issues = issues
        self.lists = lists
        slots = records.map { ($0.slot, $0.life) }
    }

    /// Makes an owner answer for the slots.
    func bind(to owner: any FlagOwner) {
        let owner = FlagOwnerReference(owner)
        for (ordinal, flag) in flags.enumerated() {
            flag.slot._withUnsafeGuaranteedRef { $0.bind(flag.declaration, to: owner, ordinal: ordinal) }
        }
        for (ordinal, group) in groups.enumerated() {
            group.slot._withUnsafeGuaranteedRef { $0.bind(nil, to: owner, ordinal: ordinal) }
        }
    }

    /// Gives the slots back. From now on copies of the flags are told from those of later loaders.
    func endLives() {
        for list in lists { list.endLife() }
        for (slot, life) in slots.reversed() { slot._withUnsafeGuaranteedRef { $0.endLife(life) } }
    }
}

extension FlagIssue {
    fileprivate static func wrongRoot(expected: Any.Type, root: Any.Type, site: FlagSite) -> FlagIssue {
        let message = """
            The flag declared at \(site) computes its value from \(expected), but its loader was made for \(root), \
            so it is never computed. Let the closure take \(root).
            """
        return FlagIssue(.wrongRoot, message: message)
    }

    fileprivate static func missingReflection(_ type: Any.Type) -> FlagIssue {
        let message = """
            The properties of \(type) cannot be seen with their names, so its flags give their defaults or have no \
            keys. Build its module with reflection metadata: set SWIFT_REFLECTION_METADATA_LEVEL to "all", and \
            leave out -disable-reflection-metadata and -disable-reflection-names.
            """
        return FlagIssue(.missingReflection, message: message)
    }

    fileprivate static func unreachableFlag(_ site: FlagSite) -> FlagIssue {
        let message = """
            The flag or collection declared at \(site) was made together with its collection but is no property of \
            it, so it has no key and gives its default. Make it a stored property with @Flag or @FlagCollection; \
            arrays, tuples and optionals of flags are not looked into. If the collection's init replaces it, declare \
            the property without arguments: @Flag var name: Type.
            """
        return FlagIssue(.unreachableFlag, message: message)
    }

    fileprivate static func foreignFlag(_ label: String, in type: Any.Type) -> FlagIssue {
        let message = """
            The property "\(label)" of \(type) holds a flag or collection that was copied from somewhere else, so \
            it has no key of its own. Declare it with its own @Flag or @FlagCollection.
            """
        return FlagIssue(.unreachableFlag, message: message)
    }
}
