import Foundation
import Synchronization
import TacklineCore
import TacklineFiles

// Foundation: `Data` is received by clients.

/// The client's part of an ``HTTPExchange``, which carries one request.
protocol HTTPExchangeWork: Sendable {
    /// Starts the request.
    func resume()
    /// Ends the request as soon as possible. It may be called without ``resume()``, and must not call the exchange back
    /// on the same thread.
    func cancel()
    /// Makes the server pause the body until ``proceed()``. Returns `false` if that is not possible.
    func holdBack() -> Bool
    func proceed()
}

/// One request in progress: its result so far, the task that waits for it, and its limits in time and size.
///
/// The first outcome counts. Later data is dropped: `URLSession` on Linux can deliver megabytes after a task was
/// cancelled.
final class HTTPExchange: Sendable {
    typealias Head = (status: Int, headers: HTTPTransportHeaders)

    /// The work, and whether it was cancelled.
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
        /// The URL to which the last redirect led.
        var redirectedTo: URL?
        var lastProgress: Duration
        var watchdog: Task<Void, Never>?
        /// Resolved when the state changes, or `nil` if no task waits.
        var change: FlagPromise<Void>?
    }

    let request: HTTPTransportRequest
    private let time: MonotonicTime
    private let state: Mutex<State>
    /// The lock is held while the work is cancelled and while a redirect is answered, because `URLSession` on Linux
    /// traps when a redirect is answered after its task was cancelled. Neither calls back on the same thread.
    private let control = Mutex(Control())

    init(_ request: HTTPTransportRequest, time: MonotonicTime) {
        self.request = request
        self.time = time
        state = Mutex(State(lastProgress: time.now))
    }

    // MARK: For the transport

    func start(_ work: any HTTPExchangeWork) {
        let isOver = control.withLock { control in
            control.work = work
            if !control.isCancelled { work.resume() } else { work.cancel() }
            return control.isCancelled
        }
        if !isOver { watch() }
    }

    /// Waits for the header and returns it.
    func head() async throws(HTTPTransportError) -> Head {
        await wait { $0.head != nil || $0.outcome != nil }
        let (head, outcome) = state.withLock { ($0.head, $0.outcome) }
        // A failure in the body is that of the next portion.
        if let head { return head }
        if case .failure(let error)? = outcome { throw error }
        throw HTTPTransportError(.connection, reason: "the server sent no HTTP answer")
    }

    /// Waits for the next portion of the body and returns it, or `nil` at the end.
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

    /// Ends the request, unless it has ended.
    func cancel() {
        finish(.failure(HTTPTransportError(.cancelled, reason: "the request was cancelled")))
    }

    // MARK: For the work

    /// Returns whether an answer with a status and a location is a redirect to follow.
    func follows(_ status: Int) -> Bool {
        request.maximumRedirects > 0 && [301, 302, 303, 307, 308].contains(status)
    }

    /// Returns the header fields for the next hop, or `nil` if the redirect is refused. The exchange is then over, and
    /// the work ends by itself.
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

    /// Calls `body` unless the work was cancelled, and delays a cancellation meanwhile.
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
            // The final answer follows an interim one.
            if status >= 200 { state.head = (status, headers) }
            state.lastProgress = time.now
        }
        watch()
    }

    enum Offer { case taken, later }

    /// Receives a portion of the body, or refuses it while a stream's unread bytes would exceed the limit. A refused
    /// portion is to be offered again after ``HTTPExchangeWork/proceed()``.
    func offer(_ data: Data) -> Offer {
        let isFull = state.withLock { state in
            guard state.outcome == nil, !state.buffer.isEmpty else { return false }
            state.isHeldBack = state.buffer.count + data.count > request.maximumBodyBytes
            return state.isHeldBack
        }
        if isFull { return .later }
        didReceive(data)
        return .taken
    }

    /// Receives a portion of the body.
    func didReceive(_ data: Data) {
        var isOver = false
        update { state in
            guard state.outcome == nil else { return }
            state.receivedBytes += data.count
            state.lastProgress = time.now
            isOver = state.buffer.count + data.count > request.maximumBodyBytes
            // Data beyond the limit has arrived already, so it is kept.
            state.buffer.append(data)
        }
        guard isOver, !holdBack() else { return }
        let reason = "the body is ahead of its reader by more than \(request.maximumBodyBytes.byteText)"
        finish(.failure(HTTPTransportError(.bodyTooLarge, reason: reason)))
    }

    private func holdBack() -> Bool {
        let isPossible = control.withLock { $0.isCancelled || $0.work?.holdBack() ?? false }
        guard isPossible else { return false }
        // The reader may have emptied the buffer meanwhile.
        let isIdle = state.withLock { state in
            state.isHeldBack = !state.buffer.isEmpty
            return !state.isHeldBack
        }
        if isIdle { control.withLock { $0.work?.proceed() } }
        return true
    }

    /// Ends the exchange with an answer without a body, whatever length its header gives.
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
            // What the server has sent before it broke off is still read.
            if cancelsWork { state.buffer = Data() }
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

    /// Changes the state and resumes the waiting task, which checks its condition again.
    private func update(_ change: (inout sending State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.change = nil }
            return state.change
        }
        waiting?.resolve(())
    }

    /// Waits until a condition is met. If the task is cancelled first, the exchange is cancelled, which meets every one.
    private func wait(until isMet: @Sendable (borrowing State) -> Bool) async {
        while let change = state.withLock({ state -> FlagPromise<Void>? in
            if isMet(state) { return nil }
            state.change = FlagPromise()
            return state.change
        }) {
            if await change.wait() == nil { cancel() }
        }
    }

    /// Ends the request when the header, or the next bytes after it, do not arrive in time.
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

    /// Returns the instant of the next check, and ends the request if its time is over. Returns `nil` if there is no
    /// limit or the request has ended.
    private func deadline() -> (instant: Duration, isOver: Bool)? {
        let (instant, hasHead) = state.withLock { state in
            guard state.outcome == nil else { return (nil, false) as (Duration?, Bool) }
            // While the server is held back, nothing can arrive.
            if state.isHeldBack { state.lastProgress = time.now }
            guard state.head != nil else { return (state.lastProgress + request.responseHeaderTimeout, false) }
            return (request.idleTimeout.map { state.lastProgress + $0 }, true)
        }
        guard let instant else { return nil }
        guard time.now >= instant else { return (instant, false) }
        let reason =
            hasHead
            ? "nothing arrived for \((request.idleTimeout ?? .zero).secondsText) in the middle of the body"
            : "the server sent no header within \(request.responseHeaderTimeout.secondsText)"
        finish(.failure(HTTPTransportError(.timedOut, reason: reason)))
        return (instant, true)
    }
}

extension HTTPTransport {
    /// Starts the work of a request, waits for the header, and returns the answer while its body is still arriving.
    func answer(
        to request: HTTPTransportRequest, _ time: MonotonicTime, work: (HTTPExchange) -> any HTTPExchangeWork
    ) async throws(HTTPTransportError) -> HTTPTransportStream {
        let exchange = HTTPExchange(request, time: time)
        exchange.start(work(exchange))
        let head = try await exchange.head()
        let lease = HTTPExchangeLease(exchange)
        let chunks = AsyncThrowingStream<Data, any Error> { try await lease.exchange.nextChunk() }
        return HTTPTransportStream(status: head.status, headers: head.headers, chunks: chunks)
    }
}

/// An owner of a stream's request, which ends the request when the stream is released.
private final class HTTPExchangeLease: Sendable {
    let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.cancel()
    }
}
