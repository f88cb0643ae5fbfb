public import Foundation
package import TacklineCore
public import TacklineSigning

extension RemoteJSONProvider {
    /// The settings of a provider. Every number has a default that suits an app.
    public struct Configuration: Sendable {
        // MARK: Requests

        /// The header fields for every request to the URL's own origin. A field that HTTP doesn't allow, or that the
        /// provider sets itself, is not sent and is reported.
        public var headers: [String: String] = [:]
        /// Makes the value of `Authorization`, anew for each request; `nil` sends none. An error counts as a failed
        /// attempt.
        public var authorization: (@Sendable () async throws -> String?)?
        /// The longest time for a whole request, with redirects and body. The default is 30 seconds. A header, and each
        /// further part of a body, has to arrive within 10 seconds anyway.
        public var requestTimeout = Duration.seconds(30)
        /// Whether a redirect may lead to another origin. The request there carries neither ``authorization`` nor
        /// ``headers``.
        public var allowsRedirectsToOtherOrigins = false

        // MARK: Documents

        /// The greatest length of a document in bytes, decoded. The default is 1 MiB. More than 64 MiB means 64 MiB.
        public var maximumBodyBytes = 1 << 20
        /// The signatures that a document needs before it is read; `nil` for none. With it, documents are signed
        /// envelopes, and their `$version` never decreases: see the guide "Accepting only signed documents".
        ///
        /// A `$version` of the bootstrap also serves as ``/TacklineSigning/DocumentTrust/minimumVersion`` if it is higher.
        public var trust: DocumentTrust?
        /// Checks each document before any of it is read, from the cache too, by a scheme other than ``trust``; `nil` for
        /// no check. It is given the bytes exactly as the server sent them and the value of ``signatureField``, and returns
        /// the document, which may be the same bytes; ``trust`` gets what it returns. An error refuses the document, and its
        /// description goes into the provider's error and log. It is called on any thread, under no lock and no time limit.
        public var verify: (@Sendable (_ body: Data, _ signature: String?) throws -> Data)?
        /// The name of the header field with the signature for ``verify``, which the cache keeps with the document; `nil`
        /// for none.
        public var signatureField: String?
        /// The moment at which a new document comes into force.
        public var activation = Activation.immediate

        // MARK: Time

        /// The time between two polls, varied by up to a tenth. The default is five minutes. Less than 30 seconds means 30
        /// seconds and is reported; zero turns polling off.
        public var pollInterval = Duration.seconds(300)
        /// The time after which values that the server has not confirmed count as stale. `nil` stands for three poll
        /// intervals, or for a day without polling. After 30 days they are no longer used.
        public var staleAfter: Duration?

        // MARK: Surroundings

        /// The place of the cache.
        public var cache = Cache.standard
        /// The URL at which the server announces changes by server-sent events; `nil` for no stream. Events carry no
        /// values; each makes the provider fetch the document.
        public var streamURL: URL?
        /// Receives one line for each event, in order and one at a time, on any thread; `nil` for no log.
        public var log: (@Sendable (String) -> Void)?
        /// The transport of the requests; `nil` stands for a `URLSessionTransport`, or libcurl on Linux.
        public var transport: (any HTTPTransport)?
        /// The clock for every wait.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The format of documents, which the provider's initializer sets.
        package var format = FlagDocumentFormat.values
        /// Returns the wall-clock time, which serves only the age of the cache and the dates in documents and headers.
        package var wallClock: @Sendable () -> Date = { Date() }
        /// Returns an evenly distributed random number from 0 to 1, which varies the waits.
        package var randomNumber: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// Makes the value of `X-API-Key`, anew for each request.
        package var apiKey: (@Sendable () async throws -> String?)?
        /// Removes the URL of the stream from a document and returns it; `nil` if documents are no evaluations of a server.
        package var takeStream: (@Sendable (inout FlagDocument) -> URL?)?
        /// Returns whether an event of the stream announces a change. By default every event does, except those that only
        /// keep the connection open.
        package var announcesChange: @Sendable (ServerSentEvent) -> Bool = { !$0.keepsAlive }

        /// Creates the default configuration.
        public init() {}
    }

    /// The place where the last accepted document is kept between two runs of the program.
    public enum Cache: Sendable, Hashable {
        /// The folder `tackline` in Application Support; on tvOS, Linux and elsewhere in the user's caches folder. On tvOS
        /// the system may empty it while the app doesn't run. Of all documents and users, the 32 written last are kept.
        case standard
        /// A folder of your choice, which is created if necessary. Several processes may share it. Providers for one URL
        /// that must not share their documents need folders of their own.
        case directory(URL)
        /// No cache.
        case disabled
    }

    /// The moment at which a newly fetched document comes into force.
    public enum Activation: Sendable, Hashable {
        /// The document comes into force as soon as it has been accepted.
        case immediate
        /// The document is only written to the cache and comes into force at the next launch. Without a cache, only
        /// ``RemoteJSONProvider/activate()`` puts it in force.
        case nextLaunch
        /// ``RemoteJSONProvider/activate()`` puts the document in force. It is not written to the cache before.
        case manual
    }
}

extension RemoteJSONProvider.Configuration {
    static let minimumPollInterval = Duration.seconds(30)
    /// The time after which values that the server has not confirmed are no longer used, from the cache or from memory.
    static let timeToLive = Duration.seconds(30 * 24 * 3600)

    /// The interval in force, or `nil` without polling.
    var effectivePollInterval: Duration? { pollInterval <= .zero ? nil : max(pollInterval, Self.minimumPollInterval) }

    var effectiveStaleAfter: Duration { staleAfter ?? effectivePollInterval.map { $0 * 3 } ?? .seconds(24 * 3600) }

    /// The largest document that the provider accepts.
    package var effectiveMaximumBodyBytes: Int { min(max(maximumBodyBytes, 0), 64 << 20) }

    /// Whether documents are evaluations of a server, which have reasons of their own. After 401 or 403 such a server is not
    /// asked again until the application does.
    var isEvaluating: Bool { takeStream != nil }

    /// The transport to use.
    package var effectiveTransport: any HTTPTransport {
        #if canImport(FoundationNetworking) && canImport(CTacklineCurl)
            transport ?? CurlTransport()
        #else
            transport ?? URLSessionTransport()
        #endif
    }

    /// Reports the settings that can't be used as they are, each with what the provider does instead.
    package func reportProblems(with url: URL, provider: String, and problem: String? = nil) {
        let rule = "URL has to be one of http or https with a host"
        var problems = [
            Origin(url) == nil ? "the \(rule), so every request fails" : nil,
            streamURL.flatMap { Origin($0) == nil ? "the stream's \(rule), so there is no stream" : nil },
            pollInterval > .zero && pollInterval < Self.minimumPollInterval
                ? "a poll interval of \(pollInterval.roundedText) is too short, so it is 30 seconds" : nil,
        ].compactMap(\.self)
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            guard let reason = Self.refusal(of: name, value) else { continue }
            problems.append("the header field \"\(name.prefix(64))\" is not sent, because \(reason)")
        }
        if let problem { problems.append(problem) }
        guard !problems.isEmpty else { return }
        let message = """
            The configuration of provider "\(provider)" needs a correction: \(problems.joined(separator: "; ")). Correct it \
            where the provider is created.
            """
        FlagIssueReporter.current.report(FlagError("remote-configuration", message, provider: provider))
    }

    /// The fields of ``headers`` that are sent.
    var effectiveHeaders: [String: String] { headers.filter { Self.refusal(of: $0.key, $0.value) == nil } }

    /// The fields that a provider sets itself, or that belong to the connection.
    private static let ownFields: Set<String> = [
        "accept", "connection", "content-length", "host", "if-modified-since", "if-none-match",
        "transfer-encoding", "user-agent",
    ]

    /// Returns the reason why a field isn't sent: RFC 9110 (5.1, 5.5) forbids it, or the provider sets it.
    private static func refusal(of name: String, _ value: String) -> String? {
        guard name.wholeMatch(of: #/[!#$%&'*+\-.^_`|~0-9A-Za-z]+/#) != nil else {
            return "its name has characters that no name may have"
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            return "its value has a line break or another control character"
        }
        return ownFields.contains(name.lowercased()) ? "the provider sets it itself" : nil
    }
}
