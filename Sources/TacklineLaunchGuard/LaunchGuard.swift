public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

// Foundation: `URL` names the folder, and `Date` says since when a content is held back.

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
        /// The time after which a launch is healthy, or `nil` if only ``LaunchGuard/markHealthy()`` makes it healthy.
        public var healthyAfter: Duration? = .seconds(20)
        /// The actor that must run after that time, so that a program that hangs is not healthy. The default is the main
        /// actor. On a server, name the actor that does its work.
        public var healthActor: any Actor = MainActor.shared
        /// Whether launches count that the system may end as it likes: those of an app extension, and of an app that is in
        /// the background when the guard is made. They always have held back what earlier launches left so.
        public var countsInBackground = false
        /// The clock that measures ``healthyAfter``.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The destination of issues: contents that are held back or released, and a folder that can't be used.
        public var issueReporter = FlagIssueReporter.current
        /// The present time, for trials.
        package var now: @Sendable () -> Date = { Date() }

        /// Creates the default options.
        public init() {}
    }

    private struct State {
        /// The notes, or `nil` if the launch isn't young or doesn't count.
        var notes: LaunchNotes?
        var noted: Set<LaunchContent> = []
        /// The contents that are held back in this launch, with their times.
        var heldBack: [LaunchContent: Date] = [:]
        /// The providers that are held back whole.
        var heldBackProviders: Set<String> = []
        var timer: Task<Void, Never>?
        var signals: (FlagAppLifecycle, ProcessExit)?
    }

    private let options: Options
    private let folder: String
    private let recordFile: StoredFile
    /// Held for no call of the system.
    private let state = Mutex(State())
    /// Whether nothing has to be looked at: the launch isn't young, and nothing is held back.
    private let isIdle = Atomic(false)
    private let observers = FlagProviderStore()

    /// Begins a launch and judges the one before, which takes two small files. It waits at most 50 ms for
    /// another process.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files. It is created if necessary, for this user only. Don't use a folder for caches,
    ///     which the system empties. Several executables may share it.
    ///   - options: The rules.
    public init(folder: URL, options: Options = Options()) {
        self.options = options
        self.folder = folder.appending(path: LaunchProcess.name).path(percentEncoded: false)
        recordFile = StoredFile(
            "\(self.folder)/record", maximumBytes: 1 << 20, permissions: 0o600, timeLimit: .milliseconds(50))
        begin()
        let exit = ProcessExit { [weak self] in self?.end() }
        let lifecycle = FlagAppLifecycle { [weak self] signal in
            if signal == .didEnterBackground || signal == .willTerminate { self?.end() }
        }
        state.withLock { $0.signals = (lifecycle, exit) }
        guard let limit = options.healthyAfter else { return }
        let (clock, actor) = (options.clock, options.healthActor)
        let timer = Task.detached { [weak self] in
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            await Self.visit(actor)
            if !Task.isCancelled { self?.markHealthy() }
        }
        state.withLock { $0.timer = timer }
    }

    deinit { end() }

    private static func visit(_ actor: isolated any Actor) {}

    private func begin() {
        var (record, trial, notes) = (LaunchRecord(), LaunchContent?.none, LaunchNotes?.none)
        var verdict: LaunchRecord.Verdict?
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            record = read(try recordFile.bytes())
            let present = try LaunchNotes("\(folder)/notes")
            if let launch = try present?.read() {
                // The notes stay until the record has them.
                record = try changeRecord { record in
                    verdict = record.judge(launch, limit: min(max(options.deathLimit, 1), 100), now: options.now())
                }
            }
            if let present, options.countsInBackground || !LaunchProcess.isInBackground, !LaunchProcess.isDebugged {
                trial = record.trial(at: options.now())
                try present.begin(trial: trial)
                notes = present
            } else {
                present?.clear()
            }
        } catch {
            report(error)
        }
        if let verdict { options.issueReporter.report(verdict.issue) }
        let young = notes
        state.withLock { state in
            state.notes = young
            state.heldBack = Dictionary(record.heldBack.map { ($0.content, $0.since) }) { first, _ in first }
            state.heldBackProviders = record.heldBackProviders
            if let trial { state.heldBack[trial] = nil }
            updateIdle(state)
        }
        LaunchProcess.clearOnTermination(notes)
    }

    /// Reads the record, changes it and writes it, while no other process does.
    @discardableResult private func changeRecord(_ change: (inout LaunchRecord) -> Void) throws -> LaunchRecord {
        var record = LaunchRecord()
        try recordFile.rewrite { bytes in
            let old = read(bytes)
            record = old
            change(&record)
            return record == old ? nil : Array(try JSONEncoder().encode(record))
        }
        return record
    }

    /// Returns the record, or an empty one that replaces it if it is damaged.
    private func read(_ bytes: [UInt8]?) -> LaunchRecord {
        do {
            return try bytes.map { try JSONDecoder().decode(LaunchRecord.self, from: Data($0)) } ?? LaunchRecord()
        } catch {
            report(error)
            return LaunchRecord()
        }
    }

    private func report(_ error: any Error) {
        let message = """
            Launches can't be remembered: \(error). Contents under which the app dies may not be held back. Give the guard \
            a folder that it alone can write.
            """
        options.issueReporter.report(FlagError(.unknownLaunches, message))
    }

    private func updateIdle(_ state: State) {
        isIdle.store(state.notes == nil && state.heldBack.isEmpty, ordering: .releasing)
    }

    // MARK: Health

    /// Makes this launch a healthy one: what it has noted is free. Does nothing if it has ended.
    public func markHealthy() {
        guard let (notes, noted) = takeNotes() else { return }
        do {
            // From here on the launch is healthy, wherever the process ends.
            try notes.noteHealth()
            try changeRecord { $0.settle(noted) }
        } catch {
            report(error)
        }
        notes.clear()
    }

    /// Ends this launch, which then is neither healthy nor a death, unless it is healthy already.
    ///
    /// `SIGTERM`, `exit`, the end of `main`, and an app that enters the background do the same.
    public func end() { takeNotes()?.notes.clear() }

    /// Ends the youth of the launch.
    private func takeNotes() -> (notes: LaunchNotes, noted: Set<LaunchContent>)? {
        let young = state.withLock { state in
            let young = state
            (state.notes, state.timer) = (nil, nil)
            updateIdle(state)
            return young
        }
        young.timer?.cancel()
        guard let notes = young.notes else { return nil }
        LaunchProcess.clearOnTermination(nil)
        return (notes, young.noted)
    }

    // MARK: Held-back contents

    /// The ids of the providers whose contents are held back in this launch, with the time since when.
    public var heldBack: [String: Date] {
        let contents = state.withLock { $0.heldBack }
        return Dictionary(contents.map { ($0.provider, $1) }) { min($0, $1) }
    }

    /// Releases the contents of a provider, which may be used from now on.
    ///
    /// - Parameter provider: The id of the provider, or `nil` for all of them.
    /// - Throws: ``/TacklineCore/FlagError`` if that can't be stored. It applies to this process only then.
    public func release(_ provider: String? = nil) throws(FlagError) {
        func isReleased(_ content: LaunchContent) -> Bool { provider == nil || content.provider == provider }
        state.withLock { state in
            state.heldBackProviders = provider.map { state.heldBackProviders.subtracting([$0]) } ?? []
            state.heldBack = state.heldBack.filter { !isReleased($0.key) }
            updateIdle(state)
        }
        observers.announceReset()
        do { try changeRecord { $0.release(where: isReleased) } } catch {
            throw FlagError(
                .inputOutput, provider: "LaunchGuard", reason: "the release was not stored: \(error)",
                advice: "Let the guard write its folder, and release the contents again")
        }
    }
}

extension LaunchGuard: FlagContentGuard {
    package func reasonToHoldBack(
        _ provider: any FingerprintedProvider, id: String, isUse: Bool
    ) -> String? {
        guard !isIdle.load(ordering: .acquiring), let fingerprint = provider.fingerprint else { return nil }
        let content = LaunchContent(provider: id, subject: provider.fingerprintSubject, fingerprint: fingerprint)
        let (since, notes) = state.withLock { state -> (Date?, LaunchNotes?) in
            let isWhole = state.heldBackProviders.contains(id)
            let since = isWhole ? state.heldBack.first { $0.key.provider == id }?.value : state.heldBack[content]
            let isNew = isUse && !state.noted.contains(content) && state.noted.count < LaunchRecord.contentLimit
            return (since, isNew ? state.notes : nil)
        }
        if let since {
            return """
                its content is held back since \(since.formatted(.iso8601)), because launches that read it died soon \
                after their start
                """
        }
        guard let notes else { return nil }
        // Not under the lock. Two threads that use a content first at the same time may both write the line.
        do { try notes.note(content) } catch { report(error) }
        state.withLock { _ = $0.noted.insert(content) }
        return nil
    }

    package func holdsBack(_ provider: String) -> Bool { heldBack[provider] != nil }

    package func observe(_ observer: FlagProviderObserver) { observers.observe(observer) }
}

extension FlagError.Code {
    /// Contents that are held back, because launches that read them died.
    public static let heldBackContents = FlagError.Code("held-back-contents")
    /// Contents that are released, because launches die that read no guarded content.
    public static let releasedContents = FlagError.Code("released-contents")
    /// Launches that a launch guard can't remember.
    public static let unknownLaunches = FlagError.Code("launches-unknown")
}
