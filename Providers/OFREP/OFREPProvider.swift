public import Foundation
import Synchronization
public import TacklineCore
public import TacklineRemoteJSON
public import TacklineTargeting

// Foundation: `URL` is the type that applications use.

/// A provider for apps with one user at a time. A server evaluates its values for one context, by OpenFeature's remote
/// evaluation protocol (OFREP 0.3).
///
/// ```swift
/// let flags = try OFREPProvider(baseURL: url, context: ["targetingKey": account.id, "plan": "premium"])
/// flags.start()                             // asks at once, at intervals and at events of the server's stream
/// flags.setContext(["targetingKey": other.id])   // from here on no value of the first account is read
/// ```
///
/// All flags are evaluated in one request. The values are kept in memory, and on disk for the next start, separately
/// for each context. `explain()` shows the answer's variants, reasons, metadata and error codes. A flag has no value if
/// the server could not evaluate it or leaves it to the application. After an answer of 401 or 403 the provider sends
/// no request by itself; ``refresh()``, ``start()`` after ``stop()`` and ``setContext(_:)`` do.
///
/// The provider may be used from any thread. Reading a value never waits for the network or the disk.
public final class OFREPProvider: RefreshableFlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    private let endpoint: OFREPEndpoint
    private let issues: OFREPIssues
    private let remote: RemoteJSONProvider
    private let subject: Mutex<Subject>

    /// The targeting key of the context in force. It is `nil` while the context changes. It stays `nil` after two
    /// overlapping changes, because either context may be in force.
    private struct Subject {
        private(set) var key: String?
        /// The number of changes that have begun or ended.
        private(set) var number = 0
        private var changes = 0
        private var isOverlapping = false

        init(_ key: String?) { self.key = key }

        mutating func begin() {
            key = nil
            number += 1
            isOverlapping = changes > 0
            changes += 1
        }

        mutating func end(_ key: String?) {
            number += 1
            changes -= 1
            if changes == 0, !isOverlapping { self.key = key }
        }
    }

    /// Creates a provider with the values that the disk has for the context. Nothing is sent before ``refresh()``,
    /// ``run()`` or ``start()``.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL up to `/ofrep`, by http or https.
    ///   - context: The context for which flags are evaluated. All of it is sent to the server, up to 64 KiB of JSON.
    ///   - subject: An identity of the user, if the server identifies users by ``OFREPConfiguration/bearerToken`` or
    ///     ``OFREPConfiguration/apiKey`` rather than by the context; `nil` for no particular user. See
    ///     ``setSubject(_:)``.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - configuration: The provider's settings.
    /// - Throws: ``/TacklineCore/FlagError`` with the code `invalid-url`.
    public init(
        baseURL: URL, context: EvaluationContext = EvaluationContext(), subject: String? = nil,
        name: String = "OFREPProvider", configuration: OFREPConfiguration = OFREPConfiguration()
    ) throws(FlagError) {
        self.name = name
        let endpoint = try OFREPEndpoint(baseURL, provider: name)
        self.endpoint = endpoint
        issues = OFREPIssues(provider: name, reporter: FlagIssueReporter.current)
        self.subject = Mutex(Subject(context.targetingKey))
        let (url, problem) = endpoint.url(for: context)
        remote = RemoteJSONProvider(
            url: url, name: name, subject: subject,
            configuration: configuration.remote(endpoint, issues, provider: name, FlagIssueReporter.current))
        issues.context(problem)
    }

    // MARK: Reading

    /// Returns the value in force for the context, or `nil` if the answer has none. It never sends a request.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { remote.value(for: key) }

    /// Returns the value in force with its variant, reason and metadata, or the server's error. A flag that the answer
    /// doesn't have has no value and no reason.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        let before = subject.withLock { $0 }
        var answer = remote.evaluation(for: key)
        // While the context changes, the answer may belong to either context.
        if before.number == subject.withLock({ $0.number }) { answer.subject = before.key }
        return answer
    }

    /// Adds an observer, held weakly, which is notified of the changes of each answer and each new context.
    public func observe(_ observer: FlagProviderObserver) -> Bool { remote.observe(observer) }

    /// The provider's current health: `failed` after a refusal (400, 401, 403, 404, 410), otherwise like
    /// `RemoteJSONProvider.status`.
    public var status: FlagProviderStatus { remote.status }

    /// The freshness of the values and the current activity of the provider.
    public var state: RemoteJSONState { remote.state }

    /// A stream of every event from now on, for one consumer. Read the property again for another consumer.
    public var events: AsyncStream<RemoteJSONEvent> { remote.events }

    // MARK: Context

    /// Changes the context, for another user or because the user's attributes changed.
    ///
    /// When this returns, the values of the old context are gone, including those that a loader pinned for a session or
    /// a launch. The current request is cancelled, and a late answer to it is dropped. The values of the new context
    /// come from the disk, if they were kept there, and from the server, which is asked at once while the provider
    /// runs. Nothing happens if the context is the same.
    ///
    /// A context that is longer than 64 KiB, or has values that JSON cannot carry, is reported as `ofrep-context`. Only
    /// its targeting key is sent then.
    public func setContext(_ context: EvaluationContext) {
        turn(to: context)
    }

    /// Changes the context as ``setContext(_:)`` does, and waits for the server's answer.
    ///
    /// - Returns: The changes from the values that the disk had for the context.
    /// - Throws: The errors of ``refresh()``. The new context is in force even then.
    @discardableResult
    public func refresh(for context: EvaluationContext) async throws(FlagError) -> FlagRefreshOutcome {
        try await turn(to: context, isAwaited: true)()
    }

    /// Changes to another user whom the server identifies by ``OFREPConfiguration/bearerToken`` or
    /// ``OFREPConfiguration/apiKey``, with the same context.
    ///
    /// When this returns, there are only values from the new subject's cache. The current request is cancelled, the
    /// former subject's entity tag is no longer sent, and pinned values have ended. Let the closures return the new
    /// user's token before this call. Nothing happens if the subject is the same.
    ///
    /// - Parameter subject: An identity of the user that stays the same; `nil` for no particular user. It is not sent.
    ///   The name of the cache file depends on a hash of it.
    public func setSubject(_ subject: String?) { remote.setSubject(subject) }

    /// Changes to the empty context of no particular user, and removes the values of the former context from the disk.
    public func signOut() { turn(to: EvaluationContext(), subject: .some(nil), forgetting: true) }

    @discardableResult
    private func turn(
        to context: EvaluationContext, subject: String?? = nil, forgetting: Bool = false, isAwaited: Bool = false
    ) -> @Sendable () async throws(FlagError) -> FlagRefreshOutcome {
        let (url, problem) = endpoint.url(for: context)
        self.subject.withLock { $0.begin() }
        let outcome = remote.turn(to: url, subject: subject, forgetting: forgetting, isAwaited: isAwaited)
        self.subject.withLock { $0.end(context.targetingKey) }
        issues.context(problem)
        return outcome
    }

    // MARK: Refreshing

    /// Asks the server now and publishes what changed, as `RemoteJSONProvider.refresh()` does.
    ///
    /// - Returns: The changes.
    /// - Throws: ``/TacklineCore/FlagError``: `network`, `rejected`, `misconfigured`, `throttled`, `offline`,
    ///   `stopped` or `cancelled`; the last one also if the context changed meanwhile. The values stay as they were.
    @discardableResult
    public func refresh() async throws(FlagError) -> FlagRefreshOutcome { try await remote.refresh() }

    /// Keeps the values fresh until the calling task is cancelled or ``stop()`` is called.
    ///
    /// - Throws: `CancellationError`, or ``/TacklineCore/FlagError`` with code `already-running` at once.
    public func run() async throws { try await remote.run() }

    /// Does the same as ``run()`` in tasks of its own, until ``stop()`` is called or the provider is released. Does
    /// nothing if the provider is running.
    public func start() { remote.start() }

    /// Ends the work that ``start()`` or ``run()`` began.
    public func stop() { remote.stop() }

    /// Waits until there are values for the context, from the disk or the server, or until the timeout is over.
    ///
    /// - Parameter timeout: The longest wait. `nil` stands for `readyTimeout` of the configuration's requests; zero
    ///   doesn't wait.
    /// - Returns: Whether there are values.
    @discardableResult
    public func waitUntilReady(timeout: Duration? = nil) async -> Bool {
        await remote.waitUntilReady(timeout: timeout)
    }

    /// Sends no request by itself until ``resume()``, and closes the stream. On iOS, tvOS, watchOS and visionOS the
    /// provider does this by itself when the app enters the background.
    public func suspend() { remote.suspend() }

    /// Ends a suspension. If there is a stream, all values are requested, because events may have been missed.
    public func resume() { remote.resume() }

    /// Switches the provider offline or online. While offline it sends no request, not even for ``refresh()``.
    public func setOffline(_ isOffline: Bool) { remote.setOffline(isOffline) }
}

extension OFREPConfiguration {
    /// Returns the configuration of the document provider that does the work.
    ///
    /// - Parameter reporter: The receiver of the problems of flags.
    func remote(
        _ endpoint: OFREPEndpoint, _ issues: OFREPIssues, provider: String, _ reporter: FlagIssueReporter
    ) -> RemoteJSONConfiguration {
        var remote = requests
        let hints = OFREPHints()
        remote.transport = OFREPTransport(
            transport: requests.makeTransport(provider: provider), endpoint: endpoint, hints: hints)
        remote.format = FlagDocumentFormat(name: "OFREP") {
            OFREPStore(providerName: $0, reporter: reporter)
        }
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
