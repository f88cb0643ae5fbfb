import Synchronization
public import TacklineCore

/// A comparison of a provider with another one that is never used: before you move from one vendor to another, or from one
/// document to a new one.
///
/// ```swift
/// let comparison = FlagShadow(comparing: old, with: new, sampling: 0.1)
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, old], observers: [comparison])
/// print(comparison.report)
/// ```
///
/// It is an observer of a loader and no provider of it. When a read is given a value that was not at hand, both providers
/// are compared for this flag: on the thread and in the task of the read, so in the context of a server's request. Each flag
/// that is still read is compared again after an interval. Both are inspected, which a vendor doesn't count as a use, and the
/// present one only if another source has answered. A candidate that blocks makes the read wait.
public final class FlagShadow: FlagResolutionObserver {
    /// The time after which a flag that is read is compared again.
    public let repeatInterval: Duration?
    private let current: any FlagProvider
    private let candidate: any FlagProvider
    private let sampling: Double
    private let maximumFlags: Int
    private let state = Mutex(Report())

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - current: The provider that is used. It is in the loader's chain.
    ///   - candidate: The provider that is compared with it. It is in no chain.
    ///   - sampling: The part of the reads that is compared, from 0 to 1.
    ///   - maximumFlags: The maximum number of flags in the report.
    ///   - interval: The time after which a flag that is read is compared again.
    public init(
        comparing current: any FlagProvider, with candidate: any FlagProvider, sampling: Double = 1,
        maximumFlags: Int = 1000, interval: Duration = .seconds(60)
    ) {
        (self.current, self.candidate) = (current, candidate)
        (self.sampling, self.maximumFlags, repeatInterval) = (sampling, maximumFlags, interval)
    }

    /// The comparisons so far.
    public var report: Report { state.withLock { $0 } }

    /// Begins a new report.
    public func resetReport() { state.withLock { $0 = Report() } }

    /// Compares the flag if it is in the sample and the candidate is ready.
    public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
        guard Double.random(in: 0..<1) < sampling else { return state.withLock { $0.unsampled += 1 } }
        guard candidate.status != .notReady else { return state.withLock { $0.uncompared += 1 } }
        let isCurrent = if case .provider(current.name) = flag.source { true } else { false }
        let old = isCurrent ? .value(flag.value) : answer(of: current, for: flag)
        let new = answer(of: candidate, for: flag)
        let isSecret = flag.metadata.isSecret
        let texts = (old.text(isSecret: isSecret), new.text(isSecret: isSecret))
        let (isEqual, subject) = (old.agrees(with: new), flag.evaluation?.subject)
        state.withLock { report in
            guard report.entries[flag.key] != nil || report.entries.count < maximumFlags else {
                return report.leftOut += 1
            }
            report.entries[flag.key, default: Report.Entry()].add(isEqual, texts, subject)
        }
    }

    private func answer(of provider: any FlagProvider, for flag: FlagResolution<EncodedFlagValue>) -> Answer {
        guard let value = provider.evaluation(for: flag.key).value else { return .none }
        return flag.encodedForm(of: value).map { .value($0) } ?? (value == .null ? .none : .refused(value))
    }

    /// The answer of a provider, as the flag's type takes it.
    private enum Answer {
        case none
        case value(EncodedFlagValue)
        case refused(EncodedFlagValue)

        /// Numbers of equal value agree, whichever their kinds.
        func agrees(with other: Answer) -> Bool {
            switch (self, other) {
            case (.none, .none): true
            case (.value(.integer(let integer)), .value(.double(let double))),
                (.value(.double(let double)), .value(.integer(let integer))):
                Int128(exactly: double) == integer
            case (.value(let left), .value(let right)): left == right
            case (.refused, .refused), (.refused, .none), (.none, .refused): true
            default: false
            }
        }

        func text(isSecret: Bool) -> String? {
            switch self {
            case .none: nil
            case .value(let value): isSecret ? "a secret" : "\(value)"
            case .refused(let value): isSecret ? "a refused secret" : "refused: \(value)"
            }
        }
    }
}

extension FlagShadow {
    /// The differences between the answers of two providers, as far as they were compared. Prints as a table for a log.
    public struct Report: Sendable, Hashable, CustomStringConvertible {
        /// The flags that were compared, by key.
        public internal(set) var entries: [FlagKeyPath: Entry] = [:]
        /// The number of reads that are not in the sample.
        public internal(set) var unsampled = 0
        /// The number of reads that were not compared because the candidate was not ready.
        public internal(set) var uncompared = 0
        /// The number of reads of flags that are too many for the report.
        public internal(set) var leftOut = 0

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
                let candidate = "the candidate says \(entry.candidate ?? "no value")\(subject)"
                let count = "\(entry.disagreements) of \(entry.comparisons)\(entry.disagrees ? "" : ", not any more")"
                return "\(key.text): \(entry.current ?? "no value"), \(candidate) (\(count))"
            }
            var summary = "\(disagreements.count) of \(entries.count) flags differ, in \(comparisons) comparisons"
            let rest = [
                (uncompared, "reads came before the candidate was ready"), (unsampled, "reads are not in the sample"),
                (leftOut, "reads are of too many flags"),
            ]
            for (count, text) in rest where count > 0 { summary += "; \(count) \(text)" }
            return (lines + [summary]).joined(separator: "\n")
        }
    }
}

extension FlagShadow.Report {
    /// The comparisons of one flag.
    public struct Entry: Sendable, Hashable {
        /// The number of comparisons.
        public private(set) var comparisons = 0
        /// The number of comparisons in which the answers differed.
        public private(set) var disagreements = 0
        /// The answer of the provider that is used when they differed last, as a text: `nil` if it had no value, or if they
        /// never differed.
        public private(set) var current: String?
        /// The candidate's answer then.
        public private(set) var candidate: String?
        /// The subject that the answers were for then, such as a user's targeting key; `nil` if no provider named one.
        public private(set) var subject: String?
        /// Whether they differed when they were compared last.
        public private(set) var disagrees = false

        fileprivate mutating func add(_ isEqual: Bool, _ texts: (String?, String?), _ subject: String?) {
            comparisons += 1
            disagrees = !isEqual
            guard disagrees else { return }
            disagreements += 1
            (current, candidate) = texts
            self.subject = subject
        }
    }
}
