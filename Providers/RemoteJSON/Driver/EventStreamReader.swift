import Foundation
import TacklineFiles

// Foundation: `URL` is the address of the stream.

/// A reader that opens one connection to a stream of server-sent events and forwards its events.
struct EventStreamReader: Sendable {
    let configuration: RemoteJSONConfiguration
    let transport: any HTTPTransport

    /// Reads the connection until it ends or the task is cancelled, and returns the end.
    func read(_ url: URL, _ memory: StreamMemory, tell: (StreamNews) -> Void) async -> StreamNews {
        var memory = memory
        var secrets = Secrets(url, configuration)
        var reason = "the server closed it"
        do {
            let stream = try await transport.stream(request(url, memory, &secrets))
            guard stream.status != 204 else { return .over }
            let type = (stream.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
            guard stream.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
                let reason = "status \(stream.status) and type \(type), where events are expected"
                let wait = RetryAfter.parse(stream.headers, now: configuration.wallClock())
                return .lost(reason: secrets.hidden(in: reason), retryAfter: wait)
            }
            tell(.opened)
            var parser = ServerSentEventParser(
                maximumEventBytes: configuration.stream.maximumEventBytes, lastEventID: memory.lastEventID)
            for try await chunk in stream.chunks {
                let events = try parser.consume(chunk)
                let new = StreamMemory(
                    lastEventID: parser.lastEventID,
                    retryMilliseconds: parser.retryMilliseconds ?? memory.retryMilliseconds)
                guard !events.isEmpty || new != memory else { continue }
                memory = new
                tell(.progress(new, hasEvent: events.contains { isChange($0) }))
            }
        } catch is ServerSentEventParser.TooLarge {
            reason = "an event has more than \(configuration.stream.maximumEventBytes.byteText)"
        } catch {
            reason = "\(error)"
        }
        return .lost(reason: secrets.hidden(in: reason), retryAfter: nil)
    }

    /// Returns whether an event announces a change.
    private func isChange(_ event: ServerSentEvent) -> Bool {
        if let dialect = configuration.dialect { return dialect.isChange(event) }
        return !event.isCalled(configuration.stream.keepAliveNames)
    }

    private func request(
        _ url: URL, _ memory: StreamMemory, _ secrets: inout Secrets
    ) async throws -> HTTPTransportRequest {
        // No timer limits the authorization of a stream, so this sets a limit.
        let headers = try await DocumentFetcher.commonHeaders(
            configuration, within: configuration.totalDeadline, &secrets)
        var request = configuration.request(url, headers)
        request.headers["Accept"] = "text/event-stream"
        // The field is from the specification of event streams (WHATWG HTML, 9.2.2).
        request.headers["Cache-Control"] = "no-cache"
        request.headers["Last-Event-ID"] = memory.lastEventID
        request.maximumBodyBytes = max(configuration.stream.maximumEventBytes, 64 << 10) * 2
        request.idleTimeout = configuration.stream.idleTimeout
        return request
    }
}
