import Foundation
import TacklineCore
import TacklineRemoteJSON
import TacklineTargeting

/// The address of a server's evaluations.
struct OFREPEndpoint: Sendable {
    private let base: URL
    private let provider: String
    let reporter = FlagIssueReporter.current

    init(_ base: URL, provider: String) throws(FlagError) {
        guard Origin(base) != nil, base.query() == nil, base.fragment() == nil else {
            throw FlagError(
                "invalid-url", provider: provider, reason: "its base URL is not an http or https URL",
                advice: "Give it the URL before /ofrep, with a host and without a query")
        }
        (self.base, self.provider) = (base, provider)
    }

    /// Returns the target of requests for a context, and reports a context that can't be sent in full.
    ///
    /// - Parameter subject: The identity of a user whom the server knows by a token. Otherwise the targeting key is the
    ///   user, or the whole context if there is none.
    func target(for context: EvaluationContext, subject: String? = nil) -> RemoteTarget {
        var text = Self.text(context)
        if text == nil {
            text = Self.text(EvaluationContext(targetingKey: context.targetingKey))
            let message = """
                A context of provider "\(provider)" has an attribute that JSON cannot carry, so only its targeting key is \
                sent. Leave the attribute out.
                """
            reporter.report(FlagError("ofrep-context", message, provider: provider))
        }
        let user = context.targetingKey.map { "=\($0)" } ?? text ?? "\(context)"
        let isNobody = context == EvaluationContext() && subject == nil
        var target = RemoteTarget(
            url: base.appending(path: "ofrep/v1/evaluate/flags"),
            subject: isNobody ? nil : "\(subject.map { "=\($0)" } ?? "")\n\(user)",
            body: Data("{\"context\":\(text ?? "{}")}".utf8))
        target.label = context.targetingKey
        return target
    }

    /// Returns the context as JSON, always the same text for the same context; `nil` if JSON can't carry it.
    private static func text(_ context: EvaluationContext) -> String? {
        var members = context.attributes
        if let key = context.targetingKey { members["targetingKey"] = .string(key) }
        return try? FlagJSONWriter(layout: .compact).text(of: .object(members))
    }

    /// Returns whether an event of the stream announces a change.
    static func announcesChange(_ event: ServerSentEvent) -> Bool {
        guard case .object(let members)? = try? FlagJSONReader().read(event.data) else { return false }
        return members["type"] == .string("refetchEvaluation")
    }

    /// Removes the streams from an answer.
    ///
    /// - Returns: The URL of the first stream of a known kind; `nil` if there is none.
    func takeStream(_ document: inout FlagDocument) -> URL? {
        guard case .array(let streams)? = document.root.removeValue(forKey: "eventStreams") else { return nil }
        return streams.lazy.compactMap { stream(of: $0) }.first
    }

    private func stream(of entry: EncodedFlagValue) -> URL? {
        guard case .object(let members) = entry, members["type"] == .string("sse") else { return nil }
        var url: URL?
        if case .string(let text)? = members["url"], members["endpoint"] == nil { url = URL(string: text) }
        if members["url"] == nil, case .object(let parts)? = members["endpoint"],
            case .string(let target)? = parts["requestUri"], target.hasPrefix("/"), !target.hasPrefix("//")
        {
            var origin = parts["origin"] == nil ? base : nil
            if case .string(let text)? = parts["origin"] { origin = URL(string: text) }
            url = origin.flatMap { URL(string: target, relativeTo: $0)?.absoluteURL }
        }
        guard let url, let origin = Origin(url) else { return nil }
        // A server reached by https must not lead to a stream that others on the network can read.
        return Origin(base)?.scheme == "https" && origin.scheme != "https" ? nil : url
    }
}

extension OFREPProvider.Configuration {
    /// Returns the settings of requests to a server.
    func requests(to endpoint: OFREPEndpoint) -> RemoteJSONProvider.Configuration {
        var requests = requests
        requests.format = FlagDocumentFormat(name: "OFREP") {
            OFREPStore(providerName: $0, reporter: endpoint.reporter)
        }
        requests.transport = requests.effectiveTransport
        (requests.trust, requests.verify, requests.signatureField) = (nil, nil, nil)
        (requests.streamURL, requests.authorization) = (nil, nil)
        if let bearerToken { requests.authorization = { try await bearerToken().map { "Bearer \($0)" } } }
        requests.apiKey = apiKey
        requests.announcesChange = { OFREPEndpoint.announcesChange($0) }
        requests.takeStream = { endpoint.takeStream(&$0) }
        return requests
    }
}
