import Synchronization

/// The names and key paths of a collection's flags, worked out once for each collection type and key configuration.
package final class FlagIndex: Sendable {
    package struct Entry: Sendable {
        package let keyPath: FlagKeyPath
        /// The property's path in the source: `secrets.boomFeature`.
        package let property: String
        /// The number of the nested collection that the flag is in; -1 for the root.
        package let group: Int
    }

    package struct Group: Sendable {
        /// Without components where the collection, and all around it, adds none.
        package let keyPath: FlagKeyPath
        package let property: String
        /// The number of the collection around it; -1 for the root.
        package let parent: Int
    }

    package let entries: [Entry]
    package let groups: [Group]
    package let configuration: KeyConfiguration
    /// What was declared, and what the index therefore depends on.
    private let keys: [FlagKey?]
    private let keyConfigurations: [CollectionKeyConfiguration]
    /// Mistakes in keys, without those that depend on more than keys.
    let issues: [FlagIssue]
    /// The first flag with each key.
    private let ordinals: [[String]: Int]
    private let textOrdinals: [String: Int]
    /// The flags that each path, which is not their own, leads to.
    private let ordinalsBelow: [[String]: [Int]]
    /// How many components the longest key has.
    private let depth: Int
    /// Further flags with the key of the first.
    private let duplicates: [Int: [Int]]

    init(members: [CollectionMembers.Member], result: FlagConstruction.Result, configuration: KeyConfiguration) {
        var builder = FlagIndexBuilder(configuration: configuration)
        for (member, place) in zip(members, result.order) {
            switch place {
            case .flag(let index): builder.add(member, declaration: result.flags[index].declaration)
            case .collection(let index): builder.add(member, declaration: result.collections[index].declaration)
            }
        }
        entries = builder.entries
        groups = builder.groups
        issues = builder.issues
        ordinals = builder.ordinals
        textOrdinals = builder.textOrdinals
        duplicates = builder.duplicates
        ordinalsBelow = builder.ordinalsBelow
        depth = builder.entries.map(\.keyPath.components.count).max() ?? 0
        keys = result.flags.map(\.declaration.key)
        keyConfigurations = result.collections.map(\.declaration.keyConfiguration)
        self.configuration = configuration
    }

    /// Whether this index is also the one of another construction of the same type.
    func describes(_ result: FlagConstruction.Result) -> Bool {
        guard keys.count == result.flags.count, keyConfigurations.count == result.collections.count else {
            return false
        }
        for (key, flag) in zip(keys, result.flags) where key != flag.declaration.key { return false }
        for (keyConfiguration, collection) in zip(keyConfigurations, result.collections)
        where keyConfiguration != collection.declaration.keyConfiguration { return false }
        return true
    }

    /// Returns the flag with a key given as text, in the separator of the configuration, or `nil`.
    package func ordinal(forText text: String) -> Int? {
        textOrdinals[text]
    }

    /// Returns the flags whose values a change of a provider's value may change.
    ///
    /// Those are the flag at the changed place; flags above it, which hold it in their own value; and, where an object
    /// came or went, flags below it. A flat key of a provider is compared as text, also where a member of the object at
    /// that key changed.
    ///
    /// - Complexity: O(*n*) in the length of the changed key and in the flags concerned, whatever a server sends.
    package func ordinals(affectedBy change: FlagProviderChange) -> [Int] {
        let components = change.key.components
        var affected: [Int] = []
        // Both, since a flat key is split at "/", which need not be the separator of this loader.
        if let ordinal = ordinals[components] { affected.append(ordinal) }
        if let ordinal = textOrdinals[change.key.text] { affected.append(ordinal) }
        // No longer than any key here: a server may send a key with thousands of components.
        for count in stride(from: min(components.count - 1, depth), to: 0, by: -1) {
            if let ordinal = ordinals[Array(components.prefix(count))] { affected.append(ordinal) }
        }
        if components.count > 1, let ordinal = textOrdinals[components[0]] { affected.append(ordinal) }
        if change.old?.isObject == true || change.new?.isObject == true {
            affected += ordinalsBelow[components, default: []]
        }
        guard !duplicates.isEmpty else { return affected }
        return affected + affected.flatMap { duplicates[$0, default: []] }
    }
}

extension EncodedFlagValue {
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
