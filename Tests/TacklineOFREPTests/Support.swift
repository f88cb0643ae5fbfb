import Foundation
import TacklineCore
import TacklineLoopback
import TacklineOFREP
import TacklineRemoteJSON
import TacklineTestSupport
import TacklineTesting

/// A bulk answer with these flags, as JSON text.
func bulk(_ flags: String, etag: String? = nil, streams: String? = nil) -> LoopbackReply {
    .response(.json("{\"flags\": [\(flags)]\(streams.map { ", \"eventStreams\": [\($0)]" } ?? "")}", etag: etag))
}

func status(_ status: Int, _ headers: [LoopbackHeader] = [], body: String = "") -> LoopbackReply {
    .response(LoopbackResponse(status: status, headers: headers, body: Array(body.utf8)))
}

func flag(_ key: String, _ value: String, _ rest: String = "\"reason\": \"STATIC\"") -> String {
    "{\"key\": \"\(key)\", \"value\": \(value), \(rest)}"
}

extension OFREPProvider.Configuration {
    /// Without a disk and without real time: a test that hangs is ended by its limit and by nothing else.
    static func forTests(_ change: (inout OFREPProvider.Configuration) -> Void = { _ in })
        -> OFREPProvider.Configuration
    {
        var configuration = OFREPProvider.Configuration()
        configuration.requests.cache = .disabled
        configuration.requests.clock = ManualClock()
        configuration.requests.randomNumber = { 0 }
        change(&configuration)
        return configuration
    }
}

extension LoopbackRequest {
    /// The context that was sent.
    var context: EncodedFlagValue? {
        guard case .object(let members)? = try? FlagJSONReader().read(body) else { return nil }
        return members["context"]
    }

    /// The targeting key that was sent.
    var user: String? {
        guard case .object(let members)? = context, case .string(let key)? = members["targetingKey"] else { return nil }
        return key
    }
}
