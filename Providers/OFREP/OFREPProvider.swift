#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
public import TacklineCore
import TacklineFormats
public import TacklineRemoteJSON
public import TacklineTargeting

// Foundation: `URL` is what applications have.

/// A provider whose values a server evaluates for one context, by OpenFeature's remote evaluation protocol (OFREP 0.3): for apps,
/// where there is one user at a time.
///
/// ```swift
/// let flags = try OFREPProvider(baseURL: url, context: ["targetingKey": account.id, "plan": "premium"])
/// flags.start()                             // asks at once, at intervals and at the events of the server's stream
/// flags.setContext(["targetingKey": other.id])   // from here on nobody reads a value of the first account
/// ```
///
/// All flags are evaluated in one request, and kept in memory, and on disk for the next start, for each context apart. The
/// answer's variants, reasons, metadata and error codes are what `explain()` shows. A flag that the server could not evaluate,
/// or that it leaves to the application, has no value. A server that answers 401 or 403 is not asked again by itself:
/// ``refresh()``, ``start()`` after ``stop()`` and ``setContext(_:)`` ask.
///
/// Safe from any thread. Reading a value never waits for the network or the disk.
public final class OFREPProvider: RefreshableFlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    private let endpoint: OFREPEndpoint
    private let reporter: FlagIssueReporter
    private let issues = FlagIssueLog()
    private let hints: OFREPHints
    private let remote: RemoteJSONProvider
    private let subject: Mutex<Subject>

    /// The targeting key of the context in force. It is `nil` while the context changes, and after two changes at once, of which
    /// either may be in force.
    private struct Subject {
        private(set) var key: String?
        private var changes = 0
        private var isOverlapping = false

        init(_ key: String?) { self.key = key }

        mutating func begin() {
            key = nil
            isOverlapping = changes > 0
            changes += 1
        }

        mutating func end(_ key: String?) {
            changes -= 1
            if changes == 0, !isOverlapping { self.key = key }
        }
    }

    /// Makes a provider. Nothing is read or sent before ``refresh()``, ``run()`` or ``start()``.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL up to `/ofrep`, by http or https.
    ///   - context: Whom flags are evaluated for. It is sent to the server as a whole, up to 64 KiB of JSON.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - configuration: How it works.
    /// - Throws: ``/TacklineCore/FlagProviderError`` with the code `invalid-url`.
    public init(
        baseURL: URL, context: EvaluationContext = EvaluationContext(), name: String = "OFREPProvider",
        configuration: OFREPConfiguration = OFREPConfiguration()
    ) throws(FlagProviderError) {
        self.name = name
        let endpoint = try OFREPEndpoint(baseURL, provider: name)
        self.endpoint = endpoint
        reporter = FlagIssueReporter.current
        hints = OFREPHints()
        subject = Mutex(Subject(context.targetingKey))
        let (url, problem) = endpoint.url(for: context)
        remote = RemoteJSONProvider(
            url: url, name: name, configuration: configuration.remote(endpoint, hints, provider: name, reporter))
        report(problem)
    }

    // MARK: Reading

    /// Returns the value in force for the context, or `nil` where the answer has none. Nothing is asked for it.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { remote.value(for: key) }

    /// The value in force with variant, reason and metadata, or what went wrong: `FLAG_NOT_FOUND` where the answer has no such
    /// flag, else the code that the server gave.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        let before = subject.withLock { $0.key }
        var answer = remote.detailedValue(for: key)
        // While the context changes, it is not known whose answer it is.
        if before == subject.withLock({ $0.key }) { answer.details?.subject = before }
        return answer
    }

    /// Takes an observer, held weakly, which is told what each answer and each other context changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool { remote.observe(observer) }

    /// In short how the provider is doing: `failed` after a refusal (400, 401, 403, 404, 410), and as
    /// `RemoteJSONProvider.status` has it.
    public var status: FlagProviderStatus { remote.status }

    /// How current the values are, and what the provider is doing.
    public var state: RemoteJSONState { remote.state }

    /// Every event from now on, for one consumer; ask again for another.
    public var events: AsyncStream<RemoteJSONEvent> { remote.events }

    // MARK: Context

    /// Turns to another context: for another user, or when something about this one is different now.
    ///
    /// When this returns, the values of the old context are gone, those too that a loader pinned for a session or a launch. A request on its way is given up, and its answer is dropped if
    /// it comes all the same. Those of the new context come from the disk, if they were kept there, and from the server, which is
    /// asked at once while the provider runs. Nothing happens if the context is the same.
    ///
    /// A context of which the server cannot be told everything, because it is longer than 64 KiB or has what JSON cannot carry,
    /// is reported as `ofrep-context`; then the server is told its targeting key alone.
    public func setContext(_ context: EvaluationContext) {
        let (url, problem) = endpoint.url(for: context)
        subject.withLock { $0.begin() }
        remote.setURL(url, keepingValues: false)
        subject.withLock { $0.end(context.targetingKey) }
        report(problem)
    }

    private func report(_ problem: String?) {
        guard let problem else { return issues.resolve(.init("ofrep-context"), provider: name) }
        let message =
            "The context of provider \"\(name)\" cannot be sent: \(problem). Leave out what flags do not need."
        issues.report(FlagIssue(.init("ofrep-context"), message: message, provider: name), to: [reporter])
    }

    // MARK: Refreshing

    /// Asks the server now and publishes what changed, as `RemoteJSONProvider.refresh()` does.
    ///
    /// - Returns: What differs now.
    /// - Throws: ``/TacklineCore/FlagProviderError``: `network`, `rejected`, `misconfigured`, `throttled`, `offline`,
    ///   `stopped` or `cancelled`; the last also where the context changed meanwhile. Values stay as they were.
    @discardableResult
    public func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome { try await remote.refresh() }

    /// Keeps the values fresh until the calling task is cancelled, or ``stop()``.
    ///
    /// - Throws: `CancellationError`, or ``/TacklineCore/FlagProviderError`` with code `already-running` at once.
    public func run() async throws { try await remote.run() }

    /// Does the same as ``run()`` in tasks of its own, until ``stop()`` or the end of the provider. Does nothing while it
    /// runs already.
    public func start() { remote.start() }

    /// Ends what ``start()`` or ``run()`` began.
    public func stop() { remote.stop() }

    /// Waits until there are values for the context, from the disk or the server, or until the time is up.
    ///
    /// - Parameter timeout: `nil` stands for `readyTimeout` of the configuration's requests; zero only looks.
    /// - Returns: Whether there are values.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        await remote.waitUntilReady(timeout: timeout)
    }

    /// Makes no requests by itself until ``resume()``, and closes the stream. On Apple's systems but macOS this happens by
    /// itself when the app goes to the background.
    public func suspend() { remote.suspend() }

    /// Goes on after ``suspend()``. Where there is a stream, all values are asked for, since nobody knows what it told meanwhile.
    public func resume() { remote.resume() }

    /// Makes no requests at all, not even by ``refresh()``, until it is switched back.
    public func setOffline(_ isOffline: Bool) { remote.setOffline(isOffline) }
}

extension OFREPConfiguration {
    /// The configuration of the provider of documents that does the work.
    func remote(
        _ endpoint: OFREPEndpoint, _ hints: OFREPHints, provider: String, _ reporter: FlagIssueReporter
    ) -> RemoteJSONConfiguration {
        var remote = requests
        remote.transport = OFREPTransport(
            transport: requests.makeTransport(provider: provider), endpoint: endpoint, hints: hints)
        remote.format = FlagDocumentFormat(name: "OFREP") { OFREPStore(providerName: $0, reporter: reporter) }
        remote.bootstrap = OFREPAnswer.document(of: bootstrap)
        (remote.trust, remote.verifier, remote.streamURL) = (nil, nil, nil)
        remote.authorization = bearerToken.map(Self.bearer)
        if let folder = requests.cacheFolder {
            remote.cache = .directory(folder.appending(path: endpoint.folderName(requests.cacheNamespace)))
        }
        var dialect = RemoteDialect()
        dialect.finalStatuses = [401, 403]
        dialect.secretHeaders = apiKey.map(Self.headers)
        let follows = followsStreams
        dialect.takeStream = { document in
            let stream = endpoint.takeStream(&document)
            return follows ? stream : nil
        }
        dialect.isChange = { hints.note($0) }
        dialect.refusal = { OFREPAnswer.refusal(in: $0) }
        dialect.maximumKept = max(1, maximumKeptContexts)
        let issues = OFREPIssues(provider: provider, reporter: reporter)
        dialect.tell = { issues.take($0) }
        remote.dialect = dialect
        return remote
    }

    private typealias Secret = @Sendable () async throws -> String?

    private static func bearer(_ token: @escaping Secret) -> Secret {
        { try await token().map { "Bearer \($0)" } }
    }

    private static func headers(_ key: @escaping Secret) -> @Sendable () async throws -> HTTPTransportHeaders {
        {
            var headers = HTTPTransportHeaders()
            headers["X-API-Key"] = try await key()
            return headers
        }
    }
}
