public import TacklineFoundation

/// Values by key, in the two shapes that files and servers use: flat keys and nested objects.
///
/// ```json
/// { "secrets/boom_feature": true }
/// { "secrets": { "boom_feature": true } }
/// ```
///
/// Both have a value for `secrets/boom_feature`. If a document has both, the flat one is used. Keys are compared as Swift
/// compares strings. A document is a value: copies are cheap and independent.
///
/// A flat key holds the value of one flag, so `{ "ui/theme": { "color": "red" } }` has no value for `ui/theme/color`. A
/// flag and a group can't share a name of a single component: one of them would replace the other.
public struct FlagDocument: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// The members at the top level: flat keys, and the outermost of nested objects.
    public var root: [String: EncodedFlagValue]

    /// Creates a document from its members at the top level.
    public init(_ root: [String: EncodedFlagValue] = [:]) { self.root = root }

    /// Creates a document from a literal, in which the last value of a key counts.
    public init(dictionaryLiteral members: (String, EncodedFlagValue)...) { root = Dictionary(members) { $1 } }

    /// Returns the value for a key, or `nil` if there is none. A flat key takes precedence over nested objects.
    ///
    /// - Complexity: O(*n*) in the number of the key's components.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { root[key.text] ?? nestedValue(at: key.components) }

    /// Returns whether the value for a key is an object in the nested shape, whose members may be other flags' values.
    package func hasGroup(at key: FlagKeyPath) -> Bool {
        (key.components.count == 1 || root[key.text] == nil) && value(for: key)?.hasMembers == true
    }

    /// Returns the value in nested objects, or `nil` if there is none or the path has only one component.
    private func nestedValue(at path: [String]) -> EncodedFlagValue? {
        guard path.count > 1, let last = path.last else { return nil }
        var members: [String: EncodedFlagValue]? = root
        for component in path.dropLast() { members = members?[component]?.members }
        return members?[last]
    }

    /// Sets the value for a key, or removes it if the value is `nil`.
    ///
    /// An existing value keeps its shape: a flat key stays flat and a nested one stays nested. A new value is added to
    /// the object of its group if the document has one, and as a flat key otherwise. Values under all other keys stay as
    /// they are: where an object with members is nested under a key of several components, another value for the key is
    /// set as a flat key.
    ///
    /// A value is removed in both shapes, together with the objects that become empty. A nested object with members stays
    /// if there was a flat value, since its members are then the values of other flags.
    public mutating func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        let path = key.components[...]
        if let value {
            let isNested = path.count > 1 && root[key.text] == nil && root[path[0]]?.isObject == true
            if !isNested || !FlagDocument.set(value, at: path, in: &root) { root[key.text] = value }
        } else {
            let flat = root.removeValue(forKey: key.text)
            if let present = nestedValue(at: key.components), flat == nil || !present.hasMembers {
                _ = FlagDocument.set(nil, at: path, in: &root)
            }
        }
    }

    /// Sets or removes the value for a key, and returns the change, or `nil` if there was the same value before.
    mutating func change(_ key: FlagKeyPath, to value: EncodedFlagValue?) -> FlagProviderChange? {
        if let value, let place = root.index(forKey: key.text) {
            // Nearly every write replaces a flat value, which is looked up only once.
            let old = root.values[place]
            if old == value { return nil }
            root.values[place] = value
            return FlagProviderChange(key: key, old: old, new: value)
        }
        let old = self.value(for: key)
        guard old != value else { return nil }
        setValue(value, for: key)
        // A group is left if a flat value stood before it.
        return FlagProviderChange(key: key, old: old, new: value ?? self.value(for: key))
    }

    /// Sets a value in nested objects and adds those that are missing, or removes it with the objects that become empty.
    ///
    /// - Returns: Whether it could: nothing but objects is on the path, and no other value replaces a group.
    private static func set(
        _ value: EncodedFlagValue?, at path: ArraySlice<String>, in members: inout [String: EncodedFlagValue]
    ) -> Bool {
        guard let first = path.first else { return false }
        if path.count == 1 {
            if let value, !value.isObject, members[first]?.hasMembers == true { return false }
            members[first] = value
            return true
        }
        guard members[first]?.isObject ?? true else { return false }
        // Taken out of the dictionary while it is changed, so that it isn't copied.
        var inner = members.updateValue(.null, forKey: first)?.members ?? [:]
        defer { members[first] = inner.isEmpty ? nil : .object(inner) }
        return set(value, at: path.dropFirst(), in: &inner)
    }
}

extension EncodedFlagValue {
    var isObject: Bool { members != nil }

    var members: [String: EncodedFlagValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Whether the value is an object with members, which may be the values of other flags.
    fileprivate var hasMembers: Bool { members?.isEmpty == false }
}

// MARK: JSON

extension EncodedFlagValue {
    /// Creates a value from JSON text in UTF-8.
    ///
    /// The text is read strictly: a repeated key, a comment or a number out of range is an error. A number with a fraction
    /// or an exponent is a ``double(_:)``, any other an ``integer(_:)``.
    ///
    /// - Throws: ``FlagError`` with the line and the column of the first error.
    public init(json data: Data) throws(FlagError) {
        do { self = try FlagJSONReader().read(data) } catch { throw FlagError(.invalidDocument, "\(error).") }
    }

    /// Returns the value as JSON text with sorted members, one to a line.
    ///
    /// Data, dates and untyped texts are written as strings, and read back as strings.
    ///
    /// - Throws: ``FlagValueError`` for NaN, an infinity, a date outside the years 1 to 9999, and a value that is nested
    ///   more than ``maximumDepth`` levels deep.
    public func jsonData() throws(FlagValueError) -> Data { try FlagJSONWriter().data(of: self) }
}

extension FlagDocument {
    /// Reads a document from JSON text in UTF-8, as strictly as ``EncodedFlagValue/init(json:)`` does.
    ///
    /// - Throws: ``FlagError`` with the line and the column of the first error, and if the text isn't an object.
    public init(json data: Data) throws(FlagError) {
        do { self = try FlagDocumentFormat.values.document(json: data) } catch {
            throw FlagError(.invalidDocument, "\(error).")
        }
    }

    /// Returns the document as JSON text. It throws under the conditions of ``EncodedFlagValue/jsonData()``.
    public func jsonData() throws(FlagValueError) -> Data { try EncodedFlagValue.object(root).jsonData() }
}

// MARK: Changes

extension FlagDocument {
    /// Returns the changes from an older document, sorted by key: those keys whose ``value(for:)`` differs.
    ///
    /// Members of objects are compared one by one, so a change inside a group names the flag and not the group. Objects
    /// that are nested more than eight levels deep, or whose key path is longer than 256 bytes, are compared as a whole.
    ///
    /// - Complexity: O(*n* log *n*) in the size of both documents.
    public func changes(from older: FlagDocument) -> [FlagProviderChange] {
        var keys: Set<FlagKeyPath> = []
        func compare(_ old: EncodedFlagValue?, _ new: EncodedFlagValue?, at key: FlagKeyPath, isNested: Bool) {
            let count = key.components.count
            // A flat key is split, so that it is equal to the key of its flag, which its value belongs to as a whole.
            let isWhole = !isNested && count > 1 || count >= 8 || key.text.utf8.count > 256
            if isWhole || old?.hasMembers == false || new?.hasMembers == false, old != new {
                keys.insert(key)
                // A flat key hides the nested value, but not from a flag whose value is the outermost object.
                let isHidden = isNested && (root[key.text] ?? older.root[key.text]) != nil
                if isHidden { keys.insert(FlagKeyPath(key.components[0])) }
            }
            if !isWhole { compare(old?.members ?? [:], new?.members ?? [:], in: key) }
        }
        func compare(_ old: [String: EncodedFlagValue], _ new: [String: EncodedFlagValue], in group: FlagKeyPath?) {
            for name in old.keys + new.keys.filter({ old[$0] == nil }) where old[name] != new[name] {
                compare(old[name], new[name], at: group?.appending(name) ?? FlagKeyPath(name), isNested: group != nil)
            }
        }
        compare(older.root, root, in: nil)
        return FlagKeyPath.sorted(Array(keys)).compactMap { key in
            let (old, new) = (older.value(for: key), value(for: key))
            return old == new ? nil : FlagProviderChange(key: key, old: old, new: new)
        }
    }
}

extension FlagDocument {
    /// A hash of the values without the member `$version`, for ``FingerprintedProvider``: the FNV-1a hash of their JSON,
    /// which is the same in every process. `nil` if there are no values, or if JSON can't hold one of them.
    package var fingerprint: UInt64? {
        var members = root
        members["$version"] = nil
        guard !members.isEmpty, let text = try? FlagJSONWriter(layout: .compact).bytes(of: .object(members)) else {
            return nil
        }
        return text.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
