/// Values by key, in the two shapes in which files and servers hold them: flat keys and nested objects.
///
/// ```json
/// { "secrets/boom_feature": true }
/// { "secrets": { "boom_feature": true } }
/// ```
///
/// Both answer for `secrets/boom_feature`; the flat one wins when both are present. Keys are compared by their bytes in
/// UTF-8. A document is a value: copies are cheap and independent.
public struct FlagDocument: Sendable, Hashable {
    /// The members at the top. A dictionary holds only one of several keys that differ in nothing but their Unicode
    /// normalisation; ``namesakes`` has the others.
    public var root: [String: EncodedFlagValue]
    /// The values for which there is no room in ``root``, because a key that is equivalent to theirs, or to one on the way
    /// to them, is there. Each key has the names on the way as its components; a flat key is one component.
    public internal(set) var namesakes: [FlagKeyPath: EncodedFlagValue] = [:]

    /// Makes a document from its top members.
    public init(_ root: [String: EncodedFlagValue] = [:]) {
        self.root = root
    }

    /// Returns the value for a key, looked up as one flat key first and then as nested objects.
    ///
    /// - Returns: `nil` if there is none in either shape.
    /// - Complexity: O(*n*) in the number of the key's components.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if let value = root[exact: key.text] ?? namesake([key.text]) { return value }
        guard key.components.count > 1 || key.components.first != key.text else { return nil }
        return nestedValue(for: key.components)
    }

    /// Sets the value for a key, or removes it with `nil`.
    ///
    /// A value is replaced where it stands, so a flat key stays flat and a nested one stays nested. A new value goes
    /// into the object of its group if the document has one, else it becomes a flat key. Removing takes it out of both
    /// shapes, together with objects which become empty by that.
    public mutating func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        guard let value else {
            // An object on the way to a namesake stays, also where it has become empty.
            let prunes = namesakes.isEmpty
            if root[exact: key.text] != nil { root[key.text] = nil }
            FlagDocument.remove(key.components[...], from: &root, prunes: prunes)
            removeNamesakes(for: key)
            return
        }
        removeNamesakes(below: key)
        if replaceNamesake(value, for: key) { return }
        if root[key.text] == nil, key.components.count > 1,
            FlagDocument.set(value, at: key.components[...], in: &root)
        {
            return
        }
        if root[key.text] != nil, root[exact: key.text] == nil {
            namesakes[FlagKeyPath(components: [key.text])] = value
        } else {
            root[key.text] = value
        }
    }

    /// Whether both shapes hold a value for a key.
    func hasShadowedValue(for key: FlagKeyPath) -> Bool {
        key.components.count > 1 && (root[exact: key.text] ?? namesake([key.text])) != nil
            && nestedValue(for: key.components) != nil
    }

    private func nestedValue(for components: [String]) -> EncodedFlagValue? {
        var members = root
        for (index, component) in components.enumerated() {
            guard let value = members[exact: component] ?? namesake(components[...index]) else { return nil }
            if index == components.count - 1 { return value }
            guard case .object(let inner) = value else { return nil }
            members = inner
        }
        return nil
    }

    /// Sets the value in the objects that lead to it, making inner ones where they are missing.
    ///
    /// - Returns: `false`, with nothing changed, if the outermost object is missing or something else is in the way.
    private static func set(
        _ value: EncodedFlagValue,
        at components: ArraySlice<String>,
        in members: inout [String: EncodedFlagValue]
    ) -> Bool {
        guard let first = components.first, case .object(var inner)? = members[exact: first] else { return false }
        let rest = components.dropFirst()
        guard let next = rest.first else { return false }
        // Taken out while it is changed, so that it is changed in place and not copied each time.
        members[first] = .null
        defer { members[first] = .object(inner) }
        if inner[next] != nil, inner[exact: next] == nil { return false }
        if rest.count == 1 {
            inner[next] = value
            return true
        }
        if inner[next] == nil { inner[next] = .object([:]) }
        return set(value, at: rest, in: &inner)
    }

    /// - Returns: Whether there was something to remove.
    @discardableResult
    static func remove(
        _ components: ArraySlice<String>,
        from members: inout [String: EncodedFlagValue],
        prunes: Bool
    ) -> Bool {
        guard let first = components.first else { return false }
        guard let member = members[exact: first] else { return false }
        if components.count == 1 { return members.removeValue(forKey: first) != nil }
        guard case .object(var inner) = member else { return false }
        members[first] = .null
        let isRemoved = remove(components.dropFirst(), from: &inner, prunes: prunes)
        members[first] = isRemoved && inner.isEmpty && prunes ? nil : .object(inner)
        return isRemoved
    }
}
