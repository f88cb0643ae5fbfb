import Foundation
import Synchronization
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

@Suite("A local file under concurrent writes and suspensions", .needsTheMachine)
struct LocalFileSuspensionConcurrencyTests {
    @Test("is locked by nobody while the process is suspended, and holds every accepted write in the end")
    func suspensions() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.json")
        let system = PlayedSystem()
        var surroundings = LocalSurroundings.current
        surroundings.suspension = { reason, block in system.perform(reason, block) }
        let options = LocalProvider.Options(changeDetection: .off, lockTimeLimit: .seconds(3600))
        let file = LocalFile(
            name: "file", url: url, format: .values, options: options, surroundings: surroundings)
        let writersLeft = Atomic<Int>(3)
        let isDone = Atomic<Bool>(false)
        let refusals = Atomic<Int>(0)

        @Sendable func write(_ writer: Int) {
            for number in 1...200 {
                let change = LocalFileChange.set([FlagKeyPath("writer\(writer)"): .integer(Int128(number))])
                while true {
                    do {
                        // As views do, and as others do.
                        let isDeferred = number.isMultiple(of: 2)
                        _ = try DeferredFlagWrites.$areOn.withValue(isDeferred) { try file.change(change) }
                        break
                    } catch {
                        if (error as? FlagError)?.code != .suspending { Issue.record(error) }
                        refusals.add(1, ordering: .relaxed)
                        sched_yield()
                    }
                }
            }
            if writersLeft.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                isDone.store(true, ordering: .releasing)
            }
        }

        @Sendable func suspendAndResume() {
            var count = 0
            while !isDone.load(ordering: .acquiring) || count < 20 {
                system.suspend()
                if let lock = HeldLock(of: url) {
                    lock.release()
                } else {
                    Issue.record("The file is locked while the process is suspended.")
                }
                system.resume()
                file.handle(.signal(.willEnterForeground))
                count += 1
                sched_yield()
            }
        }

        await onThreads((0..<3).map { writer in { write(writer) } } + [{ suspendAndResume() }])
        try file.flush()
        let expected = FlagDocument(
            Dictionary(uniqueKeysWithValues: (0..<3).map { ("writer\($0)", EncodedFlagValue.integer(200)) }))
        #expect(file.store.document == expected)
        #expect(LocalProvider(localURL: url).document == expected)
        #expect(try folder.names() == ["a.json"])
        #expect(refusals.load(ordering: .relaxed) > 0)
    }
}
