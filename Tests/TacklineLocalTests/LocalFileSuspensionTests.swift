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

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(
        delay: Duration? = nil, onRead: @escaping @Sendable () -> Void = {}
    ) -> LocalProvider {
        var settings = system.settings
        settings.reading = { path, limit throws(FileFailure) in
            onRead()
            return try StoredFile.bytes(of: path, limit: limit)
        }
        return LocalProvider(
            file: folder.file("a.json"), name: "file", changeDetection: .off, writeDelay: delay, settings: settings)
    }

    @Test("is written while the system lets the process run, and no longer")
    func granted() async throws {
        try file().change { $0.setValue(1, for: "x") }
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        var ends = system.ends.makeAsyncIterator()
        await ends.next()
    }

    @Test("is not written, and nothing locked, where the process is about to be suspended")
    func refused() throws {
        let file = file()
        system.refuse()
        do {
            try file.change { $0.setValue(1, for: "x") }
            Issue.record("written")
        } catch {
            #expect(error.code == .suspending)
            #expect(error.description.contains("nothing has changed: the process is about to be suspended"))
        }
        #expect(file.document == FlagDocument())
        #expect(try folder.names() == [])
    }

    @Test("gives up waiting for the lock when its time is up, before the process is suspended")
    func expired() async throws {
        let (reads, hasRead) = AsyncStream.makeStream(of: Void.self)
        let file = file { hasRead.yield() }
        let url = try folder.file("a.json", #"{"x": 1}"#)
        let held = try #require(HeldLock(of: url))
        let (endings, hasEnded) = AsyncStream.makeStream(of: FlagError?.self)
        Thread.detachNewThread {
            do throws(FlagError) {
                // Only the file shows whether there is something to remove, so it is read before it is locked.
                try file.change { $0 = FlagDocument() }
                hasEnded.yield(nil)
            } catch {
                hasEnded.yield(error)
            }
        }
        var iterator = reads.makeAsyncIterator()
        // When the file was made, and by the write.
        for _ in 0..<2 { await iterator.next() }
        // It returns only when the work is over, so that nothing is locked from here on.
        await onThread(stackSize: 1 << 20) { [system] in system.suspend() }
        held.release()
        var outcome = endings.makeAsyncIterator()
        #expect(await outcome.next()??.code == .suspending)
        #expect(try folder.text("a.json") == #"{"x": 1}"#)
        // It is not held any more.
        try #require(HeldLock(of: folder.file("a.json"))).release()
    }

    @Test("has gathered writes written when the app goes to the background, long before their delay")
    func background() async throws {
        let file = file(delay: .seconds(3600))
        try file.change { $0.setValue(1, for: "x") }
        #expect(try folder.names() == [])
        file.receive(.didEnterBackground)
        var ends = system.ends.makeAsyncIterator()
        await ends.next()
        #expect(try folder.text("a.json").contains("\"x\": 1"))
    }

    @Test("keeps what it could not write before a suspension, and writes it when the app is back")
    func comesBack() async throws {
        let file = file(delay: .seconds(3600))
        try file.change { $0.setValue(1, for: "x") }
        system.refuse()
        #expect(throws: FlagError.self) { try file.flush() }
        #expect(try folder.names() == [])
        #expect(file.value(for: "x") == 1)
        system.resume()
        var ends = system.ends.makeAsyncIterator()
        await ends.next()
        file.receive(.willEnterForeground)
        await ends.next()
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        #expect(file.status == .ready)
    }

    @Test("is written before the program ends")
    func terminates() throws {
        let file = file(delay: .seconds(3600))
        try file.change { $0.setValue(1, for: "x") }
        file.receive(.willTerminate)
        #expect(try folder.text("a.json").contains("\"x\": 1"))
    }

    @Test("is locked by nobody while it is suspended, and holds every accepted write of three threads in the end")
    func concurrent() async throws {
        let (file, url) = (file(), folder.file("a.json"))
        let writersLeft = Atomic<Int>(3)
        let refusals = Atomic<Int>(0)

        @Sendable func write(_ writer: Int) {
            for number in 1...200 {
                while true {
                    do {
                        // As views do, and as others do.
                        _ = try DeferredFlagWrites.$areOn.withValue(number.isMultiple(of: 2)) {
                            try file.change {
                                $0.setValue(.integer(Int128(number)), for: FlagKeyPath("writer\(writer)"))
                            }
                        }
                        break
                    } catch {
                        if (error as? FlagError)?.code != .suspending { Issue.record(error) }
                        refusals.add(1, ordering: .relaxed)
                        sched_yield()
                    }
                }
            }
            writersLeft.subtract(1, ordering: .acquiringAndReleasing)
        }

        @Sendable func suspendAndResume() {
            var count = 0
            while writersLeft.load(ordering: .acquiring) > 0 || count < 20 {
                system.suspend()
                if let lock = HeldLock(of: url) {
                    lock.release()
                } else {
                    Issue.record("The file is locked while the process is suspended.")
                }
                system.resume()
                file.receive(.willEnterForeground)
                count += 1
                sched_yield()
            }
        }

        await onThreads((0..<3).map { writer in { write(writer) } } + [{ suspendAndResume() }])
        try file.flush()
        let expected = FlagDocument(
            Dictionary(uniqueKeysWithValues: (0..<3).map { ("writer\($0)", EncodedFlagValue.integer(200)) }))
        #expect(file.document == expected)
        #expect(LocalProvider(file: url).document == expected)
        #expect(try folder.names() == ["a.json"])
        #expect(refusals.load(ordering: .relaxed) > 0)
    }
}

@Suite("A local file on a device that is locked", .hangLimit)
struct LocalFileProtectionTests {
    private let folder: TemporaryFolder
    private let moments = Moments()
    private let device: LockedDevice
    private let file: LocalProvider

    private final class LockedDevice: Sendable {
        private let isLocked = Mutex(true)
        func unlock() { isLocked.withLock { $0 = false } }
        func read(_ path: String, _ limit: Int) throws(FileFailure) -> [UInt8]? {
            if isLocked.withLock({ $0 }) { throw .system(call: "open", path: path, number: EPERM) }
            return try StoredFile.bytes(of: path, limit: limit)
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        let device = LockedDevice()
        self.device = device
        var settings = moments.settings
        settings.reading = { path, limit throws(FileFailure) in try device.read(path, limit) }
        file = LocalProvider(file: try folder.file("a.json", #"{"x": 1}"#), name: "file", settings: settings)
    }

    @Test("says that the device is locked, and what to do, and refuses writes with the same words")
    func status() throws {
        guard case .failed(let error) = file.status else {
            Issue.record("\(file.status)")
            return
        }
        #expect(error.code == .notPermitted)
        #expect(
            error.message.contains(
                "a.json cannot be read: it is protected and the device is locked, or this process may not use the place: "
                    + "Operation not permitted (open "))
        #expect(
            error.message.hasSuffix(
                """
                A protected file is read again when the device is unlocked; give one that is needed before the \
                protection completeUntilFirstUserAuthentication, or name a file in the container of the app or of its App \
                Group.
                """))
        let refusal = #expect(throws: FlagError.self) { try file.change { $0.setValue(2, for: "y") } }
        #expect(refusal?.code == .notPermitted)
        #expect(refusal?.description.contains("it is protected and the device is locked") == true)
        #expect(try folder.text("a.json") == #"{"x": 1}"#)
    }

    @Test("is read when the device is unlocked, without a notification, as in extensions")
    func unlocked() {
        for _ in 0..<3 { moments.pass() }
        #expect(file.value(for: "x") == nil)
        device.unlock()
        moments.pass()
        #expect(file.value(for: "x") == 1)
        #expect(file.status == .ready)
    }

    @Test("is read when the system says that the device was unlocked, though nobody watches it")
    func unlockedWithNotification() {
        let file = LocalProvider(file: file.file, changeDetection: .off, settings: file.settings)
        device.unlock()
        #expect(file.value(for: "x") == nil)
        file.receive(.protectedDataDidBecomeAvailable)
        moments.pass()
        #expect(file.value(for: "x") == 1)
    }
}
