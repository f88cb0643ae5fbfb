import Synchronization

/// The issues of a provider, a loader or another source that exist at present.
///
/// An issue is reported when its cause appears, once to each reporter. It is reported again only after its cause has
/// gone and come back. Several sources with the same issue and the same reporter report it once:
///
/// ```swift
/// struct FolderProvider: FlagProvider {
///     private let issues = FlagIssueLog()
///
///     private func note(_ failure: FlagError?, to observers: [FlagProviderObserver]) {
///         if let failure {
///             issues.report(failure, to: observers.map(\.issueReporter))
///         } else {
///             issues.resolve(.unreadableFile)
///         }
///     }
///     …
/// }
/// ```
///
/// Issues of one code, key and provider have one cause, unless they differ in their `detail`: the newer one replaces the
/// older one, and is reported if it differs. When the log is deallocated, its issues are gone. Use a log from any thread,
/// and hold no lock when you report, because reporters run foreign code.
public final class FlagIssueLog: Sendable {
    private struct Cause: Hashable, Sendable {
        let code: FlagError.Code
        let key: String?
        let provider: String?
        let detail: String

        init(_ issue: FlagError, _ detail: String) {
            (code, key, provider, self.detail) = (issue.code, issue.key?.text, issue.provider, detail)
        }

        init(_ code: FlagError.Code, _ key: FlagKeyPath?, _ provider: String?, _ detail: String) {
            (self.code, self.key, self.provider, self.detail) = (code, key?.text, provider, detail)
        }
    }

    private typealias Destination = FlagIssueReporter.Destination

    /// An issue and the reporters that have received it. They are held weakly, as the loaders that have them may be gone
    /// before the issue.
    private struct Entry: Sendable {
        let issue: FlagError
        private var destinations = WeakList<Destination>()

        init(_ issue: FlagError, _ destinations: [Destination]) {
            self.issue = issue
            for destination in destinations { self.destinations.append(destination) }
        }

        /// The reporters that still exist.
        func present() -> [Destination] {
            var (list, present) = (destinations, [Destination]())
            list.strong().forEach { present.append($0) }
            return present
        }

        /// Ends the issue in all reporters, and returns these.
        ///
        /// It is called under the lock, so that an issue begins and ends in turn. The caller releases the reporters
        /// outside.
        func end(from log: FlagIssueLog) -> [Destination] {
            let present = present()
            for destination in present { destination.end(issue, from: ObjectIdentifier(log)) }
            return present
        }
    }

    private final class Entries {
        var all: [Cause: Entry] = [:]
    }

    /// Created with the first issue, because the type of the dictionary takes 0.2 million instructions of a process that
    /// has none.
    private let entries = Mutex<Entries?>(nil)
    /// Spares reads the lock if there are no issues.
    private let hasNone = Atomic<Bool>(true)

    /// Creates a log without issues.
    public init() {}

    deinit {
        for entry in all().values { _ = entry.end(from: self) }
    }

    /// Whether there are no issues at present.
    public var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

    /// The issues that exist at present, in no particular order.
    public var issues: [FlagError] { all().values.map(\.issue) }

    /// Adds an issue, and reports it to each reporter that hasn't received it yet.
    ///
    /// - Parameters:
    ///   - issue: The issue.
    ///   - detail: A text that distinguishes causes of the same code, key and provider.
    ///   - reporters: The reporters of the loaders that have the source.
    public func report(_ issue: FlagError, detail: String = "", to reporters: [FlagIssueReporter]) {
        guard !FlagIssueReporter.dropsIssues else { return }
        let cause = Cause(issue, detail)
        let (known, present, new) = withEntries { entries -> (Entry?, [Destination], [FlagIssueReporter]) in
            let known = entries[cause]
            let isSame = known?.issue == issue
            let present = isSame ? known?.present() : known?.end(from: self)
            var all = isSame ? present ?? [] : []
            var new: [FlagIssueReporter] = []
            for reporter in reporters where !all.contains(where: { $0 === reporter.destination }) {
                all.append(reporter.destination)
                if reporter.destination.begin(issue, from: ObjectIdentifier(self)) { new.append(reporter) }
            }
            entries[cause] = Entry(issue, all)
            hasNone.store(false, ordering: .relaxed)
            return (known, present ?? [], new)
        }
        for reporter in new { reporter.report(issue) }
        // An issue that was replaced, and reporters, are released here, outside the lock.
        withExtendedLifetime((known, present)) {}
    }

    /// Replaces all issues of the given codes. Those that exist already aren't reported again.
    ///
    /// - Parameters:
    ///   - codes: The codes of the issues that are replaced.
    ///   - issues: The issues that exist now. Their messages distinguish causes of the same code, key and provider.
    ///   - reporters: The reporters of the loaders that have the source.
    public func replace(_ codes: Set<FlagError.Code>, with issues: [FlagError], to reporters: [FlagIssueReporter]) {
        let causes = Set(issues.map { Cause($0, $0.message) })
        resolve { codes.contains($0.code) && !causes.contains($0) }
        for issue in issues { report(issue, detail: issue.message, to: reporters) }
    }

    /// Removes an issue whose cause is gone, so that it is reported if the cause comes back.
    public func resolve(
        _ code: FlagError.Code, key: FlagKeyPath? = nil, provider: String? = nil, detail: String = ""
    ) {
        guard !isEmpty else { return }
        let removed = withEntries { entries -> (Entry, [Destination])? in
            let entry = entries.removeValue(forKey: Cause(code, key, provider, detail))
            hasNone.store(entries.isEmpty, ordering: .relaxed)
            return entry.map { ($0, $0.end(from: self)) }
        }
        withExtendedLifetime(removed) {}
    }

    /// Removes all issues of the given codes.
    public func resolveAll(_ codes: Set<FlagError.Code>) { resolve { codes.contains($0.code) } }

    /// Removes the issues of providers that are no longer in the chain, so that a chain which changes often costs no
    /// memory.
    func resolveAll(exceptOfProviders ids: [String]) {
        let ids = Set(ids)
        resolve { cause in cause.provider.map { !ids.contains($0) } ?? false }
    }

    /// Returns whether a cause exists whose issue has the given value.
    func hasIssue(_ code: FlagError.Code, key: FlagKeyPath, provider: String, value: EncodedFlagValue?) -> Bool {
        guard !isEmpty else { return false }
        guard let entry = withEntries({ $0[Cause(code, key, provider, "")] }) else { return false }
        return entry.issue.value == value
    }

    private func all() -> [Cause: Entry] { isEmpty ? [:] : withEntries { $0 } }

    private func withEntries<Result: Sendable>(_ body: (inout [Cause: Entry]) -> Result) -> Result {
        entries.withLock { entries in
            let present = entries ?? Entries()
            entries = present
            return body(&present.all)
        }
    }

    private func resolve(_ isGone: (Cause) -> Bool) {
        guard !isEmpty else { return }
        let removed = withEntries { entries in
            let gone = entries.filter { isGone($0.key) }
            for cause in gone.keys { entries[cause] = nil }
            hasNone.store(entries.isEmpty, ordering: .relaxed)
            return (gone, gone.values.map { $0.end(from: self) })
        }
        withExtendedLifetime(removed) {}
    }
}
