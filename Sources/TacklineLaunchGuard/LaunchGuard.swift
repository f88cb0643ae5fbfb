public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

/// A guard that holds back the contents of providers under which an app dies soon after its start.
///
/// ```swift
/// let launches = LaunchGuard(folder: support.appending(path: "launches"))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote], launchGuard: launches)
/// ```
///
/// A launch becomes healthy when the main actor runs after ``Options/healthyAfter``, or when ``markHealthy()`` is called.
/// Until then the guard notes each content of a guarded provider that a read first uses: a remote document, the answers of
/// OFREP, the overrides, or the values of a `ClosureProvider`. After ``Options/deathLimit`` deaths in a row before that,
/// the contents that they noted are held back whole, and the other providers and the defaults answer. Another content is used at
/// once. What is held back is tried again by one launch after an hour, and after each death twice as late, up to a day.
///
/// The guard keeps hashes and neither keys nor values. Each build of each executable has files of its own in the folder.
/// Create one guard in a process, before the loaders. Call the methods from any thread.
public final class LaunchGuard: Sendable {
    /// The rules of a guard.
    public struct Options: Sendable {
        /// The number of deaths in a row, each before the launch is healthy, after which contents are held back, from 1 to 100.
        public var deathLimit = 3
        /// The time after which a launch is healthy if the main actor then runs, so that an app that hangs is not. `nil` if
        /// only ``LaunchGuard/markHealthy()`` makes it healthy, as on a server whose main thread waits.
        public var healthyAfter: Duration? = .seconds(20)
        /// Whether launches count that the system may end as it likes: those of an app extension, and of an app that is in
        /// the background when the guard is made. They always have held back what earlier launches left so.
        public var countsInBackground = false
        /// The destination of issues: contents that are held back or released, and a folder that can't be used.
        public var issueReporter = FlagIssueReporter.current
        /// The present time, and the longest time to wait for others that use a file, for trials.
        package var now: @Sendable () -> Date = { Date() }
        package var lockTimeLimit = Duration.milliseconds(50)

        /// Creates the default options.
        public init() {}
    }

    private struct State {
        /// The record, without the content that this launch tries again.
        var record = LaunchRecord()
        /// The notes and the contents in them, until the launch is healthy or over. `nil` if it doesn't count.
        var early: (notes: LaunchNotes, contents: [LaunchContent])?
        var signals: (FlagAppLifecycle, ProcessExit)?
    }

    private let options: Options
    private let recordFile: StoredFile
    /// Held for no call of the system.
    private let state = Mutex(State())
    private let observers = FlagProviderStore()

    /// Begins a launch and judges the one before. That takes two small files; if others use them, it waits 50 ms for each.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files. It is created if necessary, for this user only. Don't use a folder for caches,
    ///     which the system empties. Several executables may share it.
    ///   - options: The rules.
    public init(folder: URL, options: Options = Options()) {
        self.options = options
        let folder = folder.appending(path: LaunchProcess.identity).path(percentEncoded: false)
        recordFile = StoredFile(
            "\(folder)/record", maximumBytes: 1 << 20, permissions: 0o600, timeLimit: options.lockTimeLimit)
        do { try begin(in: folder) } catch { report(error) }
        let lifecycle = FlagAppLifecycle { [weak self] signal in
            if signal == .didEnterBackground || signal == .willTerminate { self?.end() }
        }
        state.withLock { $0.signals = (lifecycle, ProcessExit { [weak self] in self?.end() }) }
        guard let limit = options.healthyAfter else { return }
        Task { @MainActor [weak self] in
            try await Task.sleep(for: limit)
            self?.markHealthy()
        }
    }

    deinit { end() }

    private func begin(in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var record = LaunchRecord()
        // What is held back stays so, whatever fails later.
        defer { state.withLock { $0.record = record } }
        do { record = try recordFile.bytes().map(LaunchRecord.read) ?? record } catch { report(error) }
        let notes = try LaunchNotes("\(folder)/notes", options.lockTimeLimit)
        if let last = notes?.read() {
            // A kill before the record is written loses a death rather than counting it twice. Health is read again.
            if !last.isHealthy { notes?.clear() }
            var issue: FlagError?
            record = try changeRecord { issue = $0.judge(last, limit: options.deathLimit, now: options.now()) }
            if let issue { options.issueReporter.report(issue) }
        }
        notes?.clear()
        guard let notes, options.countsInBackground || !LaunchProcess.isInBackground, !LaunchProcess.isDebugged
        else { return }
        let trial = record.trial(at: options.now())
        try notes.append(Launch(trial: trial))
        LaunchProcess.clearOnTermination(notes.file.descriptor)
        // Only now, because a death in the trial must be noted.
        record.heldBack.removeAll { $0.content == trial }
        state.withLock { $0.early = (notes, []) }
    }

    /// Reads the record, changes it and writes it, while no other process does. A damaged one is replaced.
    @discardableResult private func changeRecord(_ change: (inout LaunchRecord) -> Void) throws -> LaunchRecord {
        var record = LaunchRecord()
        try recordFile.rewrite { bytes in
            let old = try? bytes.map(LaunchRecord.read)
            record = old ?? record
            change(&record)
            return record == old ? nil : Array(try JSONEncoder().encode(record))
        }
        return record
    }

    private func report(_ error: any Error) { options.issueReporter.report(failure(error)) }

    private func failure(_ error: any Error) -> FlagError {
        FlagError("launches-unknown", "Launches can't be remembered: \(error). Give the guard a folder of its own.")
    }

    /// Makes this launch a healthy one: what it has noted is free. Does nothing if it has ended.
    public func markHealthy() {
        guard let notes = state.withLock({ $0.early.take() })?.notes else { return }
        do { try notes.append(Launch(isHealthy: true)) } catch {
            notes.clear()
            report(error)
        }
    }

    /// Ends this launch, which then is neither healthy nor a death, unless it is healthy already.
    ///
    /// `SIGTERM`, `SIGINT`, `SIGHUP`, `exit`, the end of `main`, and an app that enters the background do the same. Call it
    /// before `exec`.
    public func end() { state.withLock { $0.early.take() }?.notes.clear() }

    /// The ids of the providers whose contents are held back in this launch, and since when.
    public var heldBack: [String: Date] {
        let contents = state.withLock { $0.record.heldBack }
        return Dictionary(contents.map { ($0.content.provider, $0.since) }) { min($0, $1) }
    }

    /// Releases the contents of a provider, which may be used from now on.
    ///
    /// - Parameter provider: The id of the provider, or `nil` for all of them.
    /// - Throws: ``/TacklineCore/FlagError`` if that can't be stored. It applies to this process only then.
    public func release(_ provider: String? = nil) throws(FlagError) {
        state.withLock { $0.record.release(provider) }
        observers.announceReset()
        do { try changeRecord { $0.release(provider) } } catch { throw failure(error) }
    }
}

extension LaunchGuard: FlagContentGuard {
    package func reasonToHoldBack(_ provider: any FingerprintedProvider, id: String, isUse: Bool) -> String? {
        let (early, record) = state.withLock { ($0.early, $0.record) }
        guard early != nil || !record.heldBack.isEmpty, let fingerprint = provider.fingerprint else { return nil }
        let subject = provider.fingerprintSubject.flatMap { FlagDocument(["subject": .string($0)]).fingerprint }
        let content = LaunchContent(provider: id, subject: subject, fingerprint: fingerprint)
        if let since = record.heldBackSince(content) {
            return "its content is held back since \(since.formatted(.iso8601)): launches that read it died early"
        }
        guard isUse, let early, !early.contents.contains(content), early.contents.count < LaunchRecord.contentLimit
        else { return nil }
        // Not under the lock. Two threads that use a content first at the same time may both write the line.
        do { try early.notes.append(Launch(contents: [content])) } catch { report(error) }
        state.withLock { $0.early?.contents.append(content) }
        return nil
    }

    package func holdsBack(_ provider: String) -> Bool { heldBack[provider] != nil }
    package func observe(_ observer: FlagProviderObserver) { observers.observe(observer) }
}
