#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore
public import TacklineFormats
public import TacklineSigning

// Foundation: `URL` and `Date` are what applications have.

/// How a ``RemoteJSONProvider`` works. Every number has a default that suits an app.
public struct RemoteJSONConfiguration: Sendable {
    // MARK: Requests

    /// Header fields for every request to the URL's own origin.
    public var headers = HTTPTransportHeaders()
    /// Makes the value of `Authorization`, for each request anew; `nil` sends none. An error counts as a failed
    /// attempt.
    public var authorization: (@Sendable () async throws -> String?)?
    /// The value of `User-Agent`.
    public var userAgent = "Tackline/1"
    /// Whether a redirect may lead to another origin. It gets neither ``authorization`` nor ``headers`` then.
    public var allowsRedirectsToOtherOrigins = false
    /// How many redirects in a row are followed.
    public var maximumRedirects = 5
    /// How long the header of an answer may take.
    public var responseHeaderTimeout = Duration.seconds(10)
    /// How long nothing may arrive in the middle of an answer.
    public var idleTimeout = Duration.seconds(10)
    /// How long a request may take as a whole, with redirects and body.
    public var totalDeadline = Duration.seconds(30)

    // MARK: Documents

    /// What documents mean. In any format but `values`, ``bootstrap`` is a document in it as well, and one that is none
    /// is rejected like one that is no JSON.
    public var format = FlagDocumentFormat.values
    /// The length of the longest document in bytes, decoded. More than 64 MiB means 64 MiB.
    public var maximumBodyBytes = 1 << 20
    /// How deep, how rich in keys, and how long in keys and strings a document may be. A format that has a depth of its own,
    /// as one of rules does, goes by that.
    public var limits: FlagJSONReader.Limits = {
        var limits = FlagJSONReader.Limits()
        limits.maximumMembers = 10_000
        limits.maximumKeyBytes = 256
        limits.maximumStringBytes = 64 << 10
        return limits
    }()
    /// Whose signatures a document needs before it is read; `nil` for none. Then documents come in signed envelopes, and their
    /// `$version` never goes back: see the guide "Signed documents".
    ///
    /// A `$version` of ``bootstrap`` counts as ``/TacklineSigning/DocumentTrust/minimumVersion``, if that is not higher.
    public var trust: DocumentTrust?
    /// Checks each document before it is used, by another scheme than that of ``trust``; `nil` checks nothing.
    public var verifier: (any PayloadVerifier)?
    /// When a new document comes into force.
    public var activation = RemoteJSONActivation.immediate
    /// Values shipped with the program, in force until there are any from the cache or the server.
    public var bootstrap = FlagDocument()

    // MARK: Time

    /// How long ``RemoteJSONProvider/waitUntilReady(timeout:)`` waits by default. Zero does not wait.
    public var readyTimeout = Duration.seconds(5)
    /// How often the server is asked, give or take a tenth. Less than 30 seconds means 30 seconds; zero turns polling off.
    public var pollInterval = Duration.seconds(300)
    /// How old values may be when the app comes back to the foreground without the server being asked at once.
    public var foregroundRefreshAge = Duration.seconds(60)
    /// The least time between two requests made by ``RemoteJSONProvider/refresh()``; an earlier call waits.
    public var minimumManualRefreshGap = Duration.seconds(1)
    /// How long values that the server has not confirmed count as fresh. `nil`: three poll intervals, or a day without
    /// polling.
    public var staleAfter: Duration?

    /// How long to wait after failures.
    public var retryTimes = RemoteJSONRetryTimes()

    // MARK: Cache

    /// Where documents are kept.
    public var cache = RemoteJSONCaching.standard
    /// Keeps apart what several users of one URL cache.
    public var cacheNamespace = ""
    /// How long values that the server has not confirmed are served at all, from the cache and from memory.
    public var cacheTimeToLive = Duration.seconds(30 * 24 * 3600)
    /// By how much the clock on the wall may lag behind that of an earlier run; what the cache holds from further in
    /// the future is not used.
    public var clockSkewAllowance = Duration.seconds(300)

    // MARK: Stream

    /// Where the server announces changes by server-sent events; `nil` for no stream. Events carry no values; each makes
    /// the provider fetch the document.
    public var streamURL: URL?
    /// How to use the stream.
    public var stream = RemoteJSONStreamConfiguration()

    /// What is different where documents come by a protocol of their own.
    package var dialect: RemoteDialect?

    // MARK: Surroundings

    /// Receives one line for each event and each warning, in order and one at a time, on any thread; `nil` for no log.
    public var log: (@Sendable (String) -> Void)?
    /// What carries the requests; `nil` stands for a ``URLSessionTransport`` of the provider's own, and on Linux with
    /// glibc for a `CurlTransport` where there is one.
    public var transport: (any HTTPTransport)?
    /// Measures every wait.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The time by the clock on the wall, for the age of the cache and for dates in documents and headers only.
    public var wallClock: @Sendable () -> Date = { Date() }
    /// Spreads the waits: gives numbers from 0 to 1, evenly distributed.
    public var randomNumber: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// Makes the default configuration.
    public init() {}
}

extension RemoteJSONConfiguration {
    /// The interval in force, or `nil` without polling.
    var effectivePollInterval: Duration? {
        pollInterval <= .zero ? nil : max(pollInterval, .seconds(30))
    }

    var effectiveStaleAfter: Duration {
        staleAfter ?? effectivePollInterval.map { $0 * 3 } ?? .seconds(24 * 3600)
    }

    var effectiveMaximumBodyBytes: Int { min(max(maximumBodyBytes, 0), 64 << 20) }
}

/// Where the last accepted document is kept between two runs of the program.
public enum RemoteJSONCaching: Sendable, Hashable {
    /// In the folder `tackline` of the user's caches folder.
    case standard
    /// In a folder of your choice, which is made if need be. Several processes may share it.
    case directory(URL)
    /// Nowhere.
    case disabled
}

/// When a newly fetched document comes into force.
public enum RemoteJSONActivation: Sendable, Hashable {
    /// As soon as it has been accepted.
    case immediate
    /// When the program is started the next time: it goes into the cache only. Without a cache it never does.
    case nextStart
    /// When ``RemoteJSONProvider/activate()`` is called. It is not kept in the cache before.
    case manual
}

/// How a ``RemoteJSONProvider`` uses a stream of server-sent events.
public struct RemoteJSONStreamConfiguration: Sendable, Hashable {
    /// How long to wait before the stream is opened again, as long as the server has not said; doubled at each failure.
    public var initialRetry = Duration.seconds(1)
    /// What the server may ask for instead.
    public var retryRange = Duration.milliseconds(100)...Duration.seconds(60)
    /// The longest wait before the stream is opened again.
    public var maximumRetry = Duration.seconds(300)
    /// How long the stream must have been open for its failures to be forgotten.
    public var resetAfter = Duration.seconds(60)
    /// How long nothing may arrive, comments included, before the stream counts as dead.
    public var idleTimeout = Duration.seconds(90)
    /// How long one event may be.
    public var maximumEventBytes = 1 << 20
    /// How long further events are awaited before the document is fetched.
    public var debounce = Duration.milliseconds(100)
    /// Over how long the clients of one server spread: each waits a random part of it before it fetches the document after
    /// an event or a new connection, and before it connects again.
    public var spread = Duration.seconds(5)

    /// Makes the default configuration.
    public init() {}
}

/// How long a ``RemoteJSONProvider`` waits after failures. Each wait is at most twice the one before.
///
/// A document that was rejected is no failure in this sense: it is asked for again after the poll interval.
public struct RemoteJSONRetryTimes: Sendable, Hashable {
    /// The wait after the first failure of the network or the server. Up to half of each such wait is left out at random.
    public var first = Duration.seconds(2)
    /// The longest wait after such failures.
    public var longest = Duration.seconds(300)
    /// The wait after the server refused for the first time (400, 401, 403, 404, 410).
    public var firstAfterRefusal = Duration.seconds(15 * 60)
    /// The longest wait after refusals.
    public var longestAfterRefusal = Duration.seconds(4 * 3600)

    /// Makes the default times.
    public init() {}
}
