public import Foundation
public import TacklineCore
public import TacklineRemoteJSON
public import TacklineTargeting

/// A provider for apps with one user at a time. A server evaluates its values for one context, by OpenFeature's remote
/// evaluation protocol (OFREP 0.3).
///
/// ```swift
/// let flags = try OFREPProvider(baseURL: url, context: ["targetingKey": account.id, "plan": "premium"])
/// flags.start()                             // asks at once, and at events of the server's stream
/// flags.setContext(["targetingKey": other.id])   // from here on no value of the first account is read
/// ```
///
/// All flags are evaluated in one request. The values are kept in memory, and on disk for the next start, separately
/// for each user. `explain()` shows the answer's variants, reasons, metadata and error codes. A flag has no value if
/// the server could not evaluate it or leaves it to the application. An answer in which the server could evaluate no flag
/// is refused, and the values stay; an empty list of flags withdraws all values. After an answer of 401 or 403 the provider
/// sends no request by itself; ``refresh()``, ``start()`` after ``stop()`` and ``setContext(_:subject:)`` do.
///
/// The provider may be used from any thread. Reading a value never waits for the network or the disk.
public final class OFREPProvider: RefreshableFlagProvider, FingerprintedProvider {
    /// The settings of a provider, and of the requests of an ``OFREPServerProvider``.
    public struct Configuration: Sendable {
        /// The settings of requests: header fields, poll interval, limits, cache, transport and clock.
        ///
        /// The defaults are those of `RemoteJSONProvider`, with three exceptions: ten seconds for a whole request, answers
        /// of up to 4 MiB, and no polling. The protocol wants a client for one context to ask at the start, when the context
        /// changes, on return to the foreground, and at events of the server's stream (ADR 0010). Set a `pollInterval` if the
        /// server has no stream and the values have to follow it.
        ///
        /// `trust`, `verify`, `signatureField`, `streamURL` and `authorization` are not used: the protocol defines its own.
        public var requests: RemoteJSONProvider.Configuration
        /// Makes the value of `X-API-Key`, anew for each request; `nil` sends none. An error counts as a failed attempt.
        /// Neither logs nor errors show the key.
        public var apiKey: (@Sendable () async throws -> String?)?
        /// Makes the token for `Authorization: Bearer`, anew for each request, under the rules of ``apiKey``.
        public var bearerToken: (@Sendable () async throws -> String?)?

        /// Creates the default configuration.
        public init() {
            requests = RemoteJSONProvider.Configuration()
            requests.requestTimeout = .seconds(10)
            requests.maximumBodyBytes = 4 << 20
            requests.pollInterval = .zero
        }
    }

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    private let endpoint: OFREPEndpoint
    private let remote: RemoteJSONProvider

    /// Creates a provider with the values that the disk has for the context. Nothing is sent before ``refresh()``,
    /// ``run()`` or ``start()``.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL up to `/ofrep`, by http or https.
    ///   - context: The context for which flags are evaluated. All of it is sent to the server.
    ///   - subject: An identity of the user, if the server identifies users by ``Configuration/bearerToken`` or
    ///     ``Configuration/apiKey`` rather than by the context; `nil` for no particular user. See
    ///     ``setContext(_:subject:)``.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - configuration: The provider's settings.
    /// - Throws: ``/TacklineCore/FlagError`` with the code `invalid-url`.
    public init(
        baseURL: URL, context: EvaluationContext = EvaluationContext(), subject: String? = nil,
        name: String = "OFREPProvider", configuration: Configuration = Configuration()
    ) throws(FlagError) {
        self.name = name
        endpoint = try OFREPEndpoint(baseURL, provider: name)
        remote = RemoteJSONProvider(
            name: name, target: endpoint.target(for: context, subject: subject),
            bootstrap: FlagDocument(), configuration: configuration.requests(to: endpoint))
    }

    // MARK: Reading

    /// Returns the value in force for the context, or `nil` if the answer has none. It never sends a request.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { remote.value(for: key) }

    /// Returns the value in force with its variant, reason and metadata, or the server's error. A flag that the answer
    /// doesn't have has no value and no reason. The reason is `CACHED` for a value from the disk that the server hasn't
    /// confirmed, and `STALE` for one that it gave for another context of the same user.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation { remote.evaluation(for: key) }

    /// Adds an observer, held weakly, which is notified of the changes of each answer and each new context.
    public func observe(_ observer: FlagProviderObserver) -> Bool { remote.observe(observer) }

    /// The provider's current health: `failed` after a refusal (400, 401, 403, 404, 410), otherwise like
    /// `RemoteJSONProvider.status`.
    public var status: FlagProviderStatus { remote.status }

    package var refresher: Refresher { remote.refresher }

    package var fingerprint: UInt64? { remote.fingerprint }

    /// The targeting key, or `nil` if there is none.
    package var fingerprintSubject: String? { remote.fingerprintSubject }

    // MARK: Context

    /// Changes the context, for another user or because the user's attributes changed.
    ///
    /// When this returns, the values of another user are gone, including those that a loader pinned for a session or a
    /// launch. If the targeting key is the same, the values stay until the server has answered, with the reason `STALE`. The
    /// current request is cancelled, and a late answer to it is dropped. The server is asked at once while the provider
    /// runs. Nothing happens if the context is the same.
    ///
    /// A context with values that JSON cannot carry is reported as `ofrep-context`. Only its targeting key is sent then.
    ///
    /// - Parameters:
    ///   - context: The new context.
    ///   - subject: An identity of the user whom the server identifies by ``Configuration/bearerToken`` or
    ///     ``Configuration/apiKey``, if not by the context. It is not sent. Let the closures return the new user's token
    ///     before this call.
    public func setContext(_ context: EvaluationContext, subject: String? = nil) {
        refresher.turn(to: endpoint.target(for: context, subject: subject))
    }

    /// Changes to the empty context of no particular user, and removes the values of the former user from the disk.
    public func signOut() { refresher.turn(to: endpoint.target(for: EvaluationContext()), forgetting: true) }

    // MARK: Refreshing

    /// Asks the server now and publishes what changed, as `RemoteJSONProvider.refresh()` does.
    ///
    /// - Returns: The changes.
    /// - Throws: ``/TacklineCore/FlagError``: `network`, `rejected`, `misconfigured`, `throttled`, `offline`,
    ///   `stopped` or `cancelled`; the last one also if the context changed meanwhile. The values stay as they were.
    @discardableResult
    public func refresh() async throws -> FlagRefreshOutcome { try await remote.refresh() }

    /// Keeps the values fresh until the calling task is cancelled or ``stop()`` is called.
    ///
    /// - Throws: `CancellationError`, or ``/TacklineCore/FlagError`` with code `already-running` at once.
    public func run() async throws { try await remote.run() }

    /// Does the same as ``run()`` in a task of its own, until ``stop()`` is called or the provider is released. Does
    /// nothing if the provider is running.
    public func start() { remote.start() }

    /// Ends the work that ``start()`` or ``run()`` began.
    public func stop() { remote.stop() }

    /// Waits until there are values for the context, from the disk or the server, or until the timeout is over.
    ///
    /// - Parameter timeout: The longest wait; zero doesn't wait.
    /// - Returns: Whether there are values.
    @discardableResult
    public func waitUntilReady(timeout: Duration = .seconds(5)) async -> Bool {
        await remote.waitUntilReady(timeout: timeout)
    }
}
