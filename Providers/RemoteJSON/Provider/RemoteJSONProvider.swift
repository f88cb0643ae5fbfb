public import Foundation
public import TacklineCore
import TacklineFiles

// Foundation: `URL` is the type that applications use.

/// A provider that gets its values from a JSON document on a server.
///
/// ```swift
/// let remote = RemoteJSONProvider(url: url)
/// try await remote.refresh()                // once, now
/// try await remote.run()                    // or: keep them fresh until this task is cancelled
/// remote.start()                            // or: keep them fresh until stop() or the end of the provider
/// ```
///
/// The document is an object with the values at its top level, by flat key or in nested objects. Members at the top
/// level whose name begins with `$` describe the document (`$version`, `$expires`). A document is either accepted as a
/// whole or changes nothing. Values are kept in memory and in a cache on disk. The next launch has the cached values as
/// soon as the provider is made.
///
/// The provider may be used from any thread. Reading a value never waits for the network or the disk.
public final class RemoteJSONProvider: RefreshableFlagProvider, FlagReasoningProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    let driver: RefreshDriver
    private let lifecycle: FlagAppLifecycle

    /// Creates a provider with the values from the cache, or those of the bootstrap. Nothing is sent before
    /// ``refresh()``, ``run()`` or ``start()``.
    ///
    /// The cache is read on the calling thread (``RemoteJSONConfiguration/readsCacheAtOnce``).
    ///
    /// - Parameters:
    ///   - url: The URL of the document, by http or https.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - subject: An identity of the user whose values these are, such as an account's id, if the URL doesn't contain
    ///     one; `nil` for no particular user. See ``setSubject(_:)``.
    ///   - configuration: The provider's settings.
    public init(
        url: URL,
        name: String = "RemoteJSONProvider",
        subject: String? = nil,
        configuration: RemoteJSONConfiguration = RemoteJSONConfiguration()
    ) {
        self.name = name
        let driver = RefreshDriver(name: name, url: url, subject: subject, configuration: configuration)
        self.driver = driver
        driver.reportProblems()
        lifecycle = FlagAppLifecycle { [weak driver] signal in
            switch signal {
            case .didEnterBackground: driver?.send(.suspended)
            case .willEnterForeground: driver?.send(.resumed)
            case .protectedDataDidBecomeAvailable: driver?.unlockCache()
            case .willTerminate: break
            }
        }
    }

    /// Creates a provider with values that are in force until there are values from the cache or the server.
    public convenience init(url: URL, name: String = "RemoteJSONProvider", bootstrap: [String: EncodedFlagValue]) {
        var configuration = RemoteJSONConfiguration()
        configuration.bootstrap = FlagDocument(bootstrap)
        self.init(url: url, name: name, configuration: configuration)
    }

    /// Creates a provider for documents in a format, such as `.flagd` for definitions with rules.
    ///
    /// - Parameters:
    ///   - url: The URL of the document, by http or https.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - subject: The identity of the user, as in the other initializer.
    ///   - format: The format of the documents.
    ///   - bootstrap: A document in that format that is in force until there is one from the cache or the server.
    public convenience init(
        url: URL, name: String = "RemoteJSONProvider", subject: String? = nil, format: FlagDocumentFormat,
        bootstrap: FlagDocument = FlagDocument()
    ) {
        var configuration = RemoteJSONConfiguration()
        configuration.format = format
        configuration.bootstrap = bootstrap
        self.init(url: url, name: name, subject: subject, configuration: configuration)
    }

    deinit {
        if driver.machine.isRunning { driver.send(.stopped) }
    }

    // MARK: Reading

    /// The values in force, without the members that describe the document.
    public var document: FlagDocument? { driver.store.document }

    /// Returns the value in force, or `nil` if the document has none. A definition with rules is evaluated.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        driver.store.value(for: key)
    }

    /// Returns the value in force with its variant, reason and metadata, if the format of the document has any.
    ///
    /// If a value comes from the cache and the server has not confirmed it,
    /// ``/TacklineCore/FlagEvaluation/note`` gives its age. Its reason is `CACHED`, unless this provider evaluates the
    /// flag's rules itself.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        var answer = driver.store.evaluation(for: key)
        guard answer.value != nil, let age = driver.cacheAge else { return answer }
        if answer.reason == nil || driver.configuration.dialect != nil { answer.reason = .cached }
        answer.noteCache(age: age)
        return answer
    }

    /// Returns how the rules of the document lead to the flag's value, or `nil` if the document has no rules for the
    /// key.
    package func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        driver.store.reasoning(for: key, as: attributes)
    }

    /// Adds an observer, held weakly, which is notified of the changes of each new document.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        driver.store.observe(observer)
    }

    /// The traits: live, and also task-dependent if the document's rules are.
    public var traits: FlagProviderTraits { driver.store.isTaskDependent ? [.live, .taskDependent] : .live }

    /// The provider's current health. ``state`` has more detail.
    ///
    /// The status is `notReady` while there are neither values nor an error. It is `failed` when the server refuses
    /// (400, 401, 403, 404, 410), or when there are no values and the last attempt failed. It is `stale` when the
    /// values were not confirmed for ``RemoteJSONConfiguration/staleAfter``, and `ready` otherwise.
    public var status: FlagProviderStatus { driver.machine.status(at: driver.time.now) }

    /// The freshness of the values and the current activity of the provider.
    public var state: RemoteJSONState { driver.machine.state(at: driver.moment) }

    /// A stream of every event from now on, for one consumer. Read the property again for another consumer.
    ///
    /// The stream ends with the provider. It keeps the newest 1,024 events for a consumer that does not read.
    public var events: AsyncStream<RemoteJSONEvent> { driver.events.makeStream() }

    // MARK: Refreshing

    /// Asks the server now and publishes what changed.
    ///
    /// Overlapping calls share a request that begins after they were made, so each call gets the server's state at that
    /// time. A call sooner than ``RemoteJSONConfiguration/minimumManualRefreshGap`` after the last one waits until the
    /// gap is over. The current values stay in force until the whole new document has been checked. Cancelling the
    /// caller does not cancel a request that others await.
    ///
    /// - Returns: The changes; `.staged` if the new document waits for its activation.
    /// - Throws: ``/TacklineCore/FlagError``: `network`, `rejected`, `misconfigured`, `throttled`, `offline`,
    ///   `stopped` or `cancelled`. The values stay as they were.
    @discardableResult
    public func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        try await driver.refresh()
    }

    /// Keeps the values fresh until the calling task is cancelled: reads the cache, and asks the server at once, at
    /// intervals, and at events of the stream.
    ///
    /// On return every timer, the stream and the current request have ended, and the last event was
    /// ``RemoteJSONEvent/stopped``. The function can then be called again. ``stop()`` ends it like a cancellation.
    ///
    /// - Throws: `CancellationError`, or ``/TacklineCore/FlagError`` with code `already-running` at once.
    public func run() async throws {
        try await driver.run()
    }

    /// Does the same as ``run()`` in tasks of its own, until ``stop()`` is called or the provider is released. Does
    /// nothing if the provider is running.
    public func start() {
        driver.watchNetwork()
        driver.send(.started)
    }

    /// Ends the work that ``start()`` or ``run()`` began.
    ///
    /// On return the last event was ``RemoteJSONEvent/stopped``, and no value changes any more. Connections close soon
    /// after. The provider can be started again at once.
    public func stop() {
        guard driver.machine.isRunning else { return }
        driver.send(.stopped)
    }

    /// Waits until there are values from the cache or the server, or until the timeout is over.
    ///
    /// The wait also ends when no values are to be expected: with ``RemoteJSONActivation/manual`` and
    /// ``RemoteJSONActivation/nextLaunch`` when the first document is staged, when the server refuses (400, 401, 403, 404,
    /// 410), and when the provider is stopped or switched offline.
    ///
    /// - Parameter timeout: The longest wait. `nil` stands for ``RemoteJSONConfiguration/readyTimeout``; zero doesn't
    ///   wait.
    /// - Returns: Whether there are values.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        await driver.waitUntilReady(timeout: timeout ?? driver.configuration.readyTimeout)
    }

    // MARK: Steering

    /// Puts the staged document in force, under ``RemoteJSONActivation/manual``, or under
    /// ``RemoteJSONActivation/nextLaunch`` before the next launch.
    ///
    /// - Returns: Whether a document was put in force. `false` if none is staged, or if the staged one is older than
    ///   ``RemoteJSONConfiguration/cacheTimeToLive``; such a document is dropped.
    @discardableResult
    public func activate() -> Bool {
        driver.send(.activated).didSwap
    }

    /// Cancels the current request, closes the stream, and sends no request by itself until ``resume()``.
    ///
    /// On iOS, tvOS, watchOS and visionOS the provider does this by itself when the app enters the background.
    public func suspend() {
        driver.send(.suspended)
    }

    /// Ends a suspension. Sends one request at once if the values are older than
    /// ``RemoteJSONConfiguration/foregroundRefreshAge``.
    public func resume() {
        driver.send(.resumed)
    }

    /// Switches the provider offline or online. While offline it sends no request, not even for ``refresh()``. Going
    /// offline cancels the current request and closes the stream.
    public func setOffline(_ isOffline: Bool) {
        driver.send(.offline(isOffline))
    }

    /// Changes the URL, for another environment or another user.
    ///
    /// The current request is cancelled, and a late answer to it is dropped. The stream is closed and opened again.
    /// Each URL has a cache of its own. If a server asked for no requests until some time, no URL of its host is asked
    /// before then.
    ///
    /// - Parameters:
    ///   - url: The new URL of documents. If it is the current one, nothing happens as long as values are kept.
    ///   - streamURL: The new URL of the change stream; `nil` leaves it as it is.
    ///   - keepingValues: Whether the values in force stay until there are values from the new URL. Pass `false` if the
    ///     URL belongs to a user, so that another user's values are never read. When this returns, there are then only
    ///     values from the new URL's cache or the bootstrap, and values that loaders pinned for the former user have
    ///     ended. With `false` and the current URL, the provider removes its values and asks again. For users who share
    ///     one URL, see ``setSubject(_:)``.
    public func setURL(_ url: URL, streamURL: URL? = nil, keepingValues: Bool = true) {
        let isSame = url == driver.machine.url
        driver.turn(
            RemoteAddressChange(
                url: url, streamURL: streamURL, former: keepingValues ? .kept : isSame ? .forgotten : .dropped))
    }

    /// Changes to another user of the same URL. The server identifies the user by
    /// ``RemoteJSONConfiguration/authorization`` or a header.
    ///
    /// When this returns, there are only values from the new subject's cache or the bootstrap. The current request is
    /// cancelled, the former subject's entity tag is no longer sent, and pinned values have ended. While the provider
    /// runs, it asks the server at once, so let `authorization` return the new user's token before this call. Nothing
    /// happens if the subject is the same.
    ///
    /// - Parameter subject: An identity of the user that stays the same, such as an account's id; `nil` for no
    ///   particular user. It is not sent. The name of the cache file depends on a hash of it.
    public func setSubject(_ subject: String?) {
        driver.turn(RemoteAddressChange(subject: .some(subject)))
    }

    /// Changes to no particular user, and removes the former subject's values from the cache.
    public func signOut() {
        driver.turn(RemoteAddressChange(subject: .some(nil), former: .forgotten))
    }

    /// Changes the URL, the subject, or both at once.
    ///
    /// - Parameters:
    ///   - subject: The new subject, or `nil` for the same as before.
    ///   - forgetting: Whether the former values are also removed from the cache.
    ///   - isAwaited: Whether the returned closure waits for the server's answer.
    /// - Returns: A closure that waits for the server's answer. Unless `isAwaited`, there is no request to wait for.
    @discardableResult
    package func turn(
        to url: URL, subject: String?? = nil, forgetting: Bool = false, isAwaited: Bool = false
    ) -> @Sendable () async throws(FlagError) -> FlagRefreshOutcome {
        var change = RemoteAddressChange(url: url, subject: subject, former: forgetting ? .forgotten : .dropped)
        change.isAwaited = isAwaited
        let reply = driver.turn(change)
        return { [driver] () async throws(FlagError) in try await driver.outcome(reply) }
    }
}
