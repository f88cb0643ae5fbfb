package import TacklineFoundation
package import TacklineCore

// Foundation: `Date`.

/// The immutable state that a user interface of the browser shows, at one moment.
package struct FlagsBrowserSnapshot: Sendable, Hashable, Codable {
    /// The title of the browser, for people.
    package var title: String
    /// The name of the environment in which the program runs.
    package var environment: String
    /// Whether customers use the program.
    package var isProduction: Bool
    /// The reason why nothing can be edited, or `nil` if something can.
    package var readOnlyReason: FlagsBrowserError?
    /// The revision of the browser. Of two snapshots, the one with the greater revision is newer.
    package var revision: Int
    /// The number of the snapshot, counted by the browser.
    package var number: Int
    /// The number of the earlier snapshot if ``flags`` are only those that may differ from it, or `nil` if they are all.
    package var since: Int?
    /// The time at which the snapshot was made.
    package var time: Date
    /// The root collections, in order.
    package var sections: [FlagsBrowserSection] = []
    /// The flags, section by section: first those directly in a collection in declaration order, then those of each
    /// group.
    package var flags: [FlagsBrowserFlag] = []
    /// The latest changes from every source, newest first.
    package var recentChanges: [FlagsBrowserChange] = []
}

extension FlagsBrowserSnapshot {
    /// The providers that edits can go to, each id once, in the order of the chains.
    package var destinations: [FlagsBrowserProvider] {
        var seen: Set<String> = []
        return sections.flatMap(\.providers).filter { $0.isWritable && seen.insert($0.id).inserted }
    }

    /// Returns a flag, or `nil` if there is none with this id.
    package func flag(id: String) -> FlagsBrowserFlag? { flags.first { $0.id == id } }
}

/// A root collection in the browser, which belongs to one loader.
package struct FlagsBrowserSection: Sendable, Hashable, Codable, Identifiable {
    /// The name of the collection's type, followed by a number if an earlier section has the same name. It remains the
    /// same from launch to launch while the order of the loaders does.
    package var id: String
    /// The name for people.
    package var title: String
    /// The description of the collection; may be empty.
    package var description: String
    /// The nested collections, each before those inside it.
    package var groups: [FlagsBrowserGroup]
    /// The providers, in the order of the chain.
    package var providers: [FlagsBrowserProvider] = []
    /// The id of the provider that edits go to if a command names none, or `nil` if no provider can be written to.
    package var defaultDestination: String?
}

/// A nested collection in the browser.
package struct FlagsBrowserGroup: Sendable, Hashable, Codable, Identifiable {
    /// The section's id and the path of the property, as in `AppFlags:secrets.drafts`.
    package var id: String
    /// The id of the group around it, or `nil` if it is directly in the section.
    package var parent: String?
    /// The number of groups around it.
    package var depth: Int
    /// The name for people.
    package var title: String
    /// The description of the collection; may be empty.
    package var description: String
}

/// A provider of a chain in the browser.
package struct FlagsBrowserProvider: Sendable, Hashable, Codable, Identifiable {
    /// The provider's id in the chain, which user interfaces also show as its name.
    package var id: String
    /// The status for people: "ready", or a description of the problem.
    package var status: String
    /// Whether the provider is ready.
    package var isReady: Bool
    /// Whether edits can go to it.
    package var isWritable: Bool
    /// Whether its values count as overrides.
    ///
    /// This is the case for providers that are marked as overrides. In a chain without one, it is the case for a
    /// writable provider at the start of the chain.
    package var isOverrideLayer: Bool
    /// Whether its values can expire.
    package var keepsExpiry: Bool
}

/// A change of a flag's value, whether or not the browser made it.
package struct FlagsBrowserChange: Sendable, Hashable, Codable, Identifiable {
    /// The number of the change, counted by the browser.
    package var id: Int
    /// The time at which the browser noticed it.
    package var time: Date
    /// The id of the flag.
    package var flag: String
    /// The flag's key.
    package var key: String
    /// The value before the change.
    package var old: FlagsBrowserValue
    /// The value after the change.
    package var new: FlagsBrowserValue
    /// The source of the new value.
    package var source: FlagSource
    /// The name of the person who made the edit that changed it, or `nil` if the browser didn't change it or the edit
    /// came without a name.
    package var author: String?
}
