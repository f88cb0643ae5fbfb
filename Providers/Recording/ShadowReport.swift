public import TacklineCore

/// Where two providers have said different things.
///
/// Prints as a table for a log.
public struct ShadowReport: Sendable, Hashable, CustomStringConvertible {
    /// What was seen of one flag.
    public struct Entry: Sendable, Hashable {
        /// How often both were compared.
        public var comparisons = 0
        /// How often they differed.
        public var disagreements = 0
        /// What the provider that is believed said when they differed last, in short: `nil` if it had no value, or if they never
        /// differed.
        public var believed: String?
        /// What the shadow said then.
        public var shadow: String?
        /// Whether they differ now, as far as was asked.
        public var disagrees = false

        /// Makes an entry of a flag that was not compared yet.
        public init() {}
    }

    /// The flags that were compared, by key.
    public internal(set) var entries: [FlagKeyPath: Entry] = [:]
    /// How many comparisons were left out because the sample did without them.
    public internal(set) var unsampled = 0
    /// How many because the shadow had nothing to say yet.
    public internal(set) var notReady = 0
    /// How many because there were too many flags already.
    public internal(set) var leftOut = 0

    /// Makes a report without anything in it.
    public init() {}

    /// How often both were compared.
    public var comparisons: Int { entries.values.reduce(0) { $0 + $1.comparisons } }

    /// The flags about which they differed, those that do now first, then by key.
    public var disagreements: [(key: FlagKeyPath, entry: Entry)] {
        entries.filter { $0.value.disagreements > 0 }.map { (key: $0.key, entry: $0.value) }
            .sorted { ($0.entry.disagrees ? 0 : 1, $0.key.text) < ($1.entry.disagrees ? 0 : 1, $1.key.text) }
    }

    /// A line for each flag about which they differed, and one for all.
    public var description: String {
        let lines = disagreements.map { key, entry in
            "\(key.text): \(entry.believed ?? "no value"), the shadow says \(entry.shadow ?? "no value") "
                + "(\(entry.disagreements) of \(entry.comparisons)\(entry.disagrees ? "" : ", not any more"))"
        }
        let summary =
            "\(disagreements.count) of \(entries.count) flags differ, in \(comparisons) comparisons"
            + (unsampled + notReady + leftOut > 0
                ? "; left out: \(unsampled) by the sample, \(notReady) not ready, \(leftOut) too many" : "")
        return (lines + [summary]).joined(separator: "\n")
    }
}
