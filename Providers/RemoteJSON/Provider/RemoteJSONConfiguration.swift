public import Foundation
public import TacklineCore
public import TacklineSigning

// Foundation: `URL` and `Date` are the types that applications use.

/// The settings of a ``RemoteJSONProvider``. Every number has a default that suits an app.
public struct RemoteJSONConfiguration: Sendable {
    // MARK: Requests

    /// The header fields for every request to the URL's own origin. A field that HTTP doesn't allow, or that the
    /// provider sets itself, is not sent and is reported.
    public var headers = HTTPTransportHeaders()
    /// Makes the value of `Authorization`, anew for each request; `nil` sends none. An error counts as a failed
    /// attempt.
    public var authorization: (@Sendable () async throws -> String?)?
    /// The value of `User-Agent`.
    public var userAgent = "Tackline/1"
    /// Whether a redirect may lead to another origin. The request there carries neither ``authorization`` nor
    /// ``headers``, except the fields in ``HTTPTransportRequest/headersForOtherOrigins``.
    public var allowsRedirectsToOtherOrigins = false
    /// The longest sequence of redirects that is followed. With zero a redirect is a failure.
    public var maximumRedirects = 5
    /// The longest wait for the header of an answer.
    public var responseHeaderTimeout = Duration.seconds(10)
    /// The longest pause between two portions of an answer.
    public var idleTimeout = Duration.seconds(10)
    /// The longest time for a whole request, with redirects and body.
    public var totalDeadline = Duration.seconds(30)

    // MARK: Documents

    /// The format of documents. In any format but `values`, ``bootstrap`` has to be a document of that format as well,
    /// and a document that isn't one is rejected like invalid JSON.
    public var format = FlagDocumentFormat.values
    /// The greatest length of a document in bytes, decoded. More than 64 MiB means 64 MiB.
    public var maximumBodyBytes = 1 << 20
    /// The limits of a document. Its size is limited by ``maximumBodyBytes``, and a format with a depth limit of its own,
    /// such as one with rules, uses that limit.
    package var limits = FlagJSONReader.Limits()
    /// The signatures that a document needs before it is read; `nil` for none. With it, documents are signed envelopes,
    /// and their `$version` never decreases: see the guide "Accepting only signed documents".
    ///
    /// A `$version` of ``bootstrap`` also serves as ``/TacklineSigning/DocumentTrust/minimumVersion`` if it is higher.
    public var trust: DocumentTrust?
    /// The verifier that checks each document before it is used, by a scheme other than ``trust``; `nil` for no check.
    public var verifier: (any PayloadVerifier)?
    /// The moment at which a new document comes into force.
    public var activation = RemoteJSONActivation.immediate
    /// The values shipped with the program, in force until there are values from the cache or the server.
    public var bootstrap = FlagDocument()

    // MARK: Time

    /// The default timeout of ``RemoteJSONProvider/waitUntilReady(timeout:)``. Zero does not wait.
    public var readyTimeout = Duration.seconds(5)
    /// The time between two polls, varied by up to a tenth. Less than 30 seconds means 30 seconds and is reported; zero
    /// turns polling off.
    public var pollInterval = Duration.seconds(300)
    /// The age from which values are refreshed at once when the app returns to the foreground.
    public var foregroundRefreshAge = Duration.seconds(60)
    /// The shortest time between two requests made by ``RemoteJSONProvider/refresh()``; an earlier call waits.
    public var minimumManualRefreshGap = Duration.seconds(1)
    /// The time after which values that the server has not confirmed count as stale. `nil` stands for three poll
    /// intervals, or for a day without polling.
    public var staleAfter: Duration?

    /// The waits after failures.
    public var retryTimes = RemoteJSONRetryTimes()

    // MARK: Cache

    /// The place of the cache.
    public var cache = RemoteJSONCaching.standard
    /// Whether the cache is read on the calling thread when the provider is made and when its URL changes. With `true`,
    /// the cached values are in force when the call returns. Reading takes one read of a file that is little longer
    /// than ``maximumBodyBytes`` at most.
    ///
    /// With `false`, a task of the provider reads the cache when the provider is started or refreshed. Flags that are
    /// read before that have the bootstrap's values or their defaults, and keep them if they are pinned.
    public var readsCacheAtOnce = true
    /// A name that separates the caches of several programs or providers for one URL in one folder. To separate users,
    /// see ``RemoteJSONProvider/setSubject(_:)``.
    public var cacheNamespace = ""
    /// The time after which values that the server has not confirmed are no longer used, from the cache or from memory.
    public var cacheTimeToLive = Duration.seconds(30 * 24 * 3600)
    /// The greatest difference by which the wall clock may lag behind that of an earlier run. Cached documents from
    /// further in the future are not used.
    public var clockSkewAllowance = Duration.seconds(300)

    // MARK: Stream

    /// The URL at which the server announces changes by server-sent events; `nil` for no stream. Events carry no
    /// values; each makes the provider fetch the document.
    public var streamURL: URL?
    /// The settings of the stream.
    public var stream = RemoteJSONStreamConfiguration()

    /// The differences of a document protocol of its own; `nil` for plain JSON documents.
    package var dialect: RemoteDialect?

    // MARK: Surroundings

    /// Receives one line for each event and each warning, in order and one at a time, on any thread; `nil` for no log.
    public var log: (@Sendable (String) -> Void)?
    /// The transport of the requests; `nil` stands for a ``URLSessionTransport`` of the provider's own, or on Linux
    /// with glibc for a `CurlTransport` if libcurl is available.
    public var transport: (any HTTPTransport)?
    /// The clock for every wait.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the wall-clock time, which serves only the age of the cache and the dates in documents and headers.
    public var wallClock: @Sendable () -> Date = { Date() }
    /// Returns an evenly distributed random number from 0 to 1, which varies the waits.
    public var randomNumber: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// Makes the default configuration.
    public init() {}
}

extension RemoteJSONConfiguration {
    /// The interval in force, or `nil` without polling.
    var effectivePollInterval: Duration? {
        pollInterval <= .zero ? nil : max(pollInterval, Self.minimumPollInterval)
    }

    var effectiveStaleAfter: Duration {
        staleAfter ?? effectivePollInterval.map { $0 * 3 } ?? .seconds(24 * 3600)
    }

    var effectiveMaximumBodyBytes: Int { min(max(maximumBodyBytes, 0), 64 << 20) }
}

/// The place where the last accepted document is kept between two runs of the program.
public enum RemoteJSONCaching: Sendable, Hashable {
    /// The folder `tackline` in Application Support, without a place in backups; on tvOS, Linux and elsewhere in the user's
    /// caches folder. On tvOS the system may empty it while the app doesn't run.
    case standard
    /// A folder of your choice, which is created if necessary. Several processes may share it.
    case directory(URL)
    /// No cache.
    case disabled
}

/// The moment at which a newly fetched document comes into force.
public enum RemoteJSONActivation: Sendable, Hashable {
    /// The document comes into force as soon as it has been accepted.
    case immediate
    /// The document is only written to the cache and comes into force at the next launch. Without a cache, only
    /// ``RemoteJSONProvider/activate()`` puts it in force.
    case nextLaunch
    /// ``RemoteJSONProvider/activate()`` puts the document in force. It is not written to the cache before.
    case manual
}

/// The settings of a stream of server-sent events.
public struct RemoteJSONStreamConfiguration: Sendable, Hashable {
    /// The wait before the stream is opened again, unless the server asked for another. It doubles at each failure.
    public var initialRetry = Duration.seconds(1)
    /// The range of waits that the server may ask for instead.
    public var retryRange = Duration.milliseconds(100)...Duration.seconds(60)
    /// The longest wait before the stream is opened again.
    public var maximumRetry = Duration.seconds(300)
    /// The time that the stream must have been open before its failures no longer count.
    public var resetAfter = Duration.seconds(60)
    /// The longest pause of the stream, comments included, before it counts as lost.
    public var idleTimeout = Duration.seconds(90)
    /// The waits before further requests if the answer to an event has no newer document, because an intermediate cache
    /// may lag behind the server that sent the event. Up to half of each wait is left out at random. An empty list
    /// makes one request only.
    public var lagWaits = [Duration.seconds(2), .seconds(8), .seconds(30)]
    /// The names, in lower case, of events that only keep the connection open and cause no request.
    ///
    /// An event without a name is identified by its data, or by the member `type` or `event` of an object in its data.
    /// Comments of the stream are no events.
    public var keepAliveNames: Set<String> = [
        "heartbeat", "keep-alive", "keep_alive", "keepalive", "noop", "ping", "pong",
    ]
    /// The greatest length of one event in bytes.
    public var maximumEventBytes = 1 << 20
    /// The wait for further events before the document is fetched.
    public var debounce = Duration.milliseconds(100)
    /// The time over which the clients of one server spread. Each client waits a random part of it before it fetches
    /// the document after an event or a new connection, and before it connects again.
    public var spread = Duration.seconds(5)

    /// Makes the default configuration.
    public init() {}
}

/// The waits of a ``RemoteJSONProvider`` after failures. Each wait is at most twice the one before.
///
/// A rejected document is no failure in this sense: the provider asks for it again after the poll interval.
public struct RemoteJSONRetryTimes: Sendable, Hashable {
    /// The wait after the first failure of the network or the server. Up to half of each such wait is left out at
    /// random.
    public var first = Duration.seconds(2)
    /// The longest wait after such failures.
    public var longest = Duration.seconds(300)
    /// The wait after the first refusal of the server (400, 401, 403, 404, 410).
    public var firstAfterRefusal = Duration.seconds(15 * 60)
    /// The longest wait after refusals.
    public var longestAfterRefusal = Duration.seconds(4 * 3600)

    /// Makes the default times.
    public init() {}
}
