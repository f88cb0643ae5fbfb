import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON
import TacklineTargeting

// Foundation: `URL` is the address of a server.

/// The address of an evaluation: the server's URL, with the context in its fragment. The fragment is never sent, and
/// each context makes a different URL.
struct OFREPEndpoint: Sendable {
    /// The greatest length of a context in bytes of JSON.
    static let maximumContextBytes = 64 << 10

    let base: URL
    private let bulk: URL

    init(_ base: URL, provider: String) throws(FlagError) {
        let url = base.appending(path: "ofrep/v1/evaluate/flags")
        guard Origin(base) != nil, base.query() == nil, base.fragment() == nil else {
            throw FlagError(
                .init("invalid-url"), provider: provider, reason: "its base URL is not an http or https URL",
                advice: "Give it the URL before /ofrep, with a host and without a query")
        }
        self.base = base
        bulk = url
    }

    /// Returns the URL for a context, and the problem if the context can't be sent in full.
    func url(for context: EvaluationContext) -> (URL, problem: String?) {
        if let url = Self.text(context).flatMap({ url($0) }) { return (url, nil) }
        let problem = "it has more than \(Self.maximumContextBytes >> 10) KiB, or an attribute that JSON cannot carry"
        let key = EvaluationContext(targetingKey: context.targetingKey)
        if let url = Self.text(key).flatMap({ url($0) }) {
            return (url, "\(problem); only its targeting key is sent")
        }
        return (bulk, "\(problem); nothing of it is sent")
    }

    private func url(_ text: String) -> URL? {
        guard var parts = URLComponents(url: bulk, resolvingAgainstBaseURL: true) else { return nil }
        parts.fragment = text
        return parts.url
    }

    /// Returns the context as JSON, always the same text for the same context; `nil` if JSON can't carry it or it is
    /// too long.
    private static func text(_ context: EvaluationContext) -> String? {
        var members = context.attributes
        if let key = context.targetingKey { members["targetingKey"] = .string(key) }
        let text = try? FlagJSONWriter(layout: .compact).text(of: .object(members))
        return text.flatMap { $0.utf8.count <= maximumContextBytes ? $0 : nil }
    }

    /// Returns the body of a request to such a URL.
    static func body(of url: URL) -> Data {
        Data("{\"context\":\(url.fragment(percentEncoded: false) ?? "{}")}".utf8)
    }
}

/// The hints that an event of the stream gave about the next answer.
final class OFREPHints: Sendable {
    private let items = Mutex<[URLQueryItem]>([])

    /// Reads an event of the stream and keeps its hints.
    ///
    /// - Returns: Whether the event announces a change.
    func note(_ event: ServerSentEvent) -> Bool {
        guard case .object(let members)? = try? FlagJSONReader().read(Array(event.data.utf8)),
            members["type"] == .string("refetchEvaluation")
        else { return false }
        var new: [URLQueryItem] = []
        if case .string(let tag)? = members["etag"] { new.append(URLQueryItem(name: "flagConfigEtag", value: tag)) }
        switch members["lastModified"] {
        case .string(let date)?: new.append(URLQueryItem(name: "flagConfigLastModified", value: date))
        case .integer(let second)?: new.append(URLQueryItem(name: "flagConfigLastModified", value: "\(second)"))
        default: break
        }
        items.withLock { $0 = new }
        return true
    }

    /// Returns the query items for the next request, and removes them.
    func take() -> [URLQueryItem] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }

    /// Restores the items of a request that failed, unless there are newer ones.
    func `return`(_ old: [URLQueryItem]) {
        items.withLock { if $0.isEmpty { $0 = old } }
    }
}

/// Turns the requests of a document provider into those of the protocol.
struct OFREPTransport: HTTPTransport {
    let transport: any HTTPTransport
    let endpoint: OFREPEndpoint
    let hints: OFREPHints

    func response(
        to request: HTTPTransportRequest
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        let items = hints.take()
        var own = request
        own.body = OFREPEndpoint.body(of: request.url)
        own.headers["Content-Type"] = "application/json"
        own.headers["If-Modified-Since"] = nil
        if var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) {
            parts.fragment = nil
            if !items.isEmpty { parts.queryItems = items }
            own.url = parts.url ?? own.url
        }
        do {
            let response = try await transport.response(to: own)
            if response.status >= 400 { hints.return(items) }
            return response
        } catch {
            hints.return(items)
            throw error
        }
    }

    func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
        var own = request
        // The server's credentials and private fields must not go to the origin of a stream elsewhere.
        if Origin(own.url) != Origin(endpoint.base) {
            own.headers = own.headers.keeping(HTTPTransportRequest.headersForOtherOrigins.union(["last-event-id"]))
        }
        return try await transport.stream(own)
    }
}

extension OFREPEndpoint {
    /// Removes the streams from an answer.
    ///
    /// - Returns: The URL of the first stream of a known kind; `nil` if there is none.
    func takeStream(_ document: inout FlagDocument) -> URL? {
        guard case .array(let streams)? = document.root.removeValue(forKey: "eventStreams") else { return nil }
        return streams.lazy.compactMap { stream(of: $0) }.first
    }

    private func stream(of entry: EncodedFlagValue) -> URL? {
        guard case .object(let members) = entry, members["type"] == .string("sse") else { return nil }
        let url: URL?
        switch (members["url"], members["endpoint"]) {
        case (.string(let text)?, nil): url = URL(string: text)
        case (nil, .object(let parts)?):
            guard case .string(let target)? = parts["requestUri"], target.hasPrefix("/"), !target.hasPrefix("//") else {
                return nil
            }
            let origin: URL? =
                switch parts["origin"] {
                case .string(let text)?: URL(string: text)
                case nil: base
                default: nil
                }
            url = origin.flatMap { URL(string: target, relativeTo: $0)?.absoluteURL }
        default: return nil
        }
        guard let url, let origin = Origin(url) else { return nil }
        // A server reached by https must not lead to a stream that others on the network can read.
        return Origin(base)?.isSafe == true && !origin.isSafe ? nil : url
    }
}
