public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

// Foundation: `URL` names the folder.

/// A guard that holds back the values under which an app dies soon after its start.
///
/// ```swift
/// let launches = LaunchGuard(folder: support.appending(path: "launches"))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote], launchGuard: launches)
/// ```
///
/// A launch is young until the main actor runs after ``Options/healthyAfter``, or until ``markHealthy()`` is called.
/// While it is young, the guard notes each value that a read is about to use and that the last healthy launch didn't
/// have. If ``Options/deathLimit`` young launches in a row die of a signal, of a trap, or of being killed, the values
/// that were noted in all of them are held back: a flag refuses them, and the next provider or the default answers.
/// Another value is used at once. If launches go on dying, as many of them release everything.
///
/// The guard keeps hashes and no values. Each executable has a record of its own in the folder, and another build of it
/// has nothing held back. Create one guard in a process, before the loaders. Call the methods from any thread.
public final class LaunchGuard: Sendable {
    /// The rules of a guard.
    public struct Options: Sendable {
        /// The number of launches in a row that must die, from 1 to 100.
        public var deathLimit = 3
        /// The time after which a launch is healthy, or `nil` if only ``LaunchGuard/markHealthy()`` makes it healthy.
        public var healthyAfter: Duration? = .seconds(20)
        /// The actor that must run after that time, so that a program that hangs is not healthy. The default is the main
        /// actor. On a server, name the actor that does its work.
        public var healthActor: any Actor = MainActor.shared
        /// The clock that measures the time.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The destination of issues: values that are held back or released, and a folder that can't be used.
        public var issueReporter = FlagIssueReporter.current

        /// Creates the default options.
        public init() {}
    }

    private struct State {
        /// The file of notes, or `nil` if the launch isn't young any more or if nothing can be noted.
        var notes: LaunchFile?
        /// Whether a line was cut off, so that the next one needs a new line.
        var isLineCut = false
        /// The values of the last healthy launch, by hash.
        var healthy: [UInt64: UInt64] = [:]
        /// The values that are held back, by hash.
        var heldBack: [UInt64: LaunchValue] = [:]
        /// The hashes of the values that were read in this launch, with those of their places.
        var read: [UInt64: UInt64] = [:]
        /// The number of values in the file of notes.
        var noteCount = 0
        var hasRefused = false
        var timer: Task<Void, Never>?
    }

    private let id: String
    private let folder: LaunchFolder
    private let build: String
    let options: Options
    /// Held for at most one call of the system.
    private let state = Mutex(State())
    /// Whether no value has to be looked at: the launch isn't young, and nothing is held back.
    private let isIdle = Atomic(false)
    private let lifecycle = Mutex<FlagAppLifecycle?>(nil)
    private let exit = Mutex<ProcessExit?>(nil)
    private let observers = FlagProviderStore()

    /// Begins a launch and judges those before, which takes some small files.
    ///
    /// - Parameters:
    ///   - folder: The folder of the records. It is created if necessary, for this user only. Don't use a folder for
    ///     caches, which the system empties. Several executables may share it.
    ///   - options: The rules.
    public init(folder: URL, options: Options = Options()) {
        let executable = LaunchExecutable.current
        let path = folder.path(percentEncoded: false)
        self.folder = LaunchFolder(path: "\(path.hasSuffix("/") ? path : path + "/")\(executable.name)")
        build = executable.build
        self.options = options
        // Ids are in the order in which launches begin, as far as the clock is.
        let time = String(UInt64(max(0, Date().timeIntervalSince1970) * 1000), radix: 16)
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        id = String(repeating: "0", count: max(0, 16 - time.count)) + time + "-" + number
        begin()
        let exit = ProcessExit { [weak self] in self?.end() }
        self.exit.withLock { $0 = exit }
        // A process that is killed in the background has not crashed.
        let lifecycle = FlagAppLifecycle { [weak self] signal in
            switch signal {
            case .didEnterBackground, .willTerminate: self?.end()
            case .willEnterForeground, .protectedDataDidBecomeAvailable: break
            }
        }
        self.lifecycle.withLock { $0 = lifecycle }
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
        var problems: [LaunchFileError] = []
        var verdicts: [LaunchRecord.Verdict] = []
        var record = LaunchRecord()
        var notes: LaunchFile?
        func attempt<Success>(_ body: () throws(LaunchFileError) -> Success) -> Success? {
            do throws(LaunchFileError) {
                return try body()
            } catch {
                problems.append(error)
                return nil
            }
        }
        if attempt(folder.create) != nil {
            let lock = attempt { () throws(LaunchFileError) in try folder.lock() }
            var isReadable = true
            do throws(LaunchFileError) {
                record = try folder.readRecord()
            } catch {
                problems.append(error)
                // Another launch may be able to read it.
                isReadable = !error.isTransient
            }
            let old = record
            record.begin(build: build)
            let listing = attempt(folder.names)
            let names = listing?.names ?? []
            if let listing {
                record.judged.formIntersection(names.compactMap(LaunchFolder.id))
                if listing.areMore {
                    problems.append(LaunchFileError("list \(folder.path)", "it has more files than are read at once"))
                }
            }
            // What is over is judged even if the record can't be written.
            let over = isReadable ? folder.launchesThatAreOver(in: names) : []
            for launch in over {
                if let verdict = record.judge(launch.notes, id: launch.id, limit: min(max(options.deathLimit, 1), 100))
                {
                    verdicts.append(verdict)
                }
            }
            if case .some(nil) = lock {
                problems.append(LaunchFileError("lock \(folder.path)", "another process has locked it"))
            } else if lock != nil, isReadable {
                let isWritten =
                    record == old || attempt { () throws(LaunchFileError) in try folder.write(record) } != nil
                if isWritten { for launch in over { folder.end(launch.id) } }
                folder.removeOrphans(in: names)
            }
            // No other process judges these launches before their files are removed.
            withExtendedLifetime((lock, over)) {}
            notes = attempt { () throws(LaunchFileError) in try folder.begin(id) }
        }
        state.withLock { state in
            state.notes = notes
            state.healthy = record.healthy
            state.heldBack = Dictionary(record.heldBack.map { ($0.hash, $0) }) { $1 }
            updateIdle(state)
        }
        for verdict in verdicts { report(verdict) }
        if !problems.isEmpty { report(problems) }
    }

    private func updateIdle(_ state: State) {
        isIdle.store(state.notes == nil && state.heldBack.isEmpty, ordering: .releasing)
    }

    // MARK: Health

    /// Makes this launch a healthy one: what it has read is not noted in later launches. Does nothing if it isn't young
    /// any more.
    public func markHealthy() {
        guard let (notes, read) = takeNotes() else { return }
        // No other process judges the launch before it is done.
        defer { withExtendedLifetime(notes) {} }
        do throws(LaunchFileError) {
            // From here on the launch is healthy, wherever the process ends.
            try notes.append(LaunchLine.healthy)
        } catch {
            // It must not count as a death.
            folder.end(id)
            return report([error])
        }
        do throws(LaunchFileError) {
            // If another process has the record for long, the next launch reads this one's notes.
            guard let lock = try folder.lock() else { return }
            defer { withExtendedLifetime(lock) {} }
            var record = LaunchRecord()
            do throws(LaunchFileError) {
                record = try folder.readRecord()
            } catch {
                // Another launch may be able to read it.
                if error.isTransient { throw error }
            }
            record.begin(build: build)
            record.settle(read.map { ($0.key, $0.value) }, replacing: true)
            try folder.write(record)
            folder.end(id)
        } catch {
            report([error])
        }
    }

    /// Ends this launch, which then is neither healthy nor dead, if it is still young.
    ///
    /// Call it where a program is asked to terminate. On Apple's systems an app ends its launch when it goes to the
    /// background. A process that calls `exit`, or returns from `main`, ends it too.
    public func end() {
        guard let (notes, _) = takeNotes() else { return }
        folder.end(id)
        // Unlocked only now: a file without a process is that of a dead launch.
        withExtendedLifetime(notes) {}
    }

    /// Ends the youth of the launch.
    private func takeNotes() -> (notes: LaunchFile, read: [UInt64: UInt64])? {
        let (taken, timer) = state.withLock { state in
            defer {
                state.notes = nil
                state.timer = nil
                state.read = [:]
                updateIdle(state)
            }
            return (state.notes.map { ($0, state.read) }, state.timer)
        }
        timer?.cancel()
        return taken
    }

    // MARK: Held-back values

    /// A value that is held back.
    public struct HeldBackValue: Sendable, Hashable, CustomStringConvertible {
        /// The key of the flag, as text. A very long one is shortened.
        public let key: String
        /// The id of the provider.
        public let provider: String
        fileprivate let hash: UInt64

        /// The key and the provider.
        public var description: String { "\"\(key)\" of provider \"\(provider)\"" }
    }

    /// The values that are held back, whether or not a provider has them at present.
    public var heldBack: [HeldBackValue] {
        let values = state.withLock { Array($0.heldBack.values) }
        return values.sorted { ($0.key, $0.provider, $0.hash) < ($1.key, $1.provider, $1.hash) }
            .map { HeldBackValue(key: $0.key, provider: $0.provider, hash: $0.hash) }
    }

    /// Releases a value, which may be used from now on.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if that can't be stored. It applies to this process only then.
    public func release(_ value: HeldBackValue) throws(FlagError) {
        try release { $0.hash == value.hash }
    }

    /// Releases all values, and counts deaths anew.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if that can't be stored. It applies to this process only then.
    public func releaseAll() throws(FlagError) { try release { _ in true } }

    private func release(where shouldBeReleased: (LaunchValue) -> Bool) throws(FlagError) {
        state.withLock { state in
            state.heldBack = state.heldBack.filter { !shouldBeReleased($0.value) }
            updateIdle(state)
        }
        observers.announceReset()
        do throws(LaunchFileError) {
            guard let lock = try folder.lock() else {
                throw LaunchFileError("lock \(folder.path)", "another process has locked it")
            }
            defer { withExtendedLifetime(lock) {} }
            var record = try folder.readRecord()
            record.release(where: shouldBeReleased)
            try folder.write(record)
        } catch {
            throw FlagError(
                .inputOutput, provider: "LaunchGuard", reason: "the release was not stored: could not \(error)",
                advice: "Let the guard write its folder, and release the values again")
        }
    }
}

extension LaunchGuard: FlagValueGuard {
    private func reason() -> String {
        "it is held back, because launches that read it died soon after their start"
    }

    package func reasonToHoldBack(
        _ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String
    ) -> String? {
        guard !isIdle.load(ordering: .acquiring) else { return nil }
        let hash = ValueHash.value(value, at: ValueHash.slot(key, provider))
        return state.withLock { $0.heldBack[hash] != nil } ? reason() : nil
    }

    package func admit(_ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String) -> String? {
        guard !isIdle.load(ordering: .acquiring) else { return nil }
        let slot = ValueHash.slot(key, provider)
        let hash = ValueHash.value(value, at: slot)
        var failure: LaunchFileError?
        // A note is written under the lock, so no other thread uses the value before it is.
        let isHeldBack = state.withLock { state in
            if state.heldBack[hash] != nil {
                if !state.hasRefused {
                    state.hasRefused = true
                    failure = write(LaunchLine.held, &state)
                }
                return true
            }
            guard state.notes != nil, state.read.count < LaunchRecord.healthyLimit,
                state.read.updateValue(slot, forKey: hash) == nil, state.healthy[hash] == nil,
                state.noteCount < LaunchRecord.valueLimit
            else { return false }
            state.noteCount += 1
            let new = LaunchValue(slot: slot, hash: hash, provider: provider, key: key.text)
            failure = write(LaunchLine.new(new), &state)
            if state.noteCount == LaunchRecord.valueLimit, failure == nil {
                failure = LaunchFileError("note more values", "this launch has read \(state.noteCount) new ones")
            }
            return false
        }
        if let failure { report([failure]) }
        return isHeldBack ? reason() : nil
    }

    private func write(_ line: String, _ state: inout State) -> LaunchFileError? {
        do throws(LaunchFileError) {
            try state.notes?.append(state.isLineCut ? "\n" + line : line)
            state.isLineCut = false
            return nil
        } catch {
            defer { state.isLineCut = true }
            // Reported once.
            return state.isLineCut ? nil : error
        }
    }

    package func holdsBackValues(of provider: String) -> Bool {
        let provider = LaunchLine.stored(provider)
        return state.withLock { $0.heldBack.values.contains { LaunchLine.stored($0.provider) == provider } }
    }

    package func release(_ key: FlagKeyPath) throws(FlagError) {
        let key = LaunchLine.stored(key.text)
        try release { LaunchLine.stored($0.key) == key }
    }

    package func observe(_ observer: FlagProviderObserver) { observers.observe(observer) }
}
