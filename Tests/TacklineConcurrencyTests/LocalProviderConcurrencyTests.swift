import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("Concurrent use of local providers", .needsTheMachine)
struct LocalProviderConcurrencyTests {
    @Test(
        "of one file loses no write, and each of them announces changes that follow each other",
        arguments: [nil, Duration.milliseconds(1)])
    func sharedFile(writeDelay: Duration?) async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.json")
        let providers = (0..<2).map { _ in
            LocalProvider(
                file: url, changeDetection: .polling(every: .milliseconds(10)), writeDelay: writeDelay,
                settings: .init(lockTimeLimit: .seconds(3600)))
        }
        let streams = providers.map { provider in
            let stream = FlagProviderObserver.makeStream()
            _ = provider.observe(stream.observer)
            return stream
        }
        let count = 30
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let provider = providers[writer % 2]
                    let key = FlagKeyPath("group/writer_\(writer)")
                    for step in 1...count {
                        try provider.setValue(.integer(Int128(step)), for: key)
                        // No other writer has this key.
                        #expect(provider.value(for: key) == .integer(Int128(step)))
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        for provider in providers { try provider.flush() }
        let expected = (0..<4).map { ("group/writer_\($0)", EncodedFlagValue.integer(Int128(count))) }
        let all = Dictionary(uniqueKeysWithValues: expected)
        #expect(LocalProvider(file: url).document?.root == all)
        for (provider, stream) in zip(providers, streams) {
            try provider.reload()
            #expect(provider.document?.root == all)
            var values: [String: EncodedFlagValue] = [:]
            for await case .changed(let changes) in stream.notices {
                for change in changes {
                    #expect(change.old == values[change.key.text])
                    values[change.key.text] = change.new
                }
                if values == all { break }
            }
            try Task.checkCancellation()
            withExtendedLifetime(stream.observer) {}
        }
    }

    @Test("loses no write while providers come and go")
    func comingAndGoing() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.json")
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for step in 0..<20 {
                        let provider = LocalProvider(file: url, settings: .init(lockTimeLimit: .seconds(3600)))
                        let key = FlagKeyPath("worker_\(worker)")
                        #expect(throws: Never.self) { try provider.setValue(.integer(Int128(step)), for: key) }
                        await Task.yield()
                    }
                }
            }
        }
        #expect(LocalProvider(file: url).document?.root.count == 4)
    }
}
