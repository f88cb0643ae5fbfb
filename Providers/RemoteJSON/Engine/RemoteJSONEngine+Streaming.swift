#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `URL` and `Data` belong to requests.

extension RemoteJSONEngine {
    private enum StreamEnd: Sendable {
        /// The server wants no more connections.
        case forGood
        /// The connection failed or ended, having been open for so long.
        case lost(after: Duration, reason: String)
    }

    /// Keeps a stream open, and has the document fetched at each event.
    func followStream(at url: URL) async {
        var memory = StreamMemory()
        var failures = 0
        while !Task.isCancelled {
            guard update({ !$0.isSuspended && !$0.isOffline }) else {
                await streamWakeup.wait(until: nil, on: time)
                continue
            }
            guard let end = await connect(to: url, &memory) else { continue }
            guard case .lost(let openTime, let reason) = end else {
                events.warn("the server ended the stream for good; polling goes on")
                return events.drainLog()
            }
            events.warn("the stream was lost: \(reason)")
            events.drainLog()
            failures = openTime >= configuration.stream.resetAfter ? 1 : failures + 1
            let delay = Backoff.delay(
                afterFailures: failures,
                base: memory.retry(configuration.stream),
                limit: max(configuration.stream.maximumRetry, memory.retry(configuration.stream)),
                random: configuration.randomNumber()
            )
            await streamWakeup.wait(until: time.now + delay, on: time)
        }
    }

    /// Reads one connection to its end. Gives `nil` when it was interrupted, because the app was suspended for example.
    private func connect(to url: URL, _ memory: inout StreamMemory) async -> StreamEnd? {
        let before = memory
        let result = await withTaskGroup(of: (StreamEnd, StreamMemory)?.self) { group in
            group.addTask {
                var memory = before
                let end = await self.readStream(at: url, &memory)
                return (end, memory)
            }
            group.addTask {
                // A signal may be older than this connection, so what counts is the state.
                repeat {
                    await self.streamWakeup.wait(until: nil, on: self.time)
                } while !Task.isCancelled && self.update { !$0.isSuspended && !$0.isOffline }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return (first.0, first.1, false) as (StreamEnd, StreamMemory, Bool)? }
            guard let interrupted = await group.next() ?? nil else { return nil }
            return (interrupted.0, interrupted.1, true)
        }
        guard let (end, newMemory, wasInterrupted) = result else { return nil }
        memory = newMemory
        return wasInterrupted ? nil : end
    }

    private func readStream(at url: URL, _ memory: inout StreamMemory) async -> StreamEnd {
        var openedAt: Duration?
        var parser = ServerSentEventParser(
            maximumEventBytes: configuration.stream.maximumEventBytes,
            lastEventID: memory.lastEventID
        )
        var reason = "the server closed it"
        do {
            let stream = try await openStream(at: url, memory)
            guard stream.status != 204 else { return .forGood }
            let type = (stream.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
            guard stream.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
                return .lost(
                    after: .zero,
                    reason: "status \(stream.status) and type \(type), where events are expected"
                )
            }
            openedAt = time.now
            trigger(at: time.now)
            for try await chunk in stream.chunks {
                let events = try parser.consume(chunk)
                memory.lastEventID = parser.lastEventID
                memory.retryMilliseconds = parser.retryMilliseconds ?? memory.retryMilliseconds
                if !events.isEmpty { trigger(at: time.now + configuration.stream.debounce) }
            }
        } catch is ServerSentEventParser.TooLarge {
            reason = "an event has more than \(configuration.stream.maximumEventBytes) bytes"
        } catch {
            reason = "\(error)"
        }
        return .lost(after: openedAt.map { time.now - $0 } ?? .zero, reason: reason)
    }

    private func openStream(at url: URL, _ memory: StreamMemory) async throws -> HTTPTransportStream {
        var headers = try await DocumentFetcher.commonHeaders(configuration)
        headers["Accept"] = "text/event-stream"
        headers["Cache-Control"] = "no-store"
        headers["Last-Event-ID"] = memory.lastEventID
        var request = HTTPTransportRequest(url: url, headers: headers)
        request.maximumBodyBytes = max(configuration.stream.maximumEventBytes, 64 << 10) * 2
        request.responseHeaderTimeout = configuration.responseHeaderTimeout
        request.idleTimeout = configuration.stream.idleTimeout
        request.maximumRedirects = configuration.maximumRedirects
        request.allowsOtherOrigins = configuration.allowsRedirectsToOtherOrigins
        return try await transport.stream(request)
    }

    /// Wants the document to be fetched at an instant. Events that come before it are served by the same request.
    private func trigger(at instant: Duration) {
        update { $0.schedule.trigger(at: instant) }
        pollWakeup.signal()
    }
}
