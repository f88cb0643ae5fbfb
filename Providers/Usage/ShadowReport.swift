public import TacklineCore

/// The differences between the answers of two providers, as far as they were compared.
///
/// Prints as a table for a log.
public struct ShadowReport: Sendable, Hashable, CustomStringConvertible {
    /// The comparisons of one flag.
    public struct Entry: Sendable, Hashable {
        /// The number of comparisons.
        public var comparisons = 0
        /// The number of comparisons in which the answers differed.
        public var disagreements = 0
        /// The answer of the provider that is used when they differed last, as a short text: `nil` if it had no value, or if
        /// they never differed.
        public var believed: String?
        /// The shadow's answer then.
        public var shadow: String?
        /// The subject that the answers were for then, such as a user's targeting key; `nil` if no provider named one.
        public var subject: String?
        /// Whether they differed when they were compared last.
        public var disagrees = false

        /// Creates an entry without comparisons.
        public init() {}
    }

    /// The flags that were compared, by key.
    public internal(set) var entries: [FlagKeyPath: Entry] = [:]
    /// The number of reads that are not in the sample.
    public internal(set) var unsampled = 0
    /// The number of flags that were read while the shadow was not ready, and that are compared when it is.
    public internal(set) var waiting = 0
    /// The number of reads that could not be compared: the shadow was not ready, and the answers depend on the task.
    public internal(set) var uncompared = 0
    /// The number of reads of flags that are too many for the report.
    public internal(set) var leftOut = 0

    /// Creates an empty report.
    public init() {}

    /// The number of comparisons.
    public var comparisons: Int { entries.values.reduce(0) { $0 + $1.comparisons } }

    /// The flags for which the answers differed, those that differed last first, then by key.
    public var disagreements: [(key: FlagKeyPath, entry: Entry)] {
        entries.filter { $0.value.disagreements > 0 }.map { (key: $0.key, entry: $0.value) }
            .sorted { ($0.entry.disagrees ? 0 : 1, $0.key.text) < ($1.entry.disagrees ? 0 : 1, $1.key.text) }
    }

    /// A line for each flag for which the answers differed, and a summary.
    public var description: String {
        let lines = disagreements.map { key, entry in
            let subject = entry.subject.map { " for \(EncodedFlagValue.string($0))" } ?? ""
            return
                "\(key.text): \(entry.believed ?? "no value"), the shadow says \(entry.shadow ?? "no value")\(subject) "
                + "(\(entry.disagreements) of \(entry.comparisons)\(entry.disagrees ? "" : ", not any more"))"
        }
        var summary = "\(disagreements.count) of \(entries.count) flags differ, in \(comparisons) comparisons"
        let rest = [
            (waiting, "flags wait for the shadow"), (uncompared, "reads could not be compared"),
            (unsampled, "reads are not in the sample"), (leftOut, "reads are of too many flags"),
        ]
        for (count, text) in rest where count > 0 { summary += "; \(count) \(text)" }
        return (lines + [summary]).joined(separator: "\n")
    }
}
