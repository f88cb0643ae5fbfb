import Synchronization

/// The shape of a collection type, and the blocks of its slots that are not in use.
private final class FlagShapeCache: Sendable {
    private struct State {
        var shape: FlagShape?
        var freeBlocks: [FlagBlock] = []
    }

    private let state = Mutex(State())
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

    /// Takes a free block or makes one.
    func takeBlock() -> FlagBlock { state.withLock { $0.freeBlocks.popLast() } ?? FlagBlock() }

    func giveBack(_ block: FlagBlock) {
        if block.endUse() { state.withLock { $0.freeBlocks.append(block) } }
    }

    /// Returns the shape of a construction. The collection is read if its shape is not the last one.
    func shape(of construction: FlagConstruction, _ collection: any FlagCollectionProtocol) -> FlagShape {
        let known = state.withLock { $0.shape }
        if let known, known.fits(construction) { return known }
        let shape = FlagShape(reading: collection, construction)
        state.withLock { $0.shape = shape }
        return shape
    }
}

extension LoaderCore.Contents {
    /// Constructs a collection and gives its flags slots and key paths.
    static func load<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration
    ) -> (collection: Collection, contents: LoaderCore.Contents) {
        let cache = FlagShapeCache.cache(for: type)
        let construction = FlagConstruction(cache.takeBlock())
        let collection = construction.construct { Collection() }
        let shape = cache.shape(of: construction, collection)
        // Only computed flags read the root collection.
        let root: (any Sendable)? = construction.computations.isEmpty ? nil : collection
        let index = shape.index(for: configuration, root: ObjectIdentifier(type))
        return (
            collection,
            LoaderCore.Contents(construction, shape, type, root: root, index: index) { [block = construction.block] in
                cache.giveBack(block)
            }
        )
    }

    private init(
        _ construction: FlagConstruction, _ shape: FlagShape, _ type: any FlagCollectionProtocol.Type,
        root: (any Sendable)?, index: FlagIndex, giveBack: @escaping @Sendable () -> Void
    ) {
        let declarations = shape.flagPositions.map { construction.flags[$0] }
        var computations: [FlagComputation?] = []
        var issues: [FlagIssue] = []
        for (position, computation) in construction.computations where shape.flagOrdinals[position] >= 0 {
            let ordinal = shape.flagOrdinals[position]
            if computations.isEmpty { computations = Array(repeating: nil, count: declarations.count) }
            computations[ordinal] = computation
            if let expected = computation.rootType, expected != type {
                issues.append(.wrongRoot(expected: expected, root: type, site: declarations[ordinal].site))
            }
        }
        if !shape.isStripped {
            issues += index.issues
            for (ordinal, flag) in declarations.enumerated() {
                guard let mistake = flag.mistakeInBounds else { continue }
                let (name, key) = (index.property(of: ordinal), index.keyPaths[ordinal])
                issues.append(.invalidBounds(mistake, of: name, flag.site, key))
            }
        }
        issues += shape.issues
        let (block, slots) = (construction.block, construction.slots)
        self.init(
            collectionType: type, root: root, declarations: declarations, computations: computations,
            groups: shape.groupPositions.map { construction.collections[$0] }, index: index, issues: issues,
            flagOrdinals: shape.flagOrdinals, groupOrdinals: shape.groupOrdinals,
            slots: shape.flagPositions.map { slots[$0] }, generation: construction.generation,
            bind: { block.bind(slots, to: $0) }, giveBack: giveBack)
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

    fileprivate static func invalidBounds(
        _ mistake: String, of flag: String, _ site: FlagSite, _ key: FlagKeyPath
    ) -> FlagIssue {
        let subject = "flag \"\(flag)\" (\(site))"
        let message = "The bounds of \(subject) can't be used: \(mistake). Correct the default or the bounds."
        return FlagIssue(.invalidBounds, message: message, key: key)
    }
}
