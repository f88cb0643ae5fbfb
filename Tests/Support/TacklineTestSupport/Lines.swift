import Synchronization

/// Collects the lines of a log.
package final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    private let (coming, continuation) = AsyncStream.makeStream(of: String.self)

    package init() {}

    package var all: [String] { lines.withLock { $0 } }

    package var append: @Sendable (String) -> Void {
        { line in
            self.lines.withLock { $0.append(line) }
            self.continuation.yield(line)
        }
    }

    /// Waits for a line that contains a text. For one task, which finds each line once.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func wait(for text: String) async throws(CancellationError) {
        for await line in coming where line.contains(text) { return }
        throw CancellationError()
    }
}
