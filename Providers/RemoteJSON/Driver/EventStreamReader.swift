#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `URL` is where the stream is.

/// Opens one connection to a stream of server-sent events, and tells what it brings.
struct EventStreamReader: Sendable {
    let configuration: RemoteJSONConfiguration
    let transport: any HTTPTransport

    /// Reads the connection to its end, which it returns, or until the task is cancelled.
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
                let wait = RetryAfter.parse(stream.headers["Retry-After"], now: configuration.wallClock())
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
                tell(.progress(new, hasEvent: events.contains { configuration.dialect?.isChange($0) ?? true }))
            }
        } catch is ServerSentEventParser.TooLarge {
            reason = "an event has more than \(configuration.stream.maximumEventBytes) bytes"
        } catch {
            reason = "\(error)"
        }
        return .lost(reason: secrets.hidden(in: reason), retryAfter: nil)
    }

    private func request(
        _ url: URL, _ memory: StreamMemory, _ secrets: inout Secrets
    ) async throws -> HTTPTransportRequest {
        // Nobody else bounds the time that the authorization takes here.
        let headers = try await DocumentFetcher.commonHeaders(
            configuration, within: configuration.totalDeadline, &secrets)
        var request = HTTPTransportRequest(url: url, headers: headers)
        request.headers["Accept"] = "text/event-stream"
        // As the specification of event streams has it (WHATWG HTML, 9.2.2).
        request.headers["Cache-Control"] = "no-cache"
        request.headers["Last-Event-ID"] = memory.lastEventID
        request.maximumBodyBytes = max(configuration.stream.maximumEventBytes, 64 << 10) * 2
        request.responseHeaderTimeout = configuration.responseHeaderTimeout
        request.idleTimeout = configuration.stream.idleTimeout
        request.maximumRedirects = configuration.maximumRedirects
        request.allowsOtherOrigins = configuration.allowsRedirectsToOtherOrigins
        return request
    }
}
