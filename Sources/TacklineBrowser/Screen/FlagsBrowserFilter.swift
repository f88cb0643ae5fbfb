import Foundation

// Foundation: the comparison of texts as people expect it from a search.

/// A filter for the listed flags. A flag matches if it has every word and every property.
package struct FlagsBrowserFilter: Sendable, Hashable {
    /// Something unusual about a flag.
    package enum Property: Sendable, Hashable, CaseIterable {
        /// An override layer holds a value for the flag.
        case overridden
        /// The value differs from the default.
        case notDefault
        /// The expiry date has passed.
        case expired
        /// A provider holds a value that the flag's type refuses.
        case refused
    }

    /// The words to search for in names, keys, values, descriptions, tags and owners; empty for none. Case and accents
    /// are ignored.
    package var text = ""
    /// The properties that listed flags have.
    package var properties: Set<Property> = []

    /// Creates a filter that every flag matches.
    package init() {}

    /// Returns the flags of a snapshot that match, in their order.
    package func flags(of snapshot: FlagsBrowserSnapshot) -> [FlagsBrowserFlag] {
        let words = text.split(whereSeparator: \.isWhitespace)
        return snapshot.flags.filter { flag in
            guard properties.allSatisfy({ flag.has($0) }) else { return false }
            guard !words.isEmpty else { return true }
            let value = flag.value.input ?? flag.value.text
            let texts = [flag.name, flag.key, flag.property, value, flag.description, flag.metadata.owner ?? ""]
            let all = (texts + flag.metadata.tags).joined(separator: "\n")
            return words.allSatisfy { all.localizedStandardContains($0) }
        }
    }

    /// Returns the flags of a snapshot that match, under a heading for each section and nested collection that has any.
    package func parts(of snapshot: FlagsBrowserSnapshot) -> [FlagsBrowserPart] {
        let byGroup = Dictionary(grouping: flags(of: snapshot)) { $0.group ?? $0.section }
        var parts: [FlagsBrowserPart] = []
        for section in snapshot.sections {
            var titles: [String: String] = [:]
            func add(_ id: String, _ title: String, _ description: String) {
                titles[id] = title
                guard let flags = byGroup[id] else { return }
                parts.append(FlagsBrowserPart(id: id, title: title, description: description, flags: flags))
            }
            add(section.id, section.title, section.description)
            for group in section.groups {
                let outer = titles[group.parent ?? section.id] ?? section.title
                add(group.id, "\(outer) › \(group.title)", group.description)
            }
        }
        return parts
    }
}

/// Flags under one heading.
package struct FlagsBrowserPart: Sendable, Hashable, Identifiable {
    /// The id of the section or group.
    package var id: String
    /// The title, after those of the collections around it.
    package var title: String
    /// The description of the collection; may be empty.
    package var description: String
    /// The flags. There is at least one.
    package var flags: [FlagsBrowserFlag]
}

extension FlagsBrowserFlag {
    fileprivate func has(_ property: FlagsBrowserFilter.Property) -> Bool {
        switch property {
        case .overridden: isOverridden
        case .notDefault: isChangedFromDefault
        case .expired: isExpired
        case .refused: isRefused
        }
    }
}
