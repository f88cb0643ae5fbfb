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

    /// What was declared for a member, and what the index therefore depends on.
    enum Declared: Equatable {
        case flag(FlagKey?)
        case collection(CollectionKeyConfiguration)
    }

    package let entries: [Entry]
    package let groups: [Group]
    package let configuration: KeyConfiguration
    let declared: [Declared]
    /// Mistakes in keys, without those that depend on more than keys.
    let issues: [FlagIssue]
    /// The first flag with each key.
    private let ordinals: [[String]: Int]
    private let textOrdinals: [String: Int]
    /// Further flags with the key of the first.
    private let duplicates: [Int: [Int]]

    init(members: [CollectionMembers.Member], declared: [Declared], sites: [FlagSite], configuration: KeyConfiguration) {
        var builder = FlagIndexBuilder(configuration: configuration)
        for (member, (declared, site)) in zip(members, zip(declared, sites)) {
            builder.add(member, declared: declared, site: site)
        }
        entries = builder.entries
        groups = builder.groups
        issues = builder.issues
        ordinals = builder.ordinals
        textOrdinals = builder.textOrdinals
        duplicates = builder.duplicates
        self.declared = declared
        self.configuration = configuration
    }

    /// Returns the flag with a key given as text, in the separator of the configuration, or `nil`.
    package func ordinal(forText text: String) -> Int? {
        textOrdinals[text]
    }

    /// Returns the flags whose values a change of a provider's value may change.
    ///
    /// Those are the flag at the changed place; flags above it, which hold it in their own value; and, where an object
    /// came or went, flags below it. A flat key of a provider is compared as text.
    package func ordinals(affectedBy change: FlagProviderChange) -> [Int] {
        let components = change.key.components
        var affected: [Int] = []
        if let ordinal = ordinals[components] ?? textOrdinals[change.key.text] { affected.append(ordinal) }
        for count in stride(from: components.count - 1, to: 0, by: -1) {
            if let ordinal = ordinals[Array(components.prefix(count))] { affected.append(ordinal) }
        }
        if change.old?.isObject == true || change.new?.isObject == true {
            for (ordinal, entry) in entries.enumerated()
            where entry.keyPath.components.count > components.count && change.key.isPrefix(of: entry.keyPath) {
                affected.append(ordinal)
            }
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
