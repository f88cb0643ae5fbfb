import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Foundation: `URLSession` is what this stands on.

/// One request on its way: what its delegate was told so far, and who waits for it.
///
/// The first outcome counts. After it everything that still arrives is dropped: on Linux megabytes can follow a
/// cancelled task.
final class URLSessionExchange: Sendable {
    typealias Head = (status: Int, headers: HTTPHeaders)

    /// The task, and whether it was told to end.
    private struct Control {
        var task: URLSessionDataTask?
        var isCancelled = false
    }

    private struct State {
        var head: Head?
        var buffer = Data()
        var receivedBytes = 0
        var outcome: Result<Void, HTTPTransportError>?
        var hops = 0
        var hasLeftOrigin = false
        var lastProgress: Duration
        var watchdog: Task<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    let request: HTTPTransportRequest
    /// Whether the body is kept as a whole; otherwise it is taken in portions.
    private let collects: Bool
    private let time: MonotonicTime
    private let state: Mutex<State>
    /// Held while the task is cancelled, and while a redirect is answered: `URLSession` on Linux traps when a redirect is
    /// answered after its task was cancelled. Neither calls back on the same thread.
    private let control = Mutex(Control())

    init(_ request: HTTPTransportRequest, collects: Bool, time: MonotonicTime) {
        self.request = request
        self.collects = collects
        self.time = time
        state = Mutex(State(lastProgress: time.now))
    }

    // MARK: What the client calls

    func start(_ task: URLSessionDataTask) {
        let isOver = control.withLock { control in
            control.task = task
            if !control.isCancelled { task.resume() } else { task.cancel() }
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
        let (chunk, outcome) = state.withLock { state in
            defer { state.buffer = Data() }
            return (state.buffer, state.outcome)
        }
        if !chunk.isEmpty { return chunk }
        if case .failure(let error)? = outcome { throw error }
        return nil
    }

    /// Ends the request, if it has not ended.
    func cancel() {
        finish(.failure(HTTPTransportError(.cancelled, reason: "the request was cancelled")))
    }

    // MARK: What the delegate calls

    /// Follows a redirect or refuses it; gives no answer at all once the task was cancelled.
    func didReceiveRedirect(to url: URL?, answer: (URLRequest?) -> Void) {
        let decision = state.withLock { state in
            state.hops += 1
            return RedirectPolicy(request: request)
                .headers(to: url, hop: state.hops, hasLeftOrigin: &state.hasLeftOrigin)
        }
        var next: URLRequest?
        switch decision {
        case .success(let headers): next = url.map { URLRequest(request, url: $0, headers: headers) }
        // Without a next request the task ends by itself.
        case .failure(let error): finish(.failure(error), cancelsTask: false)
        }
        control.withLock { control in
            if !control.isCancelled { answer(next) }
        }
    }

    func didReceive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        let headers = HTTPHeaders(response)
        guard headers.byteCount <= Self.maximumHeaderBytes else {
            let reason = "the header of the answer has more than \(Self.maximumHeaderBytes) bytes"
            return finish(.failure(HTTPTransportError(.headerTooLarge, reason: reason)))
        }
        update { state in
            state.head = (response.statusCode, headers)
            state.lastProgress = time.now
        }
        watch()
    }

    func didReceive(_ data: Data) {
        var isTooLarge = false
        update { state in
            guard state.outcome == nil else { return }
            state.receivedBytes += data.count
            state.lastProgress = time.now
            isTooLarge = state.buffer.count + data.count > request.maximumBodyBytes
            if !isTooLarge { state.buffer.append(data) }
        }
        if isTooLarge {
            let what = collects ? "the body has" : "the stream is ahead of its reader by"
            let reason = "\(what) more than \(request.maximumBodyBytes) bytes"
            finish(.failure(HTTPTransportError(.bodyTooLarge, reason: reason)))
        }
    }

    /// Takes the answer to a request that would have to prove who it is. It has a status and no body.
    func didRefuseToAuthenticate(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return }
        didReceive(response)
        // The answer to the challenge ends the task.
        finish(.success(()), cancelsTask: false)
    }

    func didComplete(_ error: (any Error)?, response: URLResponse?) {
        if let error { return finish(.failure(HTTPTransportError(describing: error)), cancelsTask: false) }
        if state.withLock({ $0.head == nil && $0.outcome == nil }), let response { didReceive(response) }
        let isShort = state.withLock { state in
            guard let head = state.head, head.headers["Content-Encoding"] == nil, head.status != 304 else {
                return false
            }
            guard let length = head.headers["Content-Length"].flatMap({ Int($0) }) else { return false }
            return state.receivedBytes < length
        }
        let failure = HTTPTransportError(.incomplete, reason: "the body ended before its Content-Length")
        finish(isShort ? .failure(failure) : .success(()), cancelsTask: false)
    }

    // MARK: Inside

    private static let maximumHeaderBytes = 64 << 10

    private func finish(_ outcome: Result<Void, HTTPTransportError>, cancelsTask: Bool = true) {
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
            if cancelsTask {
                control.isCancelled = true
                control.task?.cancel()
            }
            control.task = nil
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
