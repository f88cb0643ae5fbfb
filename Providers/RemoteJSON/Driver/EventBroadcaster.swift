import Synchronization

/// Hands each event to every consumer, and a line about it to the log.
///
/// Events are enqueued under the lock of whoever makes them, which keeps their order; the log is somebody else's code, so
/// it is called by ``drainLog()`` after the lock was left.
final class EventBroadcaster: Sendable {
    /// How many events wait for a slow consumer, and lines for a slow log. The oldest go first.
    private static let bufferLimit = 1024

    private struct State {
        var nextConsumer = 0
        var consumers: [Int: AsyncStream<RemoteJSONEvent>.Continuation] = [:]
        var lines: [String] = []
        var isDraining = false
    }

    private let state = Mutex(State())
    private let log: (@Sendable (String) -> Void)?
    private let prefix: String

    init(prefix: String, log: (@Sendable (String) -> Void)?) {
        self.prefix = prefix
        self.log = log
    }

    deinit {
        for consumer in state.withLock({ $0.consumers }).values { consumer.finish() }
    }

    /// Makes a stream of every event from now on.
    func makeStream() -> AsyncStream<RemoteJSONEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RemoteJSONEvent.self,
            bufferingPolicy: .bufferingNewest(Self.bufferLimit)
        )
        let id = state.withLock { state in
            state.nextConsumer += 1
            state.consumers[state.nextConsumer] = continuation
            return state.nextConsumer
        }
        continuation.onTermination = { [weak self] _ in
            // Taken out first and dropped afterwards, so that nothing ends under the lock.
            let ended = self?.state.withLock { $0.consumers.removeValue(forKey: id) }
            _ = ended
        }
        return stream
    }

    /// What is to be told.
    enum News {
        case event(RemoteJSONEvent)
        /// A line in the log that is no event.
        case warning(String)
    }

    func send(_ news: [News]) {
        guard !news.isEmpty else { return }
        state.withLock { state in
            for news in news {
                switch news {
                case .event(let event):
                    for consumer in state.consumers.values { consumer.yield(event) }
                    enqueue(event.description, in: &state)
                case .warning(let line): enqueue(RemoteJSONEvent.oneLine(line), in: &state)
                }
            }
        }
    }

    /// Puts a line into the log that is no event.
    func warn(_ line: String) {
        state.withLock { enqueue(RemoteJSONEvent.oneLine(line), in: &$0) }
    }

    private func enqueue(_ line: String, in state: inout State) {
        guard log != nil else { return }
        if state.lines.count >= Self.bufferLimit { state.lines.removeFirst() }
        state.lines.append("\(prefix): \(line)")
    }

    /// Hands the waiting lines to the log, in order, by one thread at a time. Call it under no lock.
    func drainLog() {
        guard let log else { return }
        let isMine = state.withLock { state in
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard isMine else { return }
        while let lines = takeLines() {
            for line in lines { log(line) }
        }
    }

    private func takeLines() -> [String]? {
        state.withLock { state in
            guard !state.lines.isEmpty else {
                state.isDraining = false
                return nil
            }
            defer { state.lines = [] }
            return state.lines
        }
    }
}
