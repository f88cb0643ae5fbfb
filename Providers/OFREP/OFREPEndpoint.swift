import Foundation
import TacklineCore
public import TacklineRemoteJSON
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
        let text = Self.text(context)
        if text == nil {
            let error = FlagError(
                "ofrep-context", provider: provider,
                reason: "a context has an attribute that JSON cannot carry, so only its targeting key is sent",
                advice: "Leave the attribute out")
            reporter.report(error)
        }
        let sent = text ?? Self.text(EvaluationContext(targetingKey: context.targetingKey)) ?? "{}"
        let user = context.targetingKey.map { "=\($0)" } ?? text ?? "\(context)"
        let isNobody = context == EvaluationContext() && subject == nil
        var target = RemoteTarget(
            url: base.appending(path: "ofrep/v1/evaluate/flags"),
            subject: isNobody ? nil : "\(subject.map { "=\($0)" } ?? "")\n\(user)",
            body: Data("{\"context\":\(sent)}".utf8))
        target.label = context.targetingKey
        return target
    }

    /// Returns the context as JSON, always the same text for the same context; `nil` if JSON can't carry it.
    private static func text(_ context: EvaluationContext) -> String? {
        var members = context.attributes
        if let key = context.targetingKey { members["targetingKey"] = .string(key) }
        return try? FlagJSONWriter(layout: .compact).text(of: .object(members))
    }
}

extension RemoteJSONProvider.Configuration {
    /// The default settings of ``OFREPProvider`` and ``OFREPServerProvider``: those of a new configuration, with ten seconds for
    /// a whole request, and answers of up to 4 MiB.
    ///
    /// For the protocol's `X-API-Key` set a header field, and for its token `authorization`, which gives the whole field, such
    /// as `Bearer x`. Streams that a server names in its answers are not followed; set `streamURL` to one that is known.
    public static var ofrep: RemoteJSONProvider.Configuration {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.requestTimeout = .seconds(10)
        configuration.maximumBodyBytes = 4 << 20
        return configuration
    }

    /// Returns the settings of requests to a server.
    func requests(reporter: FlagIssueReporter) -> RemoteJSONProvider.Configuration {
        var requests = self
        requests.format = FlagDocumentFormat(name: "OFREP") { OFREPStore(providerName: $0, reporter: reporter) }
        requests.transport = effectiveTransport
        requests.trust = nil
        return requests
    }
}
