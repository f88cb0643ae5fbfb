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
///     private func note(_ failure: FlagIssue?, to observers: [FlagProviderObserver]) {
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
    private struct Cause: Hashable {
        let code: FlagIssue.Code
        let key: String?
        let provider: String?
        let detail: String

        init(_ issue: FlagIssue, _ detail: String) {
            (code, key, provider, self.detail) = (issue.code, issue.key?.text, issue.provider, detail)
        }

        init(_ code: FlagIssue.Code, _ key: FlagKeyPath?, _ provider: String?, _ detail: String) {
            (self.code, self.key, self.provider, self.detail) = (code, key?.text, provider, detail)
        }
    }

    /// An issue and the reporters that have received it.
    private struct Entry {
        let issue: FlagIssue
        var reporters: [FlagIssueReporter]
    }

    private let entries = Mutex([Cause: Entry]())
    /// Spares reads the lock if there are no issues.
    private let hasNone = Atomic<Bool>(true)

    /// Creates a log without issues.
    public init() {}

    deinit { entries.withLock { $0 }.values.forEach(end) }

    /// Whether there are no issues at present.
    public var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

    /// The issues that exist at present, in no particular order.
    public var issues: [FlagIssue] { entries.withLock { $0.values.map(\.issue) } }

    /// Adds an issue, and reports it to each reporter that hasn't received it yet.
    ///
    /// - Parameter detail: A text that distinguishes causes of the same code, key and provider.
    public func report(_ issue: FlagIssue, detail: String = "", to reporters: [FlagIssueReporter]) {
        guard !FlagIssueReporter.dropsIssues else { return }
        let cause = Cause(issue, detail)
        let (known, new) = entries.withLock { entries -> (Entry?, [FlagIssueReporter]) in
            let known = entries[cause]
            if let known, known.issue != issue { end(known) }
            var entry = known.flatMap { $0.issue == issue ? $0 : nil } ?? Entry(issue: issue, reporters: [])
            var new: [FlagIssueReporter] = []
            for reporter in reporters where !entry.reporters.contains(where: reporter.isSame) {
                entry.reporters.append(reporter)
                if reporter.begin(issue, from: ObjectIdentifier(self)) { new.append(reporter) }
            }
            entries[cause] = entry
            hasNone.store(false, ordering: .relaxed)
            return (known, new)
        }
        for reporter in new { reporter.report(issue) }
        // An issue that was replaced is released here, outside the lock, with its value.
        withExtendedLifetime(known) {}
    }

    /// Replaces all issues of the given codes. Those that exist already aren't reported again.
    ///
    /// - Parameter issues: The issues that exist now. Their messages distinguish causes of the same code, key and
    ///   provider.
    public func replace(_ codes: Set<FlagIssue.Code>, with issues: [FlagIssue], to reporters: [FlagIssueReporter]) {
        let causes = Set(issues.map { Cause($0, $0.message) })
        resolve { codes.contains($0.code) && !causes.contains($0) }
        for issue in issues { report(issue, detail: issue.message, to: reporters) }
    }

    /// Removes an issue whose cause is gone, so that it is reported if the cause comes back.
    public func resolve(
        _ code: FlagIssue.Code, key: FlagKeyPath? = nil, provider: String? = nil, detail: String = ""
    ) {
        guard !isEmpty else { return }
        let entry = entries.withLock { entries in
            defer { hasNone.store(entries.isEmpty, ordering: .relaxed) }
            let entry = entries.removeValue(forKey: Cause(code, key, provider, detail))
            if let entry { end(entry) }
            return entry
        }
        withExtendedLifetime(entry) {}
    }

    /// Removes all issues of the given codes.
    public func resolveAll(_ codes: Set<FlagIssue.Code>) { resolve { codes.contains($0.code) } }

    /// Removes the issues of providers that are no longer in the chain, so that a chain which changes often costs no
    /// memory.
    func resolveAll(exceptOfProviders ids: [String]) {
        let ids = Set(ids)
        resolve { cause in cause.provider.map { !ids.contains($0) } ?? false }
    }

    /// Returns whether a cause exists whose issue has the given value.
    func hasIssue(_ code: FlagIssue.Code, key: FlagKeyPath, provider: String, value: EncodedFlagValue) -> Bool {
        guard !isEmpty else { return false }
        let entry = entries.withLock { $0[Cause(code, key, provider, "")] }
        return entry?.issue.value == value
    }

    private func resolve(_ isGone: (Cause) -> Bool) {
        guard !isEmpty else { return }
        let gone = entries.withLock { entries in
            let gone = entries.filter { isGone($0.key) }
            for (cause, entry) in gone {
                entries[cause] = nil
                end(entry)
            }
            hasNone.store(entries.isEmpty, ordering: .relaxed)
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    // Under the lock, so that an issue begins and ends in turn. A reporter only counts here.
    private func end(_ entry: Entry) {
        for reporter in entry.reporters { reporter.end(entry.issue, from: ObjectIdentifier(self)) }
    }
}
