#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore
public import TacklineFormats

// Foundation: `URL` is what applications have.

/// A provider that gets its values from a JSON document on a server.
///
/// ```swift
/// let remote = RemoteJSONProvider(url: url)
/// try await remote.refresh()                // once, now
/// try await remote.run()                    // or: keep them fresh until this task is cancelled
/// remote.start()                            // or: keep them fresh until stop() or the end of the provider
/// ```
///
/// The document is an object with the values at its top, by flat key or in nested objects; members at the top whose name
/// begins with `$` speak about the document (`$version`, `$expires`). Whatever happens on the way, a document is either
/// accepted as a whole or changes nothing. Values are kept in memory, and in a cache on disk for the next start.
///
/// Safe from any thread. Reading a value never waits for the network or the disk.
public final class RemoteJSONProvider: RefreshableFlagProvider, FlagReasoningProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    let driver: RefreshDriver
    private let lifecycle: FlagAppLifecycle

    /// Makes a provider. Nothing is read or sent before ``refresh()``, ``run()`` or ``start()``.
    ///
    /// - Parameters:
    ///   - url: Where the document is, by http or https.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - configuration: How it works.
    public init(
        url: URL,
        name: String = "RemoteJSONProvider",
        configuration: RemoteJSONConfiguration = RemoteJSONConfiguration()
    ) {
        self.name = name
        let driver = RefreshDriver(name: name, url: url, configuration: configuration)
        self.driver = driver
        lifecycle = FlagAppLifecycle { [weak driver] signal in
            switch signal {
            case .didEnterBackground: driver?.send(.suspended)
            case .willEnterForeground: driver?.send(.resumed)
            case .willTerminate, .protectedDataDidBecomeAvailable: break
            }
        }
    }

    /// Makes a provider with values that are in force until there are any from the cache or the server.
    public convenience init(url: URL, name: String = "RemoteJSONProvider", bootstrap: [String: EncodedFlagValue]) {
        var configuration = RemoteJSONConfiguration()
        configuration.bootstrap = FlagDocument(bootstrap)
        self.init(url: url, name: name, configuration: configuration)
    }

    /// Makes a provider for documents in a format: `.flagd` for definitions with rules.
    ///
    /// - Parameters:
    ///   - url: Where the document is, by http or https.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - format: What documents mean.
    ///   - bootstrap: A document in that format which is in force until there is one from the cache or the server.
    public convenience init(
        url: URL, name: String = "RemoteJSONProvider", format: FlagDocumentFormat,
        bootstrap: FlagDocument = FlagDocument()
    ) {
        var configuration = RemoteJSONConfiguration()
        configuration.format = format
        configuration.bootstrap = bootstrap
        self.init(url: url, name: name, configuration: configuration)
    }

    deinit {
        if driver.machine.isRunning { driver.send(.stopped) }
    }

    // MARK: Reading

    /// The values in force, without the members of the document that speak about it.
    public var document: FlagDocument? { driver.store.document }

    /// Returns the value in force, or `nil` where the document has none. With rules it is evaluated.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        driver.store.value(for: key)
    }

    /// The value in force with variant, reason and metadata, where the format of the document has any.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        driver.store.detailedValue(for: key)
    }

    /// Says how the rules of a document with rules come to what they give; `nil` where it has none for the key.
    public func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        driver.store.reasoning(for: key, as: attributes)
    }

    /// Takes an observer, held weakly, which is told what each new document changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        driver.store.observe(observer)
    }

    /// Live, and dependent on the task where the rules of the document are.
    public var kind: FlagProviderKind { driver.store.isTaskDependent ? [.live, .taskDependent] : .live }

    /// In short how the provider is doing; ``state`` tells more.
    ///
    /// `notReady` as long as there are neither values nor an error; `failed` when the server refuses (400, 401, 403,
    /// 404, 410), or when nothing has come yet and the last attempt failed; `stale` when the values were not confirmed
    /// for ``RemoteJSONConfiguration/staleAfter``; else `ready`.
    public var status: FlagProviderStatus { driver.machine.status(at: driver.time.now) }

    /// How current the values are, and what the provider is doing.
    public var state: RemoteJSONState { driver.machine.state(at: driver.moment) }

    /// Every event from now on, for one consumer; ask again for another.
    ///
    /// The stream ends with the provider. It keeps the newest 1,024 events for a consumer that does not read.
    public var events: AsyncStream<RemoteJSONEvent> { driver.events.makeStream() }

    // MARK: Refreshing

    /// Asks the server now and publishes what changed.
    ///
    /// Overlapping calls share one request; a call sooner than ``RemoteJSONConfiguration/minimumManualRefreshGap``
    /// after the last one waits for its turn. The values in force stay in force until the whole new document has been
    /// checked. Cancelling the caller does not cancel a request that others await.
    ///
    /// - Returns: What differs now; `.staged` where the new document waits for its activation.
    /// - Throws: ``/TacklineCore/FlagProviderError``: `network`, `rejected`, `misconfigured`, `throttled`, `offline`,
    ///   `stopped` or `cancelled`. Values stay as they were.
    @discardableResult
    public func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome {
        try await driver.refresh()
    }

    /// Keeps the values fresh until the calling task is cancelled: reads the cache, asks the server at once, at
    /// intervals and at the events of the stream.
    ///
    /// On return every timer, the stream and the request on its way have ended; the last event was
    /// ``RemoteJSONEvent/stopped``. It may be called again then. ``stop()`` ends it like a cancellation.
    ///
    /// - Throws: `CancellationError`, or ``/TacklineCore/FlagProviderError`` with code `already-running` at once.
    public func run() async throws {
        try await driver.run()
    }

    /// Does the same as ``run()`` in tasks of its own, until ``stop()`` or the end of the provider. Does nothing while it
    /// runs already.
    public func start() {
        driver.send(.started)
    }

    /// Ends what ``start()`` or ``run()`` began.
    ///
    /// When it returns, the last event was ``RemoteJSONEvent/stopped``, and no value changes any more; connections close
    /// soon after. The provider can be started again at once.
    public func stop() {
        guard driver.machine.isRunning else { return }
        driver.send(.stopped)
    }

    /// Waits until there are values from the cache or the server, or until the time is up.
    ///
    /// - Parameter timeout: `nil` stands for ``RemoteJSONConfiguration/readyTimeout``; zero only looks.
    /// - Returns: Whether there are values.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        await driver.waitUntilReady(timeout: timeout ?? driver.configuration.readyTimeout)
    }

    // MARK: Steering

    /// Puts the document in force that waits for it under ``RemoteJSONActivation/manual``, or under
    /// ``RemoteJSONActivation/nextStart`` if that is too far away.
    ///
    /// - Returns: Whether a document was put in force. `false` if none waits, or if the one that waits is older than
    ///   ``RemoteJSONConfiguration/cacheTimeToLive`` and is dropped.
    @discardableResult
    public func activate() -> Bool {
        driver.send(.activated).didSwap
    }

    /// Makes no requests by itself until ``resume()``; gives up the one on its way and closes the stream.
    ///
    /// On iOS, tvOS, watchOS and visionOS this happens by itself when the app goes to the background.
    public func suspend() {
        driver.send(.suspended)
    }

    /// Goes on after ``suspend()``, with one request at once if the values are older than
    /// ``RemoteJSONConfiguration/foregroundRefreshAge``.
    public func resume() {
        driver.send(.resumed)
    }

    /// Makes no requests at all, not even by ``refresh()``, until it is switched back. Gives up the one on its way and
    /// closes the stream.
    public func setOffline(_ isOffline: Bool) {
        driver.send(.offline(isOffline))
    }

    /// Turns to another URL: for another environment, or another user.
    ///
    /// A request on its way is given up, and its answer is dropped if it comes all the same. The stream is closed and
    /// opened again. Each URL has a cache of its own. If the server demanded silence, its host is not asked before the end
    /// of it, under whichever URL.
    ///
    /// - Parameters:
    ///   - url: Where documents come from, from now on. Nothing happens if they do already.
    ///   - streamURL: Where the server tells changes, from now on; `nil` leaves that as it is.
    ///   - keepingValues: Whether the values in force stay until there are any from the new URL. Say `false` where the
    ///     URL belongs to a user, so that nobody ever reads another user's values: when this returns, there are only
    ///     those of the bootstrap, and values that loaders pinned for the former user have ended.
    public func setURL(_ url: URL, streamURL: URL? = nil, keepingValues: Bool = true) {
        driver.send(.urlChanged(url, streamURL: streamURL, keepsValues: keepingValues))
    }
}
