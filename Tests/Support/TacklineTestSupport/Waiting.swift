/// Reads the elements of a stream in order, for a test that waits for certain ones.
package struct Elements<Element: Sendable> {
    private var iterator: AsyncStream<Element>.Iterator

    package init(_ stream: AsyncStream<Element>) { iterator = stream.makeAsyncIterator() }

    /// Waits for the next one.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or the stream ends, before that.
    package mutating func next() async throws(CancellationError) -> Element {
        guard let element = await iterator.next(isolation: nil) else { throw CancellationError() }
        return element
    }
}

/// Waits until a condition is met.
package func wait(until isMet: () -> Bool) async throws {
    while !isMet() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
