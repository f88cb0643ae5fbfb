import Synchronization
import TacklineCore

/// A broadcaster that sends each event to every consumer, and writes a line about it to the log.
///
/// Events are enqueued under the sender's lock, which keeps their order. The log runs foreign code, so ``drainLog()``
/// calls it without a lock.
final class EventBroadcaster: Sendable {
    /// The number of events that wait for a slow consumer, and of lines for a slow log. The oldest are dropped first.
    private static let bufferLimit = 1024

    private struct State {
        var lines: [String] = []
        var isDraining = false
    }

    private let state = Mutex(State())
    private let events = FlagBroadcast<RemoteJSONEvent>(bufferLimit: bufferLimit)
    private let log: (@Sendable (String) -> Void)?
    private let prefix: String

    init(prefix: String, log: (@Sendable (String) -> Void)?) {
        self.prefix = prefix
        self.log = log
    }

    /// Returns a stream of every event from now on.
    func makeStream() -> AsyncStream<RemoteJSONEvent> { events.makeStream() }

    /// An event or a line to send.
    enum News {
        case event(RemoteJSONEvent)
        /// A log line that is no event.
        case warning(String)
    }

    func send(_ news: [News]) {
        guard !news.isEmpty else { return }
        state.withLock { state in
            for news in news {
                switch news {
                case .event(let event):
                    events.send(event)
                    enqueue(event.description, in: &state)
                case .warning(let line): enqueue(RemoteJSONEvent.oneLine(line), in: &state)
                }
            }
        }
    }

    /// Writes a line to the log that is no event.
    func warn(_ line: String) {
        state.withLock { enqueue(RemoteJSONEvent.oneLine(line), in: &$0) }
    }

    private func enqueue(_ line: @autoclosure () -> String, in state: inout State) {
        guard log != nil else { return }
        if state.lines.count >= Self.bufferLimit { state.lines.removeFirst() }
        state.lines.append("\(prefix): \(line())")
    }

    /// Writes the waiting lines to the log, in order, on one thread at a time. Call it without a lock.
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
