/// Values by key, in the two shapes that files and servers use: flat keys and nested objects.
///
/// ```json
/// { "secrets/boom_feature": true }
/// { "secrets": { "boom_feature": true } }
/// ```
///
/// Both have a value for `secrets/boom_feature`. If a document has both, the flat one is used. Keys are compared by
/// their bytes in UTF-8. A document is a value: copies are cheap and independent.
///
/// ## A flag and a group with one name
///
/// Setting or resetting one flag changes the value of no other flag. A flat key holds the value of one flag, so
/// `{ "ui/theme": { "color": "red" } }` has no value for `ui/theme/color`. A key with a single name is flat if it begins
/// with a slash: in `{ "search": { "limit": 50 }, "/search": true }` the value for `search` is `true`, and the value for
/// `search/limit` is 50. Flags whose values are objects are set under flat keys.
///
/// An object that is not under a flat key is a group, and may also be the value of a flag whose type takes objects. If
/// that value is removed, the group stays. A slash before and after its name then says that it is no value:
/// `{ "limits": { "a": 1 }, "/limits/": null }`.
///
/// Keys that differ only in their Unicode normalization are two keys. The second one is set as `"/caf%C3%A9"`.
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
        var flat = root[key.text]
        // A value that is no object ends the search at once.
        if let flat, !flat.isObject { return flat }
        if root.isEmpty, namesakes.isEmpty { return nil }
        flat = flat ?? memberUnderOtherName(key.text)
        let hasOneName = FlagDocument.hasOneName(key)
        if !hasOneName, let flat {
            // Not `? nil : flat`, in which `nil` would be the value `null`.
            if isGroupOnly(key) { return nil }
            return flat
        }
        let place = hasOneName ? flat : nestedValue(for: key.components)
        // With another separator, a key of several names may have been written as one name.
        if hasOneName || key.separator != FlagKeyPath.defaultSeparator, place?.isObject ?? true,
            let value = member("/" + key.text)
        {
            return value
        }
        guard let place, place.isObject else { return place }
        if isGroupOnly(key) { return nil }
        return place
    }

    /// Returns whether a member says that the object for a key is no value.
    private func isGroupOnly(_ key: FlagKeyPath) -> Bool {
        if member(FlagDocument.groupName(of: key)) != nil { return true }
        guard key.separator != FlagKeyPath.defaultSeparator else { return false }
        return member(FlagDocument.groupName(of: FlagKeyPath(components: key.components))) != nil
    }

    /// Removes a value that can't be read from nested objects. The objects around it stay as groups that are no values.
    ///
    /// - Parameter path: The names that lead to it.
    package mutating func removeInvalidValue(at path: [String]) {
        FlagDocument.remove(path[...], from: &root, prunes: false, keepsGroup: false)
        let key = FlagKeyPath(components: path)
        namesakes = namesakes.filter { name, _ in name != key && !key.isPrefix(of: name) }
        for count in 1..<max(1, path.count) {
            root[FlagDocument.groupName(of: FlagKeyPath(components: Array(path.prefix(count))))] = .null
        }
    }

    /// Returns whether the value for a key is an object that is not under a flat key.
    package func hasGroup(at key: FlagKeyPath) -> Bool {
        let hasOneName = FlagDocument.hasOneName(key)
        let place = hasOneName ? member(key.text) : nestedValue(for: key.components)
        return place?.isGroup == true && member(hasOneName ? "/" + key.text : key.text) == nil
    }

    /// Sets the value for a key, or removes it if the value is `nil`.
    ///
    /// An existing value keeps its shape: a flat key stays flat and a nested one stays nested. A new value is added to
    /// the object of its group if the document has one, and as a flat key otherwise. A removed value is removed in both
    /// shapes, together with the objects that become empty.
    ///
    /// With the key of a loader's flag, the values for all other keys stay as they are: an object is set under a flat
    /// key, and a group is neither replaced nor removed. With any other key, an object is a group, which is set,
    /// replaced and removed with everything in it.
    public mutating func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        let hasOneName = FlagDocument.hasOneName(key)
        let isFlag = key.identity != nil
        let flat = hasOneName ? "/" + key.text : key.text
        if !isFlag || self.value(for: key) == nil { setMember(FlagDocument.groupName(of: key), to: nil) }
        if key.separator != FlagKeyPath.defaultSeparator { setMember("/" + key.text, to: nil) }
        guard let value else {
            setMember(flat, to: nil)
            removeNested(key.components, keepsGroup: isFlag)
            // The rest is a group, which must not be read as the value that was removed.
            if self.value(for: key) != nil { setMember(FlagDocument.groupName(of: key), to: .null) }
            return
        }
        let place = hasOneName ? member(key.text) : nestedValue(for: key.components)
        if member(flat) != nil, !hasOneName || place?.isObject ?? true { return setMember(flat, to: value) }
        if isFlag, value.isObject || place?.isObject == true {
            removeNested(key.components, keepsGroup: true)
            return setMember(flat, to: value)
        }
        if !namesakes.isEmpty { namesakes = namesakes.filter { path, _ in path == key || !key.isPrefix(of: path) } }
        if hasOneName { return setMember(key.text, to: value) }
        if replaceNamesake(value, for: key) { return }
        if !FlagDocument.set(value, at: key.components[...], in: &root) { setMember(flat, to: value) }
    }

    /// Sets or removes the value of a flag, as ``setValue(_:for:)`` does with the key of a loader's flag.
    public mutating func setFlagValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        setValue(value, for: key.identified(as: FlagIdentity(root: ObjectIdentifier(FlagDocument.self), ordinal: 0)))
    }

    /// Returns whether both shapes hold a value for a key.
    func hasShadowedValue(for key: FlagKeyPath) -> Bool {
        !FlagDocument.hasOneName(key) && member(key.text) != nil && nestedValue(for: key.components) != nil
    }

    /// Returns the key whose value a member at the top level holds, or `nil` if the member only says that a group is no
    /// value.
    package static func key(ofMember name: String) -> FlagKeyPath? {
        guard name.utf8.first == UInt8(ascii: "/") else { return FlagKeyPath(name) }
        guard name.utf8.count < 3 || name.utf8.last != UInt8(ascii: "/") else { return nil }
        let bytes = Array(name.utf8.dropFirst())
        var unescaped: [UInt8] = []
        var index = 0
        while index < bytes.count {
            // Only bytes that aren't ASCII are escaped.
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16), byte >= 0x80
            {
                unescaped.append(byte)
                index += 3
            } else {
                unescaped.append(bytes[index])
                index += 1
            }
        }
        return FlagKeyPath(String(decoding: unescaped, as: UTF8.self))
    }

    /// Returns the names of the members at the top level that the value for a key depends on, for storage that is read
    /// member by member.
    public static func memberNames(for key: FlagKeyPath) -> [String] {
        let names = [key.text, "/" + key.text, groupName(of: key)]
        return hasOneName(key) ? names : names + key.components.prefix(1)
    }

    private static func hasOneName(_ key: FlagKeyPath) -> Bool {
        key.components.count == 1 && key.components.first == key.text
    }

    /// Returns the name of the member that says that an object is no value.
    private static func groupName(of key: FlagKeyPath) -> String { "/\(key.text)/" }

    /// Returns the value of a member at the top level.
    @inline(never) private func member(_ name: String) -> EncodedFlagValue? {
        root[name] ?? memberUnderOtherName(name)
    }

    /// Returns the value of a member that differs from another one only in its Unicode normalization.
    @inline(never) private func memberUnderOtherName(_ name: String) -> EncodedFlagValue? {
        if !namesakes.isEmpty, let value = namesake([name]) { return value }
        return root[FlagDocument.escapedName(name)]
    }

    private mutating func setMember(_ name: String, to value: EncodedFlagValue?) {
        if root[name] != nil { return root[name] = value }
        if !namesakes.isEmpty, namesake([name]) != nil { return namesakes[FlagKeyPath(components: [name])] = value }
        root[name] = value
    }

    /// Returns the name of a member with every byte that isn't ASCII as a percent sign and two hexadecimal digits.
    ///
    /// It has a slash at the beginning. A member whose name differs from another one's only in its Unicode
    /// normalization is kept under this name, because a dictionary holds only one of the two.
    public static func escapedName(_ name: String) -> String {
        var escaped = "/"
        for byte in name.utf8.first == UInt8(ascii: "/") ? name.utf8.dropFirst() : name.utf8[...] {
            if byte < 0x80 {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    @inline(never) private func nestedValue(for components: [String]) -> EncodedFlagValue? {
        var members = root
        for index in components.indices {
            guard let value = members[components[index]] ?? namesake(components[...index]) else { return nil }
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
        guard let first = components.first, case .object(var inner)? = members[first] else { return false }
        let rest = components.dropFirst()
        guard let next = rest.first else { return false }
        // Taken out of the dictionary while it is changed, so that it isn't copied.
        members[first] = .null
        defer { members[first] = .object(inner) }
        if rest.count == 1 {
            inner[next] = value
            return true
        }
        if inner[next] == nil { inner[next] = .object([:]) }
        return set(value, at: rest, in: &inner)
    }

    /// Removes a value from nested objects, together with the objects that become empty.
    ///
    /// - Parameter keepsGroup: Whether an object with members stays.
    private mutating func removeNested(_ components: [String], keepsGroup: Bool) {
        // An object that leads to a namesake is kept even if it becomes empty.
        FlagDocument.remove(components[...], from: &root, prunes: namesakes.isEmpty, keepsGroup: keepsGroup)
        guard !namesakes.isEmpty else { return }
        let key = FlagKeyPath(components: components)
        for (path, value) in namesakes where !path.components.isEmpty {
            if path == key ? !keepsGroup || !value.isGroup : !keepsGroup && key.isPrefix(of: path) {
                namesakes[path] = nil
            } else if path != key, path.isPrefix(of: key), case .object(var inner) = value {
                let rest = components[path.components.count...]
                FlagDocument.remove(rest, from: &inner, prunes: false, keepsGroup: keepsGroup)
                namesakes[path] = .object(inner)
            }
        }
    }

    /// - Returns: Whether a value was removed.
    @discardableResult
    private static func remove(
        _ components: ArraySlice<String>, from members: inout [String: EncodedFlagValue], prunes: Bool, keepsGroup: Bool
    ) -> Bool {
        guard let first = components.first, let member = members[first] else { return false }
        if components.count == 1 {
            return keepsGroup && member.isGroup ? false : members.removeValue(forKey: first) != nil
        }
        guard case .object(var inner) = member else { return false }
        members[first] = .null
        let isRemoved = remove(components.dropFirst(), from: &inner, prunes: prunes, keepsGroup: keepsGroup)
        members[first] = isRemoved && inner.isEmpty && prunes ? nil : .object(inner)
        return isRemoved
    }
}

extension EncodedFlagValue {
    /// Whether the value is an object.
    package var isObject: Bool { if case .object = self { true } else { false } }

    /// Whether the value is an object with members, which may be the values of other flags.
    fileprivate var isGroup: Bool { if case .object(let members) = self { !members.isEmpty } else { false } }
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

    private func namesake(_ components: ArraySlice<String>) -> EncodedFlagValue? {
        namesakes.isEmpty ? nil : namesakes[FlagKeyPath(components: Array(components))]
    }

    /// Replaces the value of a namesake, or returns `false` if no namesake has this key.
    private mutating func replaceNamesake(_ value: EncodedFlagValue, for key: FlagKeyPath) -> Bool {
        guard namesakes[key] != nil else { return false }
        namesakes[key] = value
        return true
    }
}

extension FlagMemberNames {
    init(of document: FlagDocument) {
        self.init()
        for name in document.root.keys { insert(name) }
        // Namesakes are found in several ways.
        if !document.namesakes.isEmpty { insertAll() }
    }
}
