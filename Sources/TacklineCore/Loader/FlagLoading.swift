import Synchronization

/// The flags of a collection that was constructed, with their slots and key paths.
struct LoadedFlags {
    let contents: LoaderCore.Contents
    private let shape: FlagShape
    private let block: FlagBlock
    private let slots: [Unmanaged<FlagSlot>]

    /// Constructs a collection and gives its flags slots and key paths.
    static func load<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration
    ) -> (collection: Collection, flags: LoadedFlags) {
        let cache = FlagShapeCache.cache(for: type)
        let (expected, block) = cache.take()
        let construction = FlagConstruction(expected: expected?.declarations ?? [], block: block)
        let collection = construction.construct { Collection() }
        let shape: FlagShape
        if let expected, construction.isExpected {
            shape = expected
        } else {
            shape = cache.shape(of: construction, collection)
        }
        // Only computed flags read the root collection.
        let root: (any Sendable)? = construction.computedFlags.isEmpty ? nil : collection
        return (collection, LoadedFlags(construction, shape, cache, type, root: root, configuration: configuration))
    }

    private init(
        _ construction: FlagConstruction, _ shape: FlagShape, _ cache: FlagShapeCache,
        _ type: any FlagCollectionProtocol.Type, root: (any Sendable)?, configuration: KeyConfiguration
    ) {
        self.shape = shape
        (block, slots) = (construction.block, construction.slots)
        let index = shape.index(for: configuration, root: ObjectIdentifier(type))
        var flags = shape.flags
        var issues: [FlagIssue] = []
        for (position, flag) in construction.computedFlags where shape.flagOrdinals[position] >= 0 {
            flags[shape.flagOrdinals[position]] = flag
        }
        for flag in root == nil ? [] : flags {
            if let expected = flag.rootType, expected != type {
                issues.append(.wrongRoot(expected: expected, root: type, site: flag.site))
            }
        }
        if !shape.isStripped { issues += index.issues }
        issues += shape.issues
        let (block, lists) = (block, construction.lists)
        contents = LoaderCore.Contents(
            collectionType: type, root: root, declarations: flags, groups: shape.groups, index: index, issues: issues,
            slots: shape.flagPositions.map { construction.slots[$0] }, generation: construction.generation
        ) {
            for list in lists { list.endUse() }
            if block.endUse() { cache.give(back: block) }
        }
    }

    /// Binds the slots to their owner.
    func bind(to owner: any FlagOwner) {
        block.bind(
            to: owner, flagOrdinals: shape.flagOrdinals, groupOrdinals: shape.groupOrdinals, slots: slots)
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
    /// A process has few root collections, so they are searched in order.
    private static let caches = Mutex([FlagShapeCache]())
    private let type: any FlagCollectionProtocol.Type

    private init(_ type: any FlagCollectionProtocol.Type) { self.type = type }

    static func cache(for type: any FlagCollectionProtocol.Type) -> FlagShapeCache {
        caches.withLock { caches in
            if let known = caches.first(where: { $0.type == type }) { return known }
            let new = FlagShapeCache(type)
            caches.append(new)
            return new
        }
    }

    /// Takes a free block or makes one, and returns the shape that the next construction probably has.
    func take() -> (shape: FlagShape?, block: FlagBlock) {
        let (shape, block) = state.withLock { ($0.shapes.first, $0.freeBlocks.popLast()) }
        return (shape, block ?? .make())
    }

    func give(back block: FlagBlock) { state.withLock { $0.freeBlocks.append(block) } }

    /// Returns the shape of a construction that is not the expected one. The collection is read if its shape is not
    /// known.
    func shape(
        of construction: FlagConstruction, _ collection: any FlagCollectionProtocol
    ) -> FlagShape {
        let declarations = construction.declarations
        // Compared outside the lock, because encoding a default may run foreign code.
        let known = state.withLock { $0.shapes }.first { $0.hasSameDeclarations(as: declarations) }
        let shape = known ?? FlagShape(reading: collection, construction)
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
