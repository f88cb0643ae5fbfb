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

extension RemoteJSONProvider.Configuration {
    /// Without a disk and without real time: a test that hangs is ended by its limit and by nothing else.
    static func forTests(_ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in })
        -> RemoteJSONProvider.Configuration
    {
        var configuration = RemoteJSONProvider.Configuration.ofrep
        configuration.cache = .disabled
        configuration.clock = ManualClock()
        configuration.randomNumber = { 0 }
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

extension IssueRecorder {
    /// Waits until so many issues were reported: that comes after the events, in no order.
    func wait(count: Int) async throws(CancellationError) {
        while issues.count < count {
            if Task.isCancelled { throw CancellationError() }
            await Task.yield()
        }
    }
}

/// Reads the outcomes of requests in order, for a test that waits for certain ones.
struct Outcomes {
    private var iterator: AsyncStream<Refresher.Outcome>.Iterator

    init(_ provider: OFREPProvider) { iterator = provider.refresher.outcomes.makeAsyncIterator() }

    mutating func next() async throws(CancellationError) -> Refresher.Outcome {
        guard let outcome = await iterator.next(isolation: nil) else { throw CancellationError() }
        return outcome
    }
}
