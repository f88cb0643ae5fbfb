public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

/// A provider that gets its values from a JSON document on a server.
///
/// ```swift
/// let remote = RemoteJSONProvider(url: url)
/// let flags = FlagsLoader(AppFlags.self, providers: [remote])
/// remote.start()                            // keeps the values fresh until stop() or the end of the provider
/// try await remote.run()                    // or: until this task is cancelled
/// try await remote.refresh()                // or: once, now
/// ```
///
/// The document is an object with the values at its top level, by flat key or in nested objects. Members at the top
/// level whose name begins with `$` describe the document (`$version`, `$expires`). A document is either accepted as a
/// whole or changes nothing. After a document with a `$version`, one without it, or with a lower one, is refused; so is an
/// empty one without it. To withdraw all values, send a document that has only a `$version`.
///
/// Values are kept in memory and in a cache on disk. The next launch has the cached values as soon as the provider is made.
/// The provider may be used from any thread. Reading a value never waits for the network or the disk.
public final class RemoteJSONProvider: RefreshableFlagProvider, FlagReasoningProvider, FingerprintedProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    package let refresher: Refresher
    private let lifecycle: FlagAppLifecycle
    /// Whether the provider was started, refreshed, or reported for not being so.
    private let isUsed = Atomic<Bool>(false)
    private let reporter = FlagIssueReporter.current

    /// Creates a provider with the values from the cache, or those of the bootstrap. Nothing is sent before
    /// ``refresh()``, ``run()`` or ``start()``.
    ///
    /// The cache is read on the calling thread: one read of a file that is little longer than a document.
    ///
    /// - Parameters:
    ///   - url: The URL of the document, by http or https.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - subject: An identity of the user whose values these are, such as an account's id, if the URL doesn't contain
    ///     one; `nil` for no particular user. See ``setSubject(_:)``.
    ///   - format: The format of the documents, such as `.flagd` for definitions with rules.
    ///   - bootstrap: The document shipped with the program, in the same format. It is in force until there is one from the
    ///     cache or the server.
    ///   - configuration: The provider's settings.
    public convenience init(
        url: URL, name: String = "RemoteJSONProvider", subject: String? = nil, format: FlagDocumentFormat = .values,
        bootstrap: FlagDocument = FlagDocument(), configuration: Configuration = Configuration()
    ) {
        var configuration = configuration
        configuration.format = format
        let target = RemoteTarget(url: url, subject: subject)
        self.init(name: name, target: target, bootstrap: bootstrap, configuration: configuration)
    }

    package init(name: String, target: RemoteTarget, bootstrap: FlagDocument, configuration: Configuration) {
        self.name = name
        let refresher = Refresher(name: name, target: target, bootstrap: bootstrap, configuration: configuration)
        self.refresher = refresher
        lifecycle = FlagAppLifecycle { [weak refresher] signal in
            switch signal {
            case .didEnterBackground: refresher?.suspend()
            case .willEnterForeground: refresher?.resume()
            case .protectedDataDidBecomeAvailable: refresher?.unlockCache()
            case .willTerminate: break
            }
        }
    }

    deinit { refresher.stop() }

    // MARK: Reading

    /// The values in force, without the members that describe the document.
    public var document: FlagDocument? { refresher.store.document }

    /// Returns the value in force, or `nil` if the document has none. A definition with rules is evaluated.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if !isUsed.load(ordering: .relaxed) { reportMissingStart() }
        return refresher.store.value(for: key)
    }

    /// Reports once that the provider is read and was not started within ten seconds.
    private func reportMissingStart() {
        guard refresher.clock.now >= .seconds(10), !isUsed.exchange(true, ordering: .relaxed) else { return }
        let message =
            "Provider \"\(name)\" is read, but asks no server, because it was never started. Call start() when the app "
            + "launches, or refresh()."
        reporter.report(FlagError("never-started", message, provider: name))
    }

    /// Returns the value in force with its variant, reason and metadata, if the format of the document has any.
    ///
    /// If a value comes from the cache and the server has not confirmed it,
    /// ``/TacklineCore/FlagEvaluation/note`` gives its age. Its reason is `CACHED`, unless this provider evaluates the
    /// flag's rules itself.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        var answer = refresher.store.evaluation(for: key)
        guard answer.value != nil, let (age, isForTarget) = refresher.unconfirmed else { return answer }
        if answer.reason == nil || refresher.configuration.isEvaluating {
            answer.reason = isForTarget ? .cached : .stale
        }
        let remark = "from the cache of \(age.roundedText) ago"
        answer.note = answer.note.map { "\($0), \(remark)" } ?? remark
        return answer
    }

    /// Returns how the rules of the document lead to the flag's value, or `nil` if the document has no rules for the
    /// key.
    package func reasoning(for key: FlagKeyPath) -> FlagReasoning? { refresher.store.reasoning(for: key) }

    /// A hash of the document in force and of ``fingerprintSubject``; `nil` without a document.
    package var fingerprint: UInt64? {
        guard let content = refresher.read({ $0.active?.fingerprint }) else { return nil }
        let subject = fingerprintSubject.map { EncodedFlagValue.string($0) } ?? .null
        return FlagDocument(["content": .string("\(content)"), "subject": subject]).fingerprint
    }

    /// The targeting key that rules are evaluated for, or else that of the document; `nil` if there is none.
    package var fingerprintSubject: String? { refresher.store.subject ?? refresher.read { $0.target.label } }

    /// Adds an observer, held weakly, which is notified of the changes of each new document.
    public func observe(_ observer: FlagProviderObserver) -> Bool { refresher.store.observe(observer) }

    /// The traits: live, and also task-dependent if the document's rules are.
    public var traits: FlagProviderTraits { refresher.store.isTaskDependent ? [.live, .taskDependent] : .live }

    /// The provider's current health. ``state`` has more detail.
    ///
    /// The status is `notReady` while there are neither values nor an error. It is `failed` when the server refuses
    /// (400, 401, 403, 404, 410), or when there are no values and the last attempt failed or the server asked for a pause.
    /// It is `stale` when the values were not confirmed for ``Configuration/staleAfter``, and `ready` otherwise.
    public var status: FlagProviderStatus { state.status }

    /// The freshness of the values and the current activity of the provider.
    public var state: State { refresher.publicState }

    /// The current state, then each that differs, for one consumer. Read the property again for another one.
    ///
    /// A consumer that falls behind gets the latest state. The sequence ends with the provider.
    public var states: some AsyncSequence<State, Never> & Sendable { refresher.states }

    // MARK: Refreshing

    /// Asks the server now and publishes what changed.
    ///
    /// Overlapping calls share a request that begins after they were made, so each call gets the server's state at that
    /// time. The current values stay in force until the whole new document has been checked. Cancelling the caller does not
    /// cancel a request that others await.
    ///
    /// - Returns: The changes; `.staged` if the new document waits for its activation.
    /// - Throws: ``/TacklineCore/FlagError``: `network`, `rejected`, `misconfigured`, `throttled`, `offline`,
    ///   `stopped` or `cancelled`. The values stay as they were.
    @discardableResult
    public func refresh() async throws -> FlagRefreshOutcome {
        isUsed.store(true, ordering: .relaxed)
        return try await refresher.refresh()
    }

    /// Keeps the values fresh until the calling task is cancelled: asks the server at once, at intervals, and at events of
    /// the stream.
    ///
    /// On return every timer, the stream and the current request have ended. The function can then be called again.
    /// ``stop()`` ends it like a cancellation.
    ///
    /// - Throws: `CancellationError`, or ``/TacklineCore/FlagError`` with code `already-running` at once.
    public func run() async throws {
        isUsed.store(true, ordering: .relaxed)
        try await refresher.run()
    }

    /// Does the same as ``run()`` in a task of its own, until ``stop()`` is called or the provider is released. Does
    /// nothing if the provider is running.
    public func start() {
        isUsed.store(true, ordering: .relaxed)
        refresher.start()
    }

    /// Ends the work that ``start()`` or ``run()`` began.
    ///
    /// On return no value changes any more. Connections close soon after. The provider can be started again at once.
    public func stop() { refresher.stop() }

    /// Waits until there are values from the cache or the server, or until the timeout is over.
    ///
    /// The wait also ends when no values are to be expected: with ``Activation/manual`` and ``Activation/nextLaunch`` when
    /// the first document is staged, when the server refuses (400, 401, 403, 404, 410), and when the provider is stopped or
    /// switched offline.
    ///
    /// - Parameter timeout: The longest wait; zero doesn't wait.
    /// - Returns: Whether there are values.
    @discardableResult
    public func waitUntilReady(timeout: Duration = .seconds(5)) async -> Bool {
        await refresher.waitUntilReady(timeout: timeout)
    }

    // MARK: Steering

    /// Puts the staged document in force, under ``Activation/manual``, or under ``Activation/nextLaunch`` before the next
    /// launch.
    ///
    /// - Returns: Whether a document was put in force. `false` if none is staged, or if the staged one is older than 30
    ///   days; such a document is dropped.
    @discardableResult
    public func activate() -> Bool { refresher.activate() }

    /// Whether the provider is switched offline. It then sends no request, not even for ``refresh()``. Going offline cancels
    /// the current request and closes the stream; going online sends a request at once.
    public var isOffline: Bool {
        get { refresher.isOffline }
        set { refresher.isOffline = newValue }
    }

    /// Changes to another user of the same URL. The server identifies the user by ``Configuration/authorization`` or a
    /// header.
    ///
    /// When this returns, there are only values from the new subject's cache or the bootstrap. The current request is
    /// cancelled, the former subject's entity tag is no longer sent, and pinned values have ended. While the provider
    /// runs, it asks the server at once, so let `authorization` return the new user's token before this call. Nothing
    /// happens if the subject is the same.
    ///
    /// - Parameter subject: An identity of the user that stays the same, such as an account's id. It is not sent. The name
    ///   of the cache file depends on a hash of it. `nil` signs the user out: the values are also removed from the cache.
    public func setSubject(_ subject: String?) {
        let url = refresher.read { $0.target.url }
        refresher.turn(to: RemoteTarget(url: url, subject: subject), forgetting: subject == nil)
    }
}
