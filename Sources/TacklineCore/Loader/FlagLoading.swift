import Synchronization

/// The shape of a collection type and the blocks of its slots.
private final class FlagShapeCache: Sendable {
    let blocks = FlagBlockPool()
    private let type: any FlagCollectionProtocol.Type
    private let lastShape = Mutex<FlagShape?>(nil)
    /// A process has few root collections, so they are searched in order.
    private static let caches = Mutex([FlagShapeCache]())

    private init(_ type: any FlagCollectionProtocol.Type) { self.type = type }

    static func cache(for type: any FlagCollectionProtocol.Type) -> FlagShapeCache {
        caches.withLock { caches in
            if let known = caches.first(where: { $0.type == type }) { return known }
            let new = FlagShapeCache(type)
            caches.append(new)
            return new
        }
    }

    /// Returns the shape of a construction. The collection is read if its shape is not the last one.
    func shape(of construction: FlagConstruction, _ collection: any FlagCollectionProtocol) -> FlagShape {
        if let known = lastShape.withLock({ $0 }), known.fits(construction) { return known }
        let shape = FlagShape(reading: collection, construction)
        let replaced = lastShape.withLock { last in
            defer { last = shape }
            return last
        }
        withExtendedLifetime(replaced) {}
        return shape
    }
}

extension LoaderCore.Contents {
    /// Constructs a collection and gives its flags slots and key paths.
    ///
    /// - Parameter configuration: The key configuration, or `nil` for that of the collection.
    static func load<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration?
    ) -> (collection: Collection, contents: LoaderCore.Contents) {
        let cache = FlagShapeCache.cache(for: type)
        let construction = FlagConstruction(cache.blocks.take())
        let collection = construction.construct { Collection() }
        let shape = cache.shape(of: construction, collection)
        // Only computed flags read the root collection.
        let root: (any Sendable)? = construction.computations.isEmpty ? nil : collection
        let index = shape.index(for: configuration ?? type.keyConfiguration, root: ObjectIdentifier(type))
        return (collection, LoaderCore.Contents(construction, shape, index, type, root: root))
    }

    private init(
        _ construction: FlagConstruction, _ shape: FlagShape, _ index: FlagIndex,
        _ type: any FlagCollectionProtocol.Type, root: (any Sendable)?
    ) {
        let declarations = shape.inOrder(construction.flags)
        var computations: [FlagComputation?] = []
        var issues = shape.isStripped ? [] : index.issues
        for (position, computation) in construction.computations where shape.flagOrdinals[position] >= 0 {
            let ordinal = shape.flagOrdinals[position]
            if computations.isEmpty { computations = Array(repeating: nil, count: declarations.count) }
            computations[ordinal] = computation
            if let expected = computation.rootType, expected != type {
                issues.append(.wrongRoot(expected: expected, root: type, site: declarations[ordinal].site))
            }
        }
        for position in construction.boundedFlags where shape.flagOrdinals[position] >= 0 && !shape.isStripped {
            let (flag, ordinal) = (construction.flags[position], shape.flagOrdinals[position])
            guard let mistake = flag.mistakeInBounds else { continue }
            let (name, key) = (index.property(of: ordinal), index.keyPaths[ordinal])
            issues.append(.invalidBounds(mistake, of: name, flag.site, key))
        }
        if !shape.issues.isEmpty { issues += shape.issues }
        self.init(
            collectionType: type, root: root, declarations: declarations, computations: computations,
            groups: shape.groupPositions.map { construction.collections[$0] }, index: index, issues: issues,
            block: construction.block, allSlots: construction.slots, allDeclarations: construction.flags,
            slots: shape.inOrder(construction.slots), flagOrdinals: shape.flagOrdinals,
            groupOrdinals: shape.groupOrdinals, generation: construction.generation)
    }
}

extension FlagError {
    fileprivate static func wrongRoot(expected: Any.Type, root: Any.Type, site: FlagSite) -> FlagError {
        let message = """
            The flag declared at \(site) computes its value from \(expected), but its loader was made for \(root), \
            so it is never computed. Let the closure take \(root).
            """
        return FlagError(.wrongRoot, message)
    }

    fileprivate static func invalidBounds(
        _ mistake: String, of flag: String, _ site: FlagSite, _ key: FlagKeyPath
    ) -> FlagError {
        let subject = "flag \"\(flag)\" (\(site))"
        let message = "The bounds of \(subject) can't be used: \(mistake). Correct the default or the bounds."
        return FlagError(.invalidBounds, message, key: key)
    }
}
