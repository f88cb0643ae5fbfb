extension LoaderCore.Contents {
    /// Constructs a collection and gives its flags slots and key paths.
    ///
    /// - Parameter configuration: The key configuration, or `nil` for that of the collection.
    static func load<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, configuration: KeyConfiguration?
    ) -> (collection: Collection, contents: LoaderCore.Contents) {
        let construction = FlagConstruction(FlagBlock.take(for: ObjectIdentifier(type)))
        let collection = construction.construct { Collection() }
        let shape = FlagShape.shape(of: collection, construction)
        let index = shape.index(for: configuration ?? type.keyConfiguration, root: ObjectIdentifier(type))
        return (collection, LoaderCore.Contents(construction, shape, index, collection))
    }

    private init(
        _ construction: FlagConstruction, _ shape: FlagShape, _ index: FlagIndex,
        _ collection: any FlagCollectionProtocol
    ) {
        let (type, members) = (type(of: collection), construction.members)
        let declarations = shape.flagPositions.compactMap { members[$0].declaration.flag }
        var computations: [FlagComputation?] = []
        var issues = shape.isStripped ? [] : index.issues
        for (position, computation) in construction.computations where shape.ordinals[position] >= 0 {
            let ordinal = shape.ordinals[position]
            if computations.isEmpty { computations = Array(repeating: nil, count: declarations.count) }
            computations[ordinal] = computation
            if let expected = computation.rootType, expected != type {
                issues.append(.wrongRoot(expected: expected, root: type, site: declarations[ordinal].site))
            }
        }
        for (ordinal, flag) in declarations.enumerated() where flag.bounds != nil && !shape.isStripped {
            guard let mistake = flag.mistakeInBounds else { continue }
            let (name, key) = (index.property(of: ordinal), index.keyPaths[ordinal])
            issues.append(.invalidBounds(mistake, of: name, flag.site, key))
        }
        issues += shape.issues
        self.init(
            collectionType: type,
            // Only computed flags read the root collection.
            root: construction.computations.isEmpty ? nil : collection, declarations: declarations,
            computations: computations, groups: shape.groupPositions.compactMap { members[$0].declaration.collection },
            index: index, issues: issues, block: construction.block, allSlots: construction.slots,
            slots: shape.slots(of: construction), ordinals: shape.ordinals, generation: construction.generation)
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
