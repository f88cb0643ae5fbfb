import Foundation
import Synchronization
import TacklineCore

// Foundation: `Data` is received by clients.

/// The answer to one request while it arrives, between the callbacks of a client and the task that reads.
///
/// The first end counts, and data after it is dropped.
final class ArrivingResponse: Sendable {
    private struct State {
        var head: (status: Int, headers: [String: String])?
        var buffer = Data()
        /// Whether the server waits for the reader.
        var isHeldBack = false
        var end: Result<Void, any Error>?
        /// Resolved when the state changes, or `nil` if no task waits.
        var change: FlagPromise<Void>?
    }

    private let limit: Int
    private let state = Mutex(State())
    /// Functions of the client, which may be called on any thread: to end the request, and to go on after it was held back.
    private let cancelWork: @Sendable () -> Void
    private let proceed: @Sendable () -> Void

    init(
        limit: Int, cancel: @escaping @Sendable () -> Void, proceed: @escaping @Sendable () -> Void
    ) {
        (self.limit, cancelWork, self.proceed) = (limit, cancel, proceed)
    }

    // MARK: For the reader

    /// Waits for the header and returns the answer, whose body ends the request when it is released.
    func response() async throws -> HTTPTransportResponse {
        await wait { $0.head != nil || $0.end != nil }
        let (head, end) = state.withLock { ($0.head, $0.end) }
        guard let head else {
            try end?.get()
            throw HTTPFailure("the server sent no HTTP answer")
        }
        let lease = Lease(self)
        let body = AsyncThrowingStream<Data, any Error> { try await lease.response.nextChunk() }
        return HTTPTransportResponse(status: head.status, headers: head.headers, body: body)
    }

    private func nextChunk() async throws -> Data? {
        await wait { !$0.buffer.isEmpty || $0.end != nil }
        let (chunk, end, wasHeldBack) = state.withLock { state in
            defer { (state.buffer, state.isHeldBack) = (Data(), false) }
            return (state.buffer, state.end, state.isHeldBack)
        }
        if wasHeldBack { proceed() }
        if !chunk.isEmpty { return chunk }
        try end?.get()
        return nil
    }

    /// Waits until a condition is met. If the task is cancelled first, the request ends, which meets every one.
    private func wait(until isMet: @Sendable (borrowing State) -> Bool) async {
        while let change = state.withLock({ state -> FlagPromise<Void>? in
            if isMet(state) { return nil }
            state.change = FlagPromise()
            return state.change
        }) {
            if await change.wait() == nil { cancel() }
        }
    }

    private func cancel() {
        let isFirst = update { state in
            guard state.end == nil else { return false }
            (state.end, state.buffer) = (.failure(CancellationError()), Data())
            return true
        }
        if isFirst { cancelWork() }
    }

    /// An owner of an answer, which ends the request when the answer is released.
    private final class Lease: Sendable {
        let response: ArrivingResponse
        init(_ response: ArrivingResponse) { self.response = response }
        deinit { response.cancel() }
    }

    // MARK: For the client

    var isOver: Bool { state.withLock { $0.end != nil } }

    func didReceiveHead(status: Int, headers: [String: String]) { update { $0.head = (status, headers) } }

    /// Receives a portion of the body, unless too many bytes wait to be read. It is to be offered again when the client
    /// proceeds.
    func accepts(_ data: Data) -> Bool {
        update { state in
            guard state.end == nil else { return true }
            state.isHeldBack = !state.buffer.isEmpty && state.buffer.count + data.count > limit
            if !state.isHeldBack { state.buffer.append(data) }
            return !state.isHeldBack
        }
    }

    /// Ends the answer: in good order, or with an error. What arrived before it is still read.
    func didComplete(_ error: (any Error)? = nil) {
        update { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
        }
    }

    /// Changes the state and resumes the waiting task, which checks its condition again.
    @discardableResult
    private func update<Result: Sendable>(_ change: (inout sending State) -> Result) -> Result {
        let (result, waiting) = state.withLock { state in
            let result = change(&state)
            defer { state.change = nil }
            return (result, state.change)
        }
        waiting?.resolve(())
        return result
    }
}
