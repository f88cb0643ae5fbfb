import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting

/// Flags whose values tell whose they are.
struct UserFlags: FlagCollectionProtocol {
    @Flag(default: "nobody", description: "Whose values these are")
    var owner: String

    @Flag(default: false, description: "Table reservations")
    var reservations: Bool

    @Flag(default: 0, description: "A flag without a rule")
    var edition: Int
}

/// A document in flagd's format: `owner` names the user, `reservations` is on for staff, `edition` numbers the document.
func definitionsText(edition: Int = 1, staff: String = "@example.com", more: String = "") -> String {
    let owners = (0..<50).map { #""user-\#($0)": "user-\#($0)""# }.joined(separator: ", ")
    return """
        {"$schema": "https://flagd.dev/schema/v0/flags.json", "$version": \(edition),
        "$evaluators": {"staff": {"ends_with": [{"var": "email"}, "\(staff)"]}},
        "metadata": {"flagSetId": "tests"},
        "flags": {\(more)
        "owner": {"state": "ENABLED", "variants": {\(owners)}, "targeting": {"var": "targetingKey"}},
        "reservations": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
            "targeting": {"if": [{"$ref": "staff"}, "on"]}},
        "edition": {"state": "ENABLED", "variants": {"it": \(edition)}, "defaultVariant": "it"}}}
        """
}

let ada: EvaluationContext = ["targetingKey": "user-1", "email": "ada@example.com"]
let bob: EvaluationContext = ["targetingKey": "user-2", "email": "bob@example.org"]

/// A server without a network: replies in order, the last one for ever, and each only after it has passed the gate.
final class ScriptedTransport: HTTPTransport {
    /// What requests go through before they are answered. Open unless a test closes it.
    let gate = FlagGate()
    private let state: Mutex<(replies: [ScriptedReply], requests: [HTTPTransportRequest])>

    init(_ replies: [ScriptedReply]) {
        state = Mutex((replies, []))
    }

    var requests: [HTTPTransportRequest] { state.withLock { $0.requests } }

    func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.count > 1 ? state.replies.removeFirst() : state.replies.first
        }
        // A server does not notice that its client has gone, so its answer comes all the same.
        await Task { try? await gate.pass() }.value
        guard let reply else { throw CocoaError(.fileNoSuchFile) }
        return HTTPTransportResponse(json: reply.text, headers: reply.etag.map { ["ETag": "\"\($0)\""] } ?? [:])
    }
}

struct ScriptedReply {
    let text: String
    let etag: String?

    static func json(_ text: String, etag: String? = nil) -> ScriptedReply { ScriptedReply(text: text, etag: etag) }
}

extension RemoteJSONProvider.Configuration {
    /// Without a cache, without a gap between refreshes, and with a clock that stands still.
    static func forTests(
        _ transport: ScriptedTransport,
        _ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
    ) -> RemoteJSONProvider.Configuration {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.transport = transport
        configuration.cache = .disabled
        configuration.clock = ManualClock()
        change(&configuration)
        return configuration
    }
}

extension TemporaryFolder {
    @discardableResult
    func write(_ text: String, to name: String = "flags.json") throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file, options: .atomic)
        return file
    }
}
