extension FlagDocument {
    /// Returns the changes from an older document, sorted by key.
    ///
    /// Members of objects are compared one by one, so a change inside a group names the flag and not the group. A
    /// change is reported only for a key whose ``value(for:)`` differs. If a flat key shadows a nested value that
    /// differs, the change that is reported is that of the nearest object around the nested value.
    ///
    /// - Complexity: O(*n*) in the size of both documents.
    public func changes(from older: FlagDocument) -> [FlagProviderChange] {
        var keys: Set<FlagKeyPath> = []
        FlagDocument.collectDifferences(older.root, root, at: [], into: &keys)
        for path in Set(namesakes.keys).union(older.namesakes.keys) where namesakes[path] != older.namesakes[path] {
            FlagDocument.collect(older.namesakes[path], namesakes[path], at: path.components, into: &keys)
        }
        var changes: [FlagProviderChange] = []
        // Each object around shadowed members is considered once.
        var around: Set<FlagKeyPath> = []
        for key in keys {
            var next: FlagKeyPath? = key
            while let key = next {
                if let change = change(at: key, from: older) {
                    changes.append(change)
                    break
                }
                next = key.parent
                if let parent = next, keys.contains(parent) || !around.insert(parent).inserted { break }
            }
        }
        return changes.sorted { $0.key.text < $1.key.text }
    }

    private func change(at key: FlagKeyPath, from older: FlagDocument) -> FlagProviderChange? {
        let (old, new) = (older.value(for: key), value(for: key))
        return old == new ? nil : FlagProviderChange(key: key, old: old, new: new)
    }

    private static func collectDifferences(
        _ old: [String: EncodedFlagValue], _ new: [String: EncodedFlagValue], at path: [String],
        into keys: inout Set<FlagKeyPath>
    ) {
        var presentCount = 0
        for (name, oldValue) in old {
            let newValue = new[name]
            if newValue != nil { presentCount += 1 }
            if newValue != oldValue { collect(oldValue, newValue, at: path + [name], into: &keys) }
        }
        guard presentCount < new.count else { return }
        for (name, newValue) in new where old[name] == nil {
            collect(nil, newValue, at: path + [name], into: &keys)
        }
    }

    /// Adds the keys at which two values differ to `keys`.
    ///
    /// Recursion ends at ``EncodedFlagValue/maximumDepth``. Deeper objects are compared as a whole.
    private static func collect(
        _ old: EncodedFlagValue?, _ new: EncodedFlagValue?, at path: [String], into keys: inout Set<FlagKeyPath>
    ) {
        // The value under a flat key is one flag's.
        if path.count == 1, path[0].utf8.first == UInt8(ascii: "/") {
            let mark = String(decoding: path[0].utf8.dropLast(), as: UTF8.self)
            if let key = FlagDocument.key(ofMember: path[0]) ?? FlagDocument.key(ofMember: mark) { keys.insert(key) }
            return
        }
        let oldMembers = members(of: old)
        let newMembers = members(of: new)
        if path.count < EncodedFlagValue.maximumDepth, oldMembers != nil || newMembers != nil {
            collectDifferences(oldMembers ?? [:], newMembers ?? [:], at: path, into: &keys)
            let hasOtherValue = (old != nil && oldMembers == nil) || (new != nil && newMembers == nil)
            let hasEmptyObject = oldMembers?.isEmpty == true || newMembers?.isEmpty == true
            if hasOtherValue || hasEmptyObject { keys.insert(keyPath(for: path)) }
        } else {
            keys.insert(keyPath(for: path))
        }
    }

    /// Returns the key for a path of names. A flat key is split, so that it is equal to the key of its flag.
    private static func keyPath(for path: [String]) -> FlagKeyPath {
        path.count == 1 ? FlagKeyPath(path[0]) : FlagKeyPath(components: path)
    }

    private static func members(of value: EncodedFlagValue?) -> [String: EncodedFlagValue]? {
        if case .object(let members)? = value { members } else { nil }
    }
}

extension FlagKeyPath {
    /// The key path without its last component, or `nil` for a single component.
    fileprivate var parent: FlagKeyPath? {
        components.count > 1 ? FlagKeyPath(components: Array(components.dropLast()), separator: separator) : nil
    }
}
