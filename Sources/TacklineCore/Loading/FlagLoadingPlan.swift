import Synchronization

/// What a construction came to: each flag with its key, and the mistakes that were found.
struct FlagLoadingPlan {
    let index: FlagIndex
    let flags: [FlagConstruction.FlagRecord]
    let collections: [FlagConstruction.CollectionRecord]
    let lists: [any FlagList]
    /// What was constructed and belongs to no property.
    let unreachable: FlagConstruction.Result
    let issues: [FlagIssue]

    /// Remembers, for each collection type, what its last loaders worked out.
    private struct Memory {
        var homes: [FlagHome] = []
        /// The newest few; a process rarely uses more than one key configuration for a type.
        var indexes: [FlagIndex] = []
    }

    private static let memory = Mutex<[ObjectIdentifier: Memory]>([:])
    private static let indexLimit = 4

    /// Constructs a collection and works its keys out.
    static func make<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type,
        configuration: KeyConfiguration
    ) -> (collection: Collection, plan: FlagLoadingPlan) {
        let id = ObjectIdentifier(type)
        let known = memory.withLock { $0[id] } ?? Memory()
        let construction = FlagConstruction(hints: known.homes)
        let collection = FlagConstruction.$current.withValue(construction) { Collection() }
        let result = construction.finish()
        let matching = FlagMatching(CollectionMembers(of: collection), with: result)
        let plan = FlagLoadingPlan(
            type, matching, lists: result.lists, configuration: configuration, known: known.indexes)
        memory.withLock { memory in
            memory[id, default: Memory()].homes = result.homes
            if !known.indexes.contains(where: { $0 === plan.index }) {
                memory[id, default: Memory()].indexes.insert(plan.index, at: 0)
                memory[id, default: Memory()].indexes = Array(memory[id, default: Memory()].indexes.prefix(indexLimit))
            }
        }
        return (collection, plan)
    }

    private init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type,
        _ matching: FlagMatching,
        lists: [any FlagList],
        configuration: KeyConfiguration,
        known: [FlagIndex]
    ) {
        let result = matching.result
        var issues: [FlagIssue] = []
        for flag in result.flags {
            if let root = flag.declaration.rootType, root != type {
                issues.append(.wrongRoot(expected: root, root: type, site: flag.declaration.site))
            }
        }
        index =
            known.first { $0.configuration == configuration && $0.describes(result) }
            ?? FlagIndex(members: matching.members, result: result, configuration: configuration)
        let isStripped =
            (matching.members.isEmpty && !matching.unreachable.order.isEmpty && MemoryLayout<Collection>.size > 0)
            || matching.members.contains { $0.label == nil }
        if isStripped {
            issues.append(.missingReflection(type))
        } else {
            issues += index.issues
            issues += matching.unreachable.flags.map { .unreachableFlag($0.declaration.site) }
            issues += matching.unreachable.collections.map { .unreachableFlag($0.declaration.site) }
            issues += matching.foreign.map { .foreignFlag($0, in: type) }
        }
        flags = result.flags
        collections = result.collections
        self.lists = lists
        unreachable = matching.unreachable
        self.issues = issues
    }
}

extension FlagIssue {
    fileprivate static func wrongRoot(expected: Any.Type, root: Any.Type, site: FlagSite) -> FlagIssue {
        FlagIssue(
            .wrongRoot,
            message: """
                The flag declared at \(site) computes its value from \(expected), but its loader was made for \(root), \
                so it is never computed. Let the closure take \(root).
                """
        )
    }

    fileprivate static func missingReflection(_ type: Any.Type) -> FlagIssue {
        FlagIssue(
            .missingReflection,
            message: """
                The properties of \(type) cannot be seen with their names, so its flags give their defaults or have no \
                keys. Build its module with reflection metadata: set SWIFT_REFLECTION_METADATA_LEVEL to "all", and \
                leave out -disable-reflection-metadata and -disable-reflection-names.
                """
        )
    }

    fileprivate static func unreachableFlag(_ site: FlagSite) -> FlagIssue {
        FlagIssue(
            .unreachableFlag,
            message: """
                The flag or collection declared at \(site) was made together with its collection but is no property of \
                it, so it has no key and gives its default. Make it a stored property with @Flag or @FlagCollection; \
                arrays, tuples and optionals of flags are not looked into. If the collection's init replaces it, declare \
                the property without arguments: @Flag var name: Type.
                """
        )
    }

    fileprivate static func foreignFlag(_ label: String, in type: Any.Type) -> FlagIssue {
        FlagIssue(
            .unreachableFlag,
            message: """
                The property "\(label)" of \(type) holds a flag or collection that was copied from somewhere else, so \
                it has no key of its own. Declare it with its own @Flag or @FlagCollection.
                """
        )
    }
}
