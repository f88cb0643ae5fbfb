import Foundation
import Synchronization
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

@Suite("A local file on a system that suspends processes", .hangLimit)
struct LocalFileSuspensionTests {
    private let folder: TemporaryFolder
    private let system = PlayedSystem()

    init() throws { folder = try TemporaryFolder() }

    private func file(delay: Duration? = nil) -> LocalProvider {
        LocalProvider(
            file: folder.file("a.json"), name: "file", changeDetection: .off, writeDelay: delay,
            settings: system.settings)
    }

    @Test("is written while the system lets the process run, and neither written nor locked otherwise")
    func grantedAndRefused() async throws {
        let file = file()
        system.refuse()
        let error = #expect(throws: FlagError.self) { try file.setValue(1, for: "x") }
        #expect(error?.code == .suspending)
        #expect(error?.message.contains("nothing has changed: the process is about to be suspended") == true)
        #expect(try file.document == FlagDocument() && folder.names() == [])
        system.resume()
        try file.setValue(1, for: "x")
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        var ends = system.ends.makeAsyncIterator()
        for _ in 0..<2 { await ends.next() }
    }

    @Test("gives up waiting for the lock when its time is up, before the process is suspended")
    func expired() async throws {
        let url = try folder.file("a.json", #"{"x": 1}"#)
        let file = file()
        let held = try #require(HeldLock(of: url))
        let write = startThread { try file.resetAllData() }
        var begins = system.begins.makeAsyncIterator()
        await begins.next()
        // It returns only when the work is over, so that nothing is locked from here on.
        await onThread(stackSize: 1 << 20) { [system] in system.suspend() }
        held.release()
        let error = await #expect(throws: FlagError.self) { try await write.value }
        #expect(error?.code == .suspending)
        #expect(try folder.text("a.json") == #"{"x": 1}"#)
        // It is not held any more.
        try #require(HeldLock(of: url)).release()
    }

    @Test("has gathered writes written in the background, when it is back after a refusal, and before the program ends")
    func gathered() async throws {
        let file = file(delay: .seconds(3600))
        var ends = system.ends.makeAsyncIterator()
        try file.setValue(1, for: "x")
        #expect(try folder.names() == [])
        file.receive(.didEnterBackground)
        await ends.next()
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        try file.setValue(2, for: "x")
        system.refuse()
        #expect(throws: FlagError.self) { try file.flush() }
        #expect(try folder.text("a.json").contains("\"x\": 1") && file.value(for: "x") == 2)
        system.resume()
        await ends.next()
        file.receive(.willEnterForeground)
        await ends.next()
        #expect(try folder.text("a.json").contains("\"x\": 2"))
        // The system is told of the end before the status changes, and a write waits for the one before it.
        try file.flush()
        #expect(file.status == .ready)
        try file.setValue(3, for: "x")
        file.receive(.willTerminate)
        #expect(try folder.text("a.json").contains("\"x\": 3"))
    }

    @Test("is locked by nobody while it is suspended, and holds every accepted write of three threads in the end")
    func concurrent() async throws {
        let (file, url) = (file(), folder.file("a.json"))
        let writersLeft = Atomic<Int>(3)
        let refusals = Atomic<Int>(0)

        @Sendable func write(_ writer: Int) {
            for number in 1...200 {
                // As views do, and as others do.
                while (try? DeferredFlagWrites.$areOn.withValue(number.isMultiple(of: 2)) {
                    try file.setValue(.integer(Int128(number)), for: FlagKeyPath("writer\(writer)"))
                }) == nil {
                    refusals.add(1, ordering: .relaxed)
                    sched_yield()
                }
            }
            writersLeft.subtract(1, ordering: .acquiringAndReleasing)
        }

        @Sendable func suspendAndResume() {
            var count = 0
            while writersLeft.load(ordering: .acquiring) > 0 || count < 20 {
                system.suspend()
                let lock = HeldLock(of: url)
                #expect(lock != nil, "The file is locked while the process is suspended.")
                lock?.release()
                while refusals.load(ordering: .relaxed) == 0 { sched_yield() }
                system.resume()
                file.receive(.willEnterForeground)
                count += 1
                sched_yield()
            }
        }

        // A write meets a suspension, whichever thread runs first.
        system.refuse()
        await onThreads((0..<3).map { writer in { write(writer) } } + [{ suspendAndResume() }])
        try file.flush()
        let expected = FlagDocument(["writer0": 200, "writer1": 200, "writer2": 200])
        #expect(file.document == expected && LocalProvider(file: url).document == expected)
        #expect(try folder.names() == ["a.json"])
        #expect(refusals.load(ordering: .relaxed) > 0)
    }
}

@Suite("A local file on a device that is locked", .hangLimit)
struct LocalFileProtectionTests {
    @Test("says what to do, refuses writes with the same words, and is read once it is unlocked")
    func locked() throws {
        // Extensions get no notification, so the file is looked at again.
        for hasNotification in [false, true] {
            let (folder, moments, unlocks) = (try TemporaryFolder(), Moments(), Counter())
            var settings = moments.settings
            settings.reading = { path, limit throws(FileFailure) in
                if unlocks.count == 0 { throw .system(call: "open", path: path, number: EPERM) }
                return try StoredFile.bytes(of: path, limit: limit)
            }
            let file = LocalProvider(
                file: try folder.file("a.json", #"{"x": 1}"#),
                changeDetection: hasNotification ? .off : .polling(every: .seconds(1)), settings: settings)
            let reason =
                "it is protected and the device is locked, or this process may not use the place: Operation not permitted"
            #expect("\(file.status)".contains("a.json cannot be read: \(reason) (open "))
            #expect("\(file.status)".contains("A protected file is read again when the device is unlocked; give one"))
            let refusal = #expect(throws: FlagError.self) { try file.setValue(2, for: "y") }
            #expect(refusal?.code == .notPermitted && refusal?.message.contains(reason) == true)
            #expect(try folder.text("a.json") == #"{"x": 1}"#)
            for _ in 0..<3 { moments.pass() }
            #expect(file.value(for: "x") == nil)
            _ = unlocks.next()
            if hasNotification { file.receive(.protectedDataDidBecomeAvailable) }
            moments.pass()
            #expect(file.value(for: "x") == 1 && file.status == .ready)
        }
    }
}
