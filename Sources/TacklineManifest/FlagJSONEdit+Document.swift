package import TacklineCore

extension FlagJSONEdit {
    /// Makes the change of ``/TacklineCore/FlagDocument/setValue(_:for:)`` in the text.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes the key.
    ///   - document: The document that the text holds.
    /// - Returns: `false`, with some of the text perhaps changed, if the change cannot be made in the text.
    package mutating func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, in document: FlagDocument
    ) -> Bool {
        let isFlat = document.root[key.text] != nil
        guard let value else {
            if isFlat { removeMember(at: [key.text]) }
            if let path = FlagJSONEdit.removal(of: key.components, in: document.root, keepsGroup: isFlat) {
                removeMember(at: path)
            }
            return true
        }
        if isFlat || key.components.count == 1 { return (try? set(value, at: [key.text])) ?? false }
        // The value goes into the innermost object that exists, inside new objects for the missing names.
        var depth = 0
        var members = document.root
        while depth < key.components.count - 1, case .object(let inner)? = members[key.components[depth]] {
            members = inner
            depth += 1
        }
        guard depth > 0 else { return (try? set(value, at: [key.text])) ?? false }
        // A value that is not an object is in the way, or the value would replace an object with members.
        let present = members[key.components[depth]]
        let isInTheWay = depth < key.components.count - 1 ? present != nil : !value.isObject && present.hasMembers
        if isInTheWay { return (try? set(value, at: [key.text])) ?? false }
        let wrapped = key.components.dropFirst(depth + 1).reversed().reduce(value) { .object([$1: $0]) }
        return (try? set(wrapped, at: Array(key.components.prefix(depth + 1)))) ?? false
    }

    /// Returns the path of the outermost member that the removal of a nested value removes: an object that would
    /// become empty is removed too.
    ///
    /// - Parameter keepsGroup: Whether an object with members stays.
    private static func removal(
        of components: [String], in root: [String: EncodedFlagValue], keepsGroup: Bool
    ) -> [String]? {
        guard components.count > 1 else { return nil }
        var members = root
        var removed = 1
        for (depth, name) in components.enumerated() {
            if members.count > 1 { removed = depth + 1 }
            guard let value = members[name] else { return nil }
            if depth == components.count - 1 {
                return keepsGroup && Optional(value).hasMembers ? nil : Array(components.prefix(removed))
            }
            guard case .object(let inner) = value else { return nil }
            members = inner
        }
        return nil
    }
}

extension EncodedFlagValue? {
    /// Whether there is an object with members, which may be the values of other flags.
    fileprivate var hasMembers: Bool { if case .object(let members) = self { !members.isEmpty } else { false } }
}
