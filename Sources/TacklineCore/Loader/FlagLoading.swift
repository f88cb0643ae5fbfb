import Synchronization

extension LoaderCore {
    /// Constructs a collection, gives its flags slots and key paths, and puts a chain in force.
    static func load<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration, metadata: FlagMetadata, providers: ProviderChain,
        reporter: FlagIssueReporter
    ) -> (collection: Collection, core: LoaderCore) {
        let loaded = LoadedCollection(type, configuration: configuration)
        let core = LoaderCore(
            loaded.contents, metadata: metadata, providers: providers, reporter: reporter, bind: loaded.bind(to:))
        return (loaded.collection, core)
    }
}

/// A collection that was constructed with slots, and its shape.
struct LoadedCollection<Collection: FlagCollectionProtocol> {
    let collection: Collection
    let contents: LoaderCore.Contents
    private let shape: FlagShape
    private let construction: FlagConstruction

    init(_ type: Collection.Type, configuration: KeyConfiguration) {
        let cache = FlagShapeCache.cache(for: type)
        let (expected, block) = cache.take()
        construction = FlagConstruction(expected: expected?.declarations ?? [], block: block)
        collection = construction.construct { Collection() }
        if let expected, construction.isExpected {
            shape = expected
        } else {
            shape = cache.shape(of: construction, collection, size: MemoryLayout<Collection>.size)
        }
        let index = shape.index(for: configuration, root: ObjectIdentifier(type))
        var flags = shape.flags
        for (position, flag) in construction.computedFlags where shape.flagOrdinals[position] >= 0 {
            flags[shape.flagOrdinals[position]] = flag
        }
        let mismatches = flags.compactMap { flag in
            flag.rootType.flatMap { $0 == type ? nil : FlagIssue.wrongRoot(expected: $0, root: type, site: flag.site) }
        }
        let (slots, lists) = (construction.slots, construction.lists)
        contents = LoaderCore.Contents(
            root: collection, declarations: flags, groups: shape.groups, index: index,
            issues: mismatches + (shape.isStripped ? [] : index.issues) + shape.issues,
            slots: shape.flagPositions.map { Unmanaged.passUnretained(slots[$0]) },
            generation: construction.generation
        ) {
            for list in lists { list.endUse() }
            if block.endUse() { cache.give(back: block) }
        }
    }

    /// Binds the slots to their owner.
    func bind(to owner: any FlagOwner) {
        construction.block.bind(
            to: owner, flagOrdinals: shape.flagOrdinals, groupOrdinals: shape.groupOrdinals, slots: construction.slots)
    }
}

/// The shapes of a collection type, and the blocks of its slots that are not in use.
private final class FlagShapeCache: Sendable {
    private struct State {
        /// The most recently used shape is first. There is more than one only if constructions differ.
        var shapes: [FlagShape] = []
        var freeBlocks: [FlagBlock] = []
    }

    private let state = Mutex(State())
    private static let shapeLimit = 16
    private static let caches = Mutex([ObjectIdentifier: FlagShapeCache]())

    static func cache(for type: any FlagCollectionProtocol.Type) -> FlagShapeCache {
        caches.withLock { caches in
            if let known = caches[ObjectIdentifier(type)] { return known }
            let new = FlagShapeCache()
            caches[ObjectIdentifier(type)] = new
            return new
        }
    }

    /// Takes a block, and returns the shape that the next construction probably has.
    func take() -> (shape: FlagShape?, block: FlagBlock) {
        let (shape, block) = state.withLock { ($0.shapes.first, $0.freeBlocks.popLast()) }
        return (shape, block ?? .make())
    }

    func give(back block: FlagBlock) { state.withLock { $0.freeBlocks.append(block) } }

    /// Returns the shape of a construction that is not the expected one. The collection is read if its shape is not known.
    func shape(
        of construction: FlagConstruction, _ collection: any FlagCollectionProtocol, size: Int
    ) -> FlagShape {
        let declarations = construction.declarations
        // Compared outside the lock, because encoding a default may run foreign code.
        let known = state.withLock { $0.shapes }.first { $0.hasSameDeclarations(as: declarations) }
        let shape = known ?? FlagShape(reading: collection, size: size, construction)
        let replaced = state.withLock { state in
            defer {
                state.shapes =
                    [shape] + state.shapes.filter { $0 !== shape }.prefix(FlagShapeCache.shapeLimit - 1)
            }
            return state.shapes
        }
        withExtendedLifetime(replaced) {}
        return shape
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
}
