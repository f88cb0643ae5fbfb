import TacklineCore
import TacklineTestSupport
import Testing

@Suite("A promise and a broadcast", .hangLimit) struct BroadcastConcurrencyTests {
    @Test("give each task that waits the first value, and each stream the elements in their order")
    func order() async {
        let promise = FlagPromise<Int>()
        let waiting = (0..<3).map { _ in Task { await promise.wait() } }
        let cancelled = Task { await promise.wait() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        #expect(promise.resolve(1) && !promise.resolve(2))
        for task in waiting { #expect(await task.value == 1) }
        #expect(await promise.wait(orResolveIfCancelled: 3) == 1)

        var broadcast: FlagBroadcast<Int>? = FlagBroadcast(bufferLimit: 3)
        let streams = [broadcast?.makeStream(), broadcast?.makeStream(beginningWith: 0)]
        #expect(broadcast?.makeStream(beginningWith: nil, limit: 2) {} == nil)
        for number in 1...3 { broadcast?.send(number) }
        broadcast = nil
        for stream in streams.compactMap({ $0 }) {
            var numbers: [Int] = []
            for await number in stream { numbers.append(number) }
            // The oldest one was dropped.
            #expect(numbers == [1, 2, 3])
        }
        let finished = FlagBroadcast<Int>(bufferLimit: 1)
        finished.finish()
        for await _ in finished.makeStream(beginningWith: 1) { Issue.record("an element after the end") }
    }

    /// The system calls the handler of a stream's end while it holds a lock of the task, which sending needs, too
    /// (swiftlang/swift#87082).
    @Test("let tasks be cancelled while elements are sent and values arrive")
    func cancellations() async {
        let broadcast = FlagBroadcast<Int>(bufferLimit: 1)
        let end = FlagPromise<Void>()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while end.value == nil {
                    broadcast.send(0)
                    await Task.yield()
                }
            }
            group.addTask {
                for number in 0..<5_000 {
                    var tasks = [Task { for await _ in broadcast.makeStream() {} }]
                    if number.isMultiple(of: 10) {
                        let promise = FlagPromise<Int>()
                        tasks.append(Task { _ = await promise.wait() })
                        tasks.append(Task { _ = await promise.wait(orResolveIfCancelled: 1) })
                        tasks.append(Task { _ = promise.resolve(0) })
                    }
                    await Task.yield()
                    for task in tasks { task.cancel() }
                    for task in tasks { await task.value }
                }
                end.resolve(())
            }
        }
        #expect(broadcast.makeStream(beginningWith: nil, limit: 1) != nil)
    }
}
