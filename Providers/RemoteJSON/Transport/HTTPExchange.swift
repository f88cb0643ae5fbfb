#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

// Foundation: `Data` is what clients receive.

/// What carries one request of an ``HTTPExchange``.
protocol HTTPExchangeWork: Sendable {
    /// Begins.
    func resume()
    /// Ends as soon as possible; may be called without ``resume()``. Must not call the exchange back on the same thread.
    func cancel()
    /// Has the server wait with more of the body until ``proceed()``; `false` where that is not possible.
    func holdBack() -> Bool
    func proceed()
}

/// One request on its way: what has come of it so far, who waits for it, and its limits in time and size.
///
/// The first outcome counts. After it everything that still arrives is dropped: from `URLSession` on Linux megabytes can
/// follow a cancelled task.
final class HTTPExchange: Sendable {
    typealias Head = (status: Int, headers: HTTPTransportHeaders)

    /// What does the work, and whether it was told to end.
    private struct Control {
        var work: (any HTTPExchangeWork)?
        var isCancelled = false
    }

    private struct State {
        var head: Head?
        var buffer = Data()
        var receivedBytes = 0
        /// Whether the server waits for the reader.
        var isHeldBack = false
        var outcome: Result<Void, HTTPTransportError>?
        var hops = 0
        var hasLeftOrigin = false
        /// Where the last redirect led.
        var redirectedTo: URL?
        var lastProgress: Duration
        var watchdog: Task<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    let request: HTTPTransportRequest
    /// Whether the body is kept as a whole; otherwise it is taken in portions.
    private let collects: Bool
    private let time: MonotonicTime
    private let state: Mutex<State>
    /// Held while the work is cancelled, and while a redirect is answered: `URLSession` on Linux traps when a redirect is
    /// answered after its task was cancelled. Neither calls back on the same thread.
    private let control = Mutex(Control())

    init(_ request: HTTPTransportRequest, collects: Bool, time: MonotonicTime) {
        self.request = request
        self.collects = collects
        self.time = time
        state = Mutex(State(lastProgress: time.now))
    }

    // MARK: What the client calls

    func start(_ work: any HTTPExchangeWork) {
        let isOver = control.withLock { control in
            control.work = work
            if !control.isCancelled { work.resume() } else { work.cancel() }
            return control.isCancelled
        }
        if !isOver { watch() }
    }

    /// Waits for the header.
    func head() async throws(HTTPTransportError) -> Head {
        await wait { $0.head != nil || $0.outcome != nil }
        let (head, outcome) = state.withLock { ($0.head, $0.outcome) }
        if case .failure(let error)? = outcome { throw error }
        guard let head else { throw HTTPTransportError(.connection, reason: "the server sent no HTTP answer") }
        return head
    }

    /// Waits for the end and returns the whole body.
    func body() async throws(HTTPTransportError) -> Data {
        await wait { $0.outcome != nil }
        let (body, outcome) = state.withLock { ($0.buffer, $0.outcome) }
        if case .failure(let error)? = outcome { throw error }
        return body
    }

    /// Waits for the next portion of the body; `nil` at its end.
    func nextChunk() async throws(HTTPTransportError) -> Data? {
        await wait { !$0.buffer.isEmpty || $0.outcome != nil }
        let (chunk, outcome, wasHeldBack) = state.withLock { state in
            if state.isHeldBack { state.lastProgress = time.now }
            defer {
                state.buffer = Data()
                state.isHeldBack = false
            }
            return (state.buffer, state.outcome, state.isHeldBack)
        }
        if wasHeldBack { control.withLock { $0.work?.proceed() } }
        if !chunk.isEmpty { return chunk }
        if case .failure(let error)? = outcome { throw error }
        return nil
    }

    /// Ends the request, if it has not ended.
    func cancel() {
        finish(.failure(HTTPTransportError(.cancelled, reason: "the request was cancelled")))
    }

    // MARK: What does the work calls

    /// Decides about a redirect. Without header fields for the next hop the exchange is over, and the work ends by itself.
    func didReceiveRedirect(to url: URL?) -> HTTPTransportHeaders? {
        let decision = state.withLock { state in
            state.hops += 1
            let previous = state.redirectedTo
            state.redirectedTo = url
            return RedirectPolicy(request: request)
                .headers(to: url, from: previous, hop: state.hops, hasLeftOrigin: &state.hasLeftOrigin)
        }
        switch decision {
        case .success(let headers):
            return headers
        case .failure(let error):
            finish(.failure(error), cancelsWork: false)
            return nil
        }
    }

    /// Does something while the work cannot be cancelled, unless it was.
    func unlessCancelled(_ body: () -> Void) {
        control.withLock { control in
            if !control.isCancelled { body() }
        }
    }

    var hasHead: Bool { state.withLock { $0.head != nil } }

    var isOver: Bool { state.withLock { $0.outcome != nil } }

    func didReceiveHead(status: Int, headers: HTTPTransportHeaders) {
        guard headers.byteCount <= Self.maximumHeaderBytes else {
            return finish(.failure(.headerIsTooLarge))
        }
        update { state in
            state.head = (status, headers)
            state.lastProgress = time.now
        }
        watch()
    }

    enum Offer { case taken, later }

    /// Takes a portion of the body, or none of it while the reader of a stream is behind by what may wait: then it is to be
    /// offered again after ``HTTPExchangeWork/proceed()``.
    func offer(_ data: Data) -> Offer {
        let isFull = state.withLock { state in
            guard state.outcome == nil, !collects, !state.buffer.isEmpty else { return false }
            state.isHeldBack = state.buffer.count + data.count > request.maximumBodyBytes
            return state.isHeldBack
        }
        if isFull { return .later }
        didReceive(data)
        return .taken
    }

    /// Takes a portion of the body.
    func didReceive(_ data: Data) {
        var isOver = false
        update { state in
            guard state.outcome == nil else { return }
            state.receivedBytes += data.count
            state.lastProgress = time.now
            isOver = state.buffer.count + data.count > request.maximumBodyBytes
            // What a stream brings beyond is on its way already.
            if !isOver || !collects { state.buffer.append(data) }
        }
        guard isOver else { return }
        if !collects, holdBack() { return }
        let what = collects ? "the body has" : "the stream is ahead of its reader by"
        let reason = "\(what) more than \(request.maximumBodyBytes) bytes"
        finish(.failure(HTTPTransportError(.bodyTooLarge, reason: reason)))
    }

    private func holdBack() -> Bool {
        let isPossible = control.withLock { $0.isCancelled || $0.work?.holdBack() ?? false }
        guard isPossible else { return false }
        // The reader may have come meanwhile.
        let isIdle = state.withLock { state in
            state.isHeldBack = !state.buffer.isEmpty
            return !state.isHeldBack
        }
        if isIdle { control.withLock { $0.work?.proceed() } }
        return true
    }

    /// Ends the exchange with an answer that is complete as it is, whatever its header announces.
    func didCompleteWithoutBody() {
        finish(.success(()), cancelsWork: false)
    }

    /// Ends the exchange.
    func didComplete(_ error: HTTPTransportError?) {
        if let error { return finish(.failure(error), cancelsWork: false) }
        let isShort = state.withLock { state in
            guard let head = state.head, head.headers["Content-Encoding"] == nil, head.status != 304 else {
                return false
            }
            guard let length = head.headers["Content-Length"].flatMap({ Int($0) }) else { return false }
            return state.receivedBytes < length
        }
        let failure = HTTPTransportError(.incomplete, reason: "the body ended before its Content-Length")
        finish(isShort ? .failure(failure) : .success(()), cancelsWork: false)
    }

    // MARK: Inside

    static let maximumHeaderBytes = 64 << 10

    private func finish(_ outcome: Result<Void, HTTPTransportError>, cancelsWork: Bool = true) {
        let (isFirst, watchdog) = state.withLock { state in
            guard state.outcome == nil else { return (false, nil) as (Bool, Task<Void, Never>?) }
            state.outcome = outcome
            if case .failure = outcome { state.buffer = Data() }
            defer { state.watchdog = nil }
            return (true, state.watchdog)
        }
        guard isFirst else { return }
        watchdog?.cancel()
        control.withLock { control in
            if cancelsWork {
                control.isCancelled = true
                control.work?.cancel()
            }
            control.work = nil
        }
        update { _ in }
    }

    /// Changes the state and wakes the waiter, who looks whether it has what it waits for.
    private func update(_ change: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    private func wait(until isMet: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            while !state.withLock({ isMet($0) }) {
                await withCheckedContinuation { continuation in
                    let isMetNow = state.withLock { state in
                        if isMet(state) { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isMetNow { continuation.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the request when the header, or the next bytes after it, do not come in time.
    ///
    /// `URLSession` on Linux cuts its own timeouts to whole seconds and ignores the one for the whole resource.
    private func watch() {
        let watchdog = Task { [weak self] in
            while let deadline = self?.deadline() {
                if deadline.isOver { return }
                guard (try? await self?.time.sleep(until: deadline.instant)) != nil else { return }
            }
        }
        let old = state.withLock { state in
            let old = state.outcome == nil ? state.watchdog : watchdog
            if state.outcome == nil { state.watchdog = watchdog }
            return old
        }
        old?.cancel()
    }

    /// When to look again; ends the request if the time is up.
    private func deadline() -> (instant: Duration, isOver: Bool)? {
        let (instant, hasHead) = state.withLock { state in
            guard state.outcome == nil else { return (nil, false) as (Duration?, Bool) }
            // Nothing can arrive that is not let in.
            if state.isHeldBack { state.lastProgress = time.now }
            guard state.head != nil else { return (state.lastProgress + request.responseHeaderTimeout, false) }
            return (request.idleTimeout.map { state.lastProgress + $0 }, true)
        }
        guard let instant else { return nil }
        guard time.now >= instant else { return (instant, false) }
        let reason =
            hasHead
            ? "nothing arrived for \(request.idleTimeout ?? .zero) in the middle of the body"
            : "the server sent no header within \(request.responseHeaderTimeout)"
        finish(.failure(HTTPTransportError(.timedOut, reason: reason)))
        return (instant, true)
    }
}

/// Ends a request when the stream of its body is gone.
final class HTTPExchangeLease: Sendable {
    private let exchange: HTTPExchange

    /// Waits for the header, and returns the answer whose body is still on its way.
    static func stream(_ exchange: HTTPExchange) async throws(HTTPTransportError) -> HTTPTransportStream {
        let head = try await exchange.head()
        let lease = HTTPExchangeLease(exchange)
        let chunks = AsyncThrowingStream<Data, any Error> { try await lease.exchange.nextChunk() }
        return HTTPTransportStream(status: head.status, headers: head.headers, chunks: chunks)
    }

    private init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.cancel()
    }
}
