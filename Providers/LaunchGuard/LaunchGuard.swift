public import Foundation
import Synchronization
public import TacklineCore
import TacklineFormats

// Foundation: `URL` names the folder.

/// Starts an app that new values make crash under the last good ones.
///
/// ```swift
/// let launches = LaunchGuard(folder: support.appending(path: "launches"))
/// let overrides = launches.guarding(FlagOverrides(storage: file))
/// let remote = launches.guarding(RemoteJSONProvider(url: url))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
/// ```
///
/// A launch is young until ``markHealthy()`` is called, or until it has lived for ``Options/healthyAfter``. If so many young
/// launches in a row die (of a signal, of a trap, of being killed) under values which the last healthy launch did not have, then
/// the values in force are quarantined: the next launch has those of the last healthy one, or none, so that the flags' defaults
/// answer; overrides are no exception. Values stay quarantined; others, which come in their place, are taken.
///
/// A crash that has nothing to do with values does not stay unnoticed: values are held back for at most as many launches that die
/// all the same.
///
/// Only the guard knows of launches, so make it early, and once in a process. Several processes may share the folder; those of
/// different programs should not. Everything is safe from any thread.
public final class LaunchGuard: Sendable {
    /// How a guard judges launches.
    public struct Options: Sendable {
        /// How many launches in a row must die.
        public var deathLimit = 3
        /// How long a launch must live to be healthy; `nil` if only ``LaunchGuard/markHealthy()`` says so.
        public var healthyAfter: Duration? = .seconds(20)
        /// Measures that.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Is told of each quarantine, of the end of one, and of a folder that cannot be used.
        public var issueReporter = FlagIssueReporter.current

        /// Makes the default options.
        public init() {}
    }

    /// Values that are held back.
    public struct Quarantine: Sendable, Hashable, CustomStringConvertible {
        /// The name of the provider that has them.
        public var provider: String
        /// Tells them apart from others.
        public var fingerprint: String

        /// For people to read.
        public var description: String { "values \(fingerprint) of provider \"\(provider)\"" }
    }

    private struct State {
        /// `nil` once the launch is not young any more, or if the folder cannot be used.
        var life: LaunchFiles.Lock?
        /// The history as this launch found it, with what it has learnt since.
        var history = LaunchHistory()
        /// What is in force, by provider.
        var documents: [String: FlagDocument] = [:]
        var names: Set<String> = []
        var timer: Task<Void, Never>?
    }

    private let id: String
    private let files: LaunchFiles
    private let options: Options
    /// Held while files are written; no read of a flag waits for it.
    private let state = Mutex(State())
    private let lifecycle = Mutex<FlagAppLifecycle?>(nil)

    /// Begins a launch: judges those before, which takes some small files.
    ///
    /// - Parameters:
    ///   - folder: Where launches are remembered. It is made if need be, for this user alone. Not a folder for caches, which the
    ///     system empties.
    ///   - options: How launches are judged.
    public init(folder: URL, options: Options = Options()) {
        id = String(UInt64.random(in: .min ... .max), radix: 16)
        files = LaunchFiles(folder: folder)
        self.options = options
        begin()
        // What is killed in the background has not crashed.
        let lifecycle = FlagAppLifecycle { [weak self] signal in
            switch signal {
            case .didEnterBackground, .willTerminate: self?.end()
            case .willEnterForeground, .protectedDataDidBecomeAvailable: break
            }
        }
        self.lifecycle.withLock { $0 = lifecycle }
        guard let limit = options.healthyAfter else { return }
        let clock = options.clock
        let timer = Task { [weak self] in
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            self?.markHealthy()
        }
        state.withLock { $0.timer = timer }
    }

    deinit { end() }

    private func begin() {
        var verdicts: [LaunchHistory.Verdict] = []
        do {
            let (files, id, limit) = (files, id, options.deathLimit)
            verdicts = try state.withLock { state in
                try files.makeFolder()
                let (life, history, verdicts) = try files.update { history, dead in
                    // Alive before anybody can know of it, or it would be taken for dead.
                    let life = try files.begin(id)
                    let verdicts = history.begin(id, dead: dead, limit: limit)
                    files.removeOrphans(of: history)
                    return (life, history, verdicts)
                }
                state.life = life
                state.history = history
                return verdicts
            }
        } catch {
            report(
                "launches-unknown",
                "Launches cannot be remembered in \(files.folder.path(percentEncoded: false)): \(error). Values that make the app "
                    + "crash will not be held back. Give the guard a folder that it can write.")
        }
        for verdict in verdicts {
            switch verdict {
            case .quarantined(let provider, let values, let deaths):
                report(
                    "quarantined-values",
                    "The app has died \(deaths) times in a row soon after its start under new values of provider "
                        + "\"\(provider)\" (\(values)). They are held back until others come; the last good ones answer.",
                    provider: provider)
            case .released(let provider):
                report(
                    "released-values",
                    "The app dies soon after its start although values of provider \"\(provider)\" are held back, so they are "
                        + "not any more.", provider: provider)
            }
        }
    }

    private func report(_ code: String, _ message: String, provider: String? = nil) {
        options.issueReporter.report(FlagIssue(.init(code), message: message, provider: provider))
    }

    // MARK: Providers

    /// Makes a provider whose values are guarded, to be put into chains in place of the provider itself.
    ///
    /// - Parameter provider: A provider with a document (``/TacklineCore/FlagProvider/document``) that notifies observers. If it
    ///   doesn't announce all changes, because its values depend on the calling task, they are taken as they are at a change
    ///   that it announces. The values of a provider without a document can't be guarded: that is reported, and they are
    ///   used as they are. Its name identifies it among the guarded providers, also in later launches.
    public func guarding<Base: FlagProvider>(_ provider: Base) -> GuardedProvider<Base> {
        let name = state.withLock { state in
            var name = provider.name
            while !state.names.insert(name).inserted { name += "'" }
            return name
        }
        if provider.document == nil {
            report(
                "unguarded-provider",
                "Provider \"\(provider.name)\" has no document, so the launch guard can't hold its values back. They are used "
                    + "unguarded. Guard a provider that has one, such as a file or a server's document.",
                provider: provider.name)
        }
        return GuardedProvider(provider, under: name, by: self)
    }

    /// Decides whether values come into force, and remembers it before they do.
    ///
    /// - Returns: The values that are in force from now on; `nil` to leave those that are.
    func admit(_ document: FlagDocument, of provider: String) -> (shown: FlagDocument?, isHeld: Bool) {
        let values = Fingerprint.of(document)
        return state.withLock { state in
            guard state.history.isQuarantined(values, of: provider) else {
                state.documents[provider] = document
                let id = id
                change(&state) { $0.note(values, of: provider, in: id) }
                return (document, false)
            }
            let isBare = (state.documents[provider] ?? FlagDocument()) == FlagDocument()
            let good = isBare ? files.healthyValues(of: provider) : nil
            if let good { state.documents[provider] = good }
            let id = id
            change(&state) {
                if let good { $0.note(Fingerprint.of(good), of: provider, in: id) }
                $0.noteHeld(values, of: provider, in: id)
            }
            return (good, true)
        }
    }

    /// Changes the history while the launch is young. If that fails, the values come into force all the same.
    private func change(_ state: inout State, _ body: (inout LaunchHistory) -> Void) {
        guard state.life != nil else { return }
        _ = try? files.update { history, _ in
            body(&history)
            state.history = history
        }
    }

    // MARK: Health

    /// Says that this launch is healthy: what is in force now is good. Does nothing if it is not young any more.
    public func markHealthy() {
        finish { $0.settle($1) }
    }

    /// Says that the app ends in good order, before it was healthy: neither good nor bad. Call it where the app is asked to
    /// terminate, and at the end of a program that ends by itself. On
    /// Apple's systems an app that goes to the background does it by itself, and so does the end of the guard.
    public func end() {
        finish { $0.end($1) }
    }

    private func finish(_ body: (inout LaunchHistory, String) -> Void) {
        let timer: Task<Void, Never>? = state.withLock { state in
            defer { state.timer = nil }
            guard let life = state.life else { return state.timer }
            state.life = nil
            let id = id
            let old = state.history.healthy
            _ = try? files.update { history, _ in
                body(&history, id)
                state.history = history
            }
            for (provider, values) in state.history.healthy where old[provider] != values {
                if let document = state.documents[provider], Fingerprint.of(document) == values {
                    try? files.keep(document, of: provider)
                }
            }
            files.end(id, life)
            return state.timer
        }
        timer?.cancel()
    }

    /// The values that are held back whenever they come.
    public var quarantined: [Quarantine] {
        state.withLock { $0.history.quarantined }.sorted { $0.key < $1.key }.flatMap { provider, values in
            values.map { Quarantine(provider: provider, fingerprint: $0) }
        }
    }

    /// Holds nothing back any more, from the next launch on, and counts anew.
    public func releaseAll() {
        state.withLock { state in
            _ = try? files.update { history, _ in
                history.releaseAll()
                state.history = history
            }
        }
    }
}
