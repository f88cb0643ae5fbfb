import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A process and its end, without anything to talk to it. A thread waits for it.
final class SpawnedProcess: Sendable {
    /// What `waitpid` says about its end, once.
    let statuses: AsyncStream<Int32>
    /// The process's number until it has ended. After that the number may be another's.
    private let number: Mutex<pid_t?>

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
    /// - Returns: Also where to read what it prints, and what it writes to standard error unless that is merged. Both are for
    ///   the caller to close.
    static func start(
        _ command: [String], in folder: String, _ environment: [String], mergesErrors: Bool
    ) throws -> (process: SpawnedProcess, output: Int32, errors: Int32?) {
        try descriptors.withLock { _ in
            let input = try OneWay()
            let output = try OneWay()
            let errors = mergesErrors ? nil : try OneWay()
            let number = try spawn(
                ["/bin/sh", "-c", script, folder] + command, environment,
                input: input.readEnd, output: output.writeEnd, errors: errors?.writeEnd ?? output.writeEnd)
            for descriptor in [input.readEnd, output.writeEnd, errors?.writeEnd] {
                if let descriptor { close(descriptor) }
            }
            return (SpawnedProcess(number, input: input.writeEnd), output.readEnd, errors?.readEnd)
        }
    }

    private init(_ number: pid_t, input: Int32) {
        let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.statuses = statuses
        self.number = Mutex(number)
        Thread.detachNewThread { [self] in
            continuation.yield(waitForEnd(number))
            continuation.finish()
            // Nobody is left to be ended. That nobody may be left to read this either is no reason to end.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            _ = write(input, "\n", 1)
            close(input)
        }
    }

    /// Sends a signal, or with 0 none.
    ///
    /// - Returns: Whether the process has not ended yet.
    @discardableResult
    func send(_ signal: Int32) -> Bool {
        number.withLock { number in
            if let number { _ = kill(number, signal) }
            return number != nil
        }
    }

    private func waitForEnd(_ child: pid_t) -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return number.withLock { number in
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            number = nil
            return status
        }
    }

    private static func spawn(
        _ command: [String], _ environment: [String], input: Int32, output: Int32, errors: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in [(input, 0), (output, 1), (errors, 2)] as [(Int32, Int32)] {
            posix_spawn_file_actions_adddup2(&actions, from, to)
        }
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
        guard error == 0 else { throw Failure(operation: "start \(command.dropFirst(4))", number: error) }
        return number
    }

    /// A pipe that no child inherits by itself.
    private struct OneWay {
        let readEnd: Int32
        let writeEnd: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure(operation: "make a pipe", number: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (readEnd, writeEnd) = (ends[0], ends[1])
        }
    }

    /// What the system refused.
    struct Failure: Error {
        let operation: String
        let number: Int32
    }
}
