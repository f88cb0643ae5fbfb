/// Values by key, in the two shapes that files and servers use: flat keys and nested objects.
///
/// ```json
/// { "secrets/boom_feature": true }
/// { "secrets": { "boom_feature": true } }
/// ```
///
/// Both have a value for `secrets/boom_feature`. If a document has both, the flat one is used. Keys are compared by
/// their bytes in UTF-8. A document is a value: copies are cheap and independent.
public struct FlagDocument: Sendable, Equatable {
    /// The members at the top level.
    ///
    /// A dictionary holds only one of several keys that differ only in their Unicode normalization. ``namesakes`` holds
    /// the others.
    public var root: [String: EncodedFlagValue]
    /// The values that ``root`` can't hold, because it has a key that differs only in its Unicode normalization from
    /// the value's key or from the key of an object around it.
    ///
    /// The components of each key path are the names that lead to the value. A flat key is one component.
    public package(set) var namesakes: [FlagKeyPath: EncodedFlagValue] = [:]

    /// Creates a document from its members at the top level.
    public init(_ root: [String: EncodedFlagValue] = [:]) { self.root = root }

    /// Returns the value for a key, or `nil` if there is none. A flat key takes precedence over nested objects.
    ///
    /// - Complexity: O(*n*) in the number of the key's components.
    @inline(never) public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        // The array is allocated only if there are namesakes.
        if let value = root[exact: key.text] ?? (namesakes.isEmpty ? nil : namesake([key.text])) { return value }
        guard key.components.count > 1 || key.components.first != key.text else { return nil }
        return nestedValue(for: key.components)
    }

    /// Sets the value for a key, or removes it if the value is `nil`.
    ///
    /// An existing value keeps its shape: a flat key stays flat and a nested one stays nested. A new value is added to
    /// the object of its group if the document has one, and as a flat key otherwise. A removed value is removed in both
    /// shapes, together with the objects that become empty.
    public mutating func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        guard let value else {
            if root[exact: key.text] != nil { root[key.text] = nil }
            // An object that leads to a namesake is kept even if it becomes empty.
            FlagDocument.remove(key.components[...], from: &root, prunes: namesakes.isEmpty)
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

    /// Returns whether both shapes hold a value for a key.
    func hasShadowedValue(for key: FlagKeyPath) -> Bool {
        key.components.count > 1 && (root[exact: key.text] ?? namesake([key.text])) != nil
            && nestedValue(for: key.components) != nil
    }

    @inline(never) private func nestedValue(for components: [String]) -> EncodedFlagValue? {
        var members = root
        for (index, component) in components.enumerated() {
            guard let value = members[exact: component] ?? namesake(components[...index]) else { return nil }
            if index == components.count - 1 { return value }
            guard case .object(let inner) = value else { return nil }
            members = inner
        }
        return nil
    }

    /// Sets the value in nested objects and adds inner objects that are missing.
    ///
    /// - Returns: `false`, with nothing changed, if the outermost object is missing or a value on the path is no
    ///   object.
    private static func set(
        _ value: EncodedFlagValue, at components: ArraySlice<String>, in members: inout [String: EncodedFlagValue]
    ) -> Bool {
        guard let first = components.first, case .object(var inner)? = members[exact: first] else { return false }
        let rest = components.dropFirst()
        guard let next = rest.first else { return false }
        // Taken out of the dictionary while it is changed, so that it isn't copied.
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

    /// Removes a value from nested objects and, if `prunes` is `true`, the objects that become empty.
    ///
    /// - Returns: Whether there was a value.
    @discardableResult
    static func remove(
        _ components: ArraySlice<String>, from members: inout [String: EncodedFlagValue], prunes: Bool
    ) -> Bool {
        guard let first = components.first, let member = members[exact: first] else { return false }
        if components.count == 1 { return members.removeValue(forKey: first) != nil }
        guard case .object(var inner) = member else { return false }
        members[first] = .null
        let isRemoved = remove(components.dropFirst(), from: &inner, prunes: prunes)
        members[first] = isRemoved && inner.isEmpty && prunes ? nil : .object(inner)
        return isRemoved
    }
}

// Keys that differ only in their Unicode normalization are equal in a dictionary but name different flags.
extension FlagDocument {
    /// Returns whether two documents hold the same values under keys of the same bytes.
    public static func == (left: FlagDocument, right: FlagDocument) -> Bool {
        EncodedFlagValue.object(left.root) == .object(right.root) && left.namesakes == right.namesakes
    }

    /// Removes members at the top level with everything in them.
    public mutating func removeMembers(where isUnwanted: (String) -> Bool) {
        root = root.filter { !isUnwanted($0.key) }
        namesakes = namesakes.filter { path, _ in !path.components.prefix(1).contains(where: isUnwanted) }
    }

    func namesake(_ components: ArraySlice<String>) -> EncodedFlagValue? {
        namesakes.isEmpty ? nil : namesakes[FlagKeyPath(components: Array(components))]
    }

    /// Replaces the value of a namesake, or returns `false` if no namesake has this key.
    mutating func replaceNamesake(_ value: EncodedFlagValue, for key: FlagKeyPath) -> Bool {
        guard !namesakes.isEmpty else { return false }
        for path in [FlagKeyPath(components: [key.text]), key] where namesakes[path] != nil {
            namesakes[path] = value
            return true
        }
        return false
    }

    /// Removes a value in both shapes, with everything below it, from the namesakes and the objects in them.
    ///
    /// - Complexity: O(*n*) in the number of namesakes.
    mutating func removeNamesakes(for key: FlagKeyPath) {
        guard !namesakes.isEmpty else { return }
        let flat = FlagKeyPath(components: [key.text])
        namesakes = namesakes.filter { path, _ in path != flat && !key.isPrefix(of: path) }
        var members = root
        for (index, component) in key.components.enumerated() {
            let path = FlagKeyPath(components: Array(key.components.prefix(index + 1)))
            let inRoot = members[exact: component]
            guard case .object(var inner)? = inRoot ?? namesakes[path] else { return }
            if inRoot == nil {
                FlagDocument.remove(key.components[(index + 1)...], from: &inner, prunes: false)
                namesakes[path] = .object(inner)
            }
            members = inner
        }
    }

    /// Removes the namesakes below a value that will be replaced.
    mutating func removeNamesakes(below key: FlagKeyPath) {
        guard !namesakes.isEmpty else { return }
        namesakes = namesakes.filter { path, _ in path == key || !key.isPrefix(of: path) }
    }
}
