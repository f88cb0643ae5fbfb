package import Foundation
import Synchronization
import TacklineCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Another program while a test talks to it: what it prints, line by line, and its end.
///
/// It ends at the latest with this object, with the task that waits for it if that is cancelled, and with the test
/// process, however that ends: a run that is killed leaves nothing behind. Nothing here blocks a thread of Swift's pool.
///
/// Foundation's `Process` would not do. On Linux it misses the end of a program now and then when several begin and end
/// at once, and it keeps their pipes.
package final class ChildProcess: Sendable {
    /// What is left when a program has ended.
    package struct Ending: Sendable {
        /// The lines that have not been read. The rest after the last line break is none.
        package let lines: [String]
        /// All that it printed, to the last byte.
        package let output: String
        /// All that it wrote to its standard error, of which a crash is a part; empty where that is merged.
        package let errors: String
        /// Its exit status, or the number of the signal that ended it. 127 if it could not be started.
        package let status: Int32
        /// Whether a signal ended it.
        package let isSignal: Bool
    }

    /// What the thread that serves the process shares with this object, which it must not retain.
    private final class State: Sendable {
        /// The process's number until it has ended. After that the number may be another's.
        let number: Mutex<pid_t?>
        let end = FlagPromise<(texts: [String], status: Int32)>()

        init(number: pid_t) { self.number = Mutex(number) }
    }

    private let lines: AsyncStream<String>
    private let state: State

    /// Held while there are descriptors that a process started meanwhile would inherit.
    private static let descriptors = Mutex(())

    /// Runs the command `"$@"` in the folder `"$0"`, and ends it as soon as the input ends, which is when the process at the
    /// other end is gone without having sent a line. The command itself has no input.
    private static let script = """
        exec 3<&0 </dev/null
        { read -r _ <&3 || kill -9 $$; } >/dev/null 2>&1 &
        cd "$0" && exec "$@" 3<&-
        """

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its file.
    ///   - arguments: What follows its name.
    ///   - folder: Where it runs; where the tests run unless given.
    ///   - environment: Variables over those of the tests.
    ///   - mergesErrors: Whether lines on standard error are among those that ``nextLine()`` gives.
    package init(
        _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
        mergesErrors: Bool = false
    ) throws {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let command = ["/bin/sh", "-c", Self.script, folder?.path ?? ".", program.path] + arguments
        let (number, input, outputs) = try Self.descriptors.withLock { _ in
            let (input, output, errors) = (try Self.makePipe(), try Self.makePipe(), try Self.makePipe())
            let ends = [input.readEnd, output.writeEnd, mergesErrors ? output.writeEnd : errors.writeEnd]
            let number = try Self.spawn(command, variables.map { "\($0)=\($1)" }, ends)
            for end in [input.readEnd, output.writeEnd, errors.writeEnd] { close(end) }
            return (number, input.writeEnd, [output.readEnd, errors.readEnd])
        }
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        state = State(number: number)
        Thread.detachNewThread { [state] in
            let texts = Self.read(outputs, continuation)
            let status = Self.waitForEnd(number, state)
            // Nobody is left to be ended. That nobody may be left to read this either is no reason to end.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            _ = write(input, "\n", 1)
            close(input)
            state.end.resolve((texts, status))
        }
    }

    deinit {
        kill()
    }

    /// The next line that it prints; `nil` after the last one. For one reader at a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, which ends the program.
    package func nextLine() async throws -> String? {
        for await line in lines { return line }
        if Task.isCancelled { kill() }
        try Task.checkCancellation()
        return nil
    }

    /// Waits for its end. To be called once.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, which ends the program.
    package func ending() async throws -> Ending {
        guard let (texts, status) = await state.end.wait() else {
            kill()
            throw CancellationError()
        }
        var rest: [String] = []
        for await line in lines { rest.append(line) }
        // The parts of a status are where they are on every system (sys/wait.h).
        let signal = status & 0x7F
        return Ending(
            lines: rest, output: texts[0], errors: texts[1], status: signal == 0 ? status >> 8 & 0xFF : signal,
            isSignal: signal != 0)
    }

    /// Ends it without giving it a chance to do anything more.
    package func kill() { send(SIGKILL) }

    /// Asks it to end as control-C does.
    package func interrupt() { send(SIGINT) }

    private func send(_ signal: Int32) {
        state.number.withLock { number in
            if let number { _ = Foundation.kill(number, signal) }
        }
    }

    /// The file of a program of this package, which lies beside the tests; `nil` where it was not built.
    ///
    /// - Parameter names: What it may be called.
    package static func program(_ names: String...) -> URL? {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        let started = URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
        let places = bundles + [Bundle.main.bundleURL.appending(path: "x"), started]
        let files = places.flatMap { place in names.map { place.deletingLastPathComponent().appending(path: $0) } }
        return files.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Reads to the ends of both descriptors, closes them, and returns the texts. The lines of the first are yielded.
    private static func read(_ descriptors: [Int32], _ lines: AsyncStream<String>.Continuation) -> [String] {
        var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var texts: [[UInt8]] = [[], []]
        var lineStart = 0
        var portion = [UInt8](repeating: 0, count: 64 << 10)
        while watched.contains(where: { $0.fd >= 0 }) {
            guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
            for index in watched.indices where watched[index].fd >= 0 && watched[index].revents != 0 {
                let count = Foundation.read(watched[index].fd, &portion, portion.count)
                if count < 0, errno == EINTR { continue }
                texts[index] += portion.prefix(max(0, count))
                if index == 0 {
                    while let end = texts[0][lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
                        lines.yield(String(decoding: texts[0][lineStart..<end], as: UTF8.self))
                        lineStart = end + 1
                    }
                    if count <= 0 { lines.finish() }
                }
                guard count <= 0 else { continue }
                close(watched[index].fd)
                // What is negative is not watched.
                watched[index].fd = -1
            }
        }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func waitForEnd(_ child: pid_t, _ state: State) -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.number.withLock { number in
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            number = nil
            return status
        }
    }

    /// Starts a command with three descriptors as its input, its output and its standard error.
    private static func spawn(_ command: [String], _ environment: [String], _ ends: [Int32]) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in ends.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(number)) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of Dispatch hold back signals, which a child would inherit.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // A shell lets what it starts in the background ignore these, which a child would inherit as well.
        for signal in [SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let texts = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in texts + variables { free(text) } }
        var number = pid_t()
        let error = posix_spawn(&number, command[0], &actions, &attributes, texts, variables)
        guard error == 0 else { throw Failure(number: error) }
        return number
    }

    /// Makes a pipe that no child inherits by itself.
    private static func makePipe() throws -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The number of an error of the system.
    struct Failure: Error {
        let number: Int32
    }
}
