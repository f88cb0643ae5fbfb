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
        _ options: LocalProvider.Options = LocalProvider.Options(), onRead: @escaping @Sendable () -> Void = {}
    ) -> LocalFile {
        var surroundings = LocalSurroundings.current
        surroundings.read = { path, limit throws(FileFailure) in
            onRead()
            return try StoredFile.bytes(of: path, limit: limit)
        }
        surroundings.suspension = { [system] reason, block in system.perform(reason, block) }
        return LocalFile(
            name: "file", url: folder.file("a.json"), format: .values, options: options, surroundings: surroundings)
    }

    @Test("is written while the system lets the process run, and no longer")
    func granted() async throws {
        let file = file()
        try file.change(.set(["x": 1]))
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        var ends = system.ends.makeAsyncIterator()
        await ends.next()
    }

    @Test("is not written, and nothing locked, where the process is about to be suspended")
    func refused() throws {
        let file = file()
        system.refuse()
        do {
            try file.change(.set(["x": 1]))
            Issue.record("written")
        } catch {
            #expect(error.code == .suspending)
            #expect(error.description.contains("nothing has changed: the process is about to be suspended"))
        }
        #expect(file.store.document == FlagDocument())
        #expect(try folder.names() == [])
    }

    @Test("gives up waiting for the lock when its time is up, before the process is suspended")
    func expired() async throws {
        let (reads, hasRead) = AsyncStream.makeStream(of: Void.self)
        let file = file(LocalProvider.Options(lockTimeLimit: .seconds(3600))) { hasRead.yield() }
        let url = try folder.file("a.json", #"{"x": 1}"#)
        let held = try #require(HeldLock(of: url))
        let (endings, hasEnded) = AsyncStream.makeStream(of: FlagError?.self)
        Thread.detachNewThread {
            do throws(FlagError) {
                // Only the file shows whether there is something to remove, so it is read before it is locked.
                try file.change(.removeAll)
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
        let file = file(LocalProvider.Options(changeDetection: .off, writeDelay: .seconds(3600)))
        try file.change(.set(["x": 1]))
        #expect(try folder.names() == [])
        file.handle(.signal(.didEnterBackground))
        var ends = system.ends.makeAsyncIterator()
        // The write, and what asked for it.
        for _ in 0..<2 { await ends.next() }
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        // What is set in the background is not put off.
        try file.change(.set(["y": 2]))
        for _ in 0..<2 { await ends.next() }
        #expect(try folder.text("a.json").contains("\"y\": 2"))
    }

    @Test("keeps what it could not write before a suspension, and writes it when the app is back")
    func comesBack() async throws {
        let file = file(LocalProvider.Options(changeDetection: .off, writeDelay: .seconds(3600)))
        try file.change(.set(["x": 1]))
        system.refuse()
        file.handle(.signal(.didEnterBackground))
        #expect(throws: FlagError.self) { try file.flush() }
        #expect(try folder.names() == [])
        #expect(file.store.value(for: "x") == 1)
        system.resume()
        var ends = system.ends.makeAsyncIterator()
        // Two that were refused, and two that were not.
        for _ in 0..<2 { await ends.next() }
        file.handle(.signal(.willEnterForeground))
        for _ in 0..<2 { await ends.next() }
        #expect(try folder.text("a.json").contains("\"x\": 1"))
        #expect(file.status == .ready)
    }

    @Test("is written before the program ends")
    func terminates() throws {
        let file = file(LocalProvider.Options(changeDetection: .off, writeDelay: .seconds(3600)))
        try file.change(.set(["x": 1]))
        file.handle(.signal(.willTerminate))
        #expect(try folder.text("a.json").contains("\"x\": 1"))
    }
}

@Suite("A local file on a device that is locked", .hangLimit)
struct LocalFileProtectionTests {
    /// A device with a clock of its own.
    private final class Device: Sendable {
        private let isLocked = Mutex(true)
        private let timers = Mutex<[(delay: Duration, action: @Sendable () -> Void)]>([])

        func unlock() { isLocked.withLock { $0 = false } }
        var delays: [Duration] { timers.withLock { $0.map(\.delay) } }

        func letTimersPass() {
            let due = timers.withLock { timers in
                defer { timers = [] }
                return timers
            }
            for timer in due { timer.action() }
        }

        var surroundings: LocalSurroundings {
            LocalSurroundings(
                suspension: nil, protectsFiles: true,
                timer: { delay, action in self.timers.withLock { $0.append((delay, action)) } },
                read: { path, limit throws(FileFailure) in
                    if self.isLocked.withLock({ $0 }) {
                        throw .system(SystemCallError(call: "open", path: path, number: EPERM))
                    }
                    return try StoredFile.bytes(of: path, limit: limit)
                })
        }
    }

    private let folder: TemporaryFolder
    private let device = Device()
    private let file: LocalFile

    init() throws {
        folder = try TemporaryFolder()
        let url = try folder.file("a.json", #"{"x": 1}"#)
        file = LocalFile(
            name: "file", url: url, format: .values, options: LocalProvider.Options(changeDetection: .off),
            surroundings: device.surroundings)
        file.watch()
    }

    @Test("says that the device is locked, and what to do")
    func status() {
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
    }

    @Test("is read when the device is unlocked")
    func unlocked() {
        #expect(file.store.value(for: "x") == nil)
        device.unlock()
        file.handle(.signal(.protectedDataDidBecomeAvailable))
        // The reading, and what the timer of before has done.
        for _ in 0..<2 { device.letTimersPass() }
        #expect(file.store.value(for: "x") == 1)
        #expect(file.status == .ready)
        #expect(device.delays == [])
    }

    @Test("is tried again where nobody tells that the device was unlocked, as in extensions")
    func extensions() {
        var waits: [Duration] = []
        for _ in 0..<3 {
            waits += device.delays
            // The first is the timer, and what it does comes a moment later.
            device.letTimersPass()
            device.letTimersPass()
        }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
        device.unlock()
        device.letTimersPass()
        device.letTimersPass()
        #expect(file.store.value(for: "x") == 1)
        #expect(device.delays == [])
    }

    @Test("refuses writes with the same words, and keeps what it held")
    func writes() throws {
        do {
            try file.change(.set(["y": 2]))
            Issue.record("written")
        } catch {
            #expect(error.code == .notPermitted)
            #expect(error.description.contains("it is protected and the device is locked"))
        }
        #expect(try folder.text("a.json") == #"{"x": 1}"#)
    }

    @Test("means no lock where files are not protected")
    func elsewhere() {
        let failure = FileFailure.system(SystemCallError(call: "open", path: "/a", number: EPERM))
        guard case .system = failure.whereFilesAreProtected(false) else {
            Issue.record("locked")
            return
        }
        #expect(
            LocalFileFailure.file(failure).readingError(provider: "p", path: "/a").message.contains(
                "Give this process"))
    }
}
