import TacklineCLibrary

/// A small process that restores the terminal if this process ends without doing so, by a crash or `SIGKILL`.
///
/// It is a shell that reads from a socket. If the socket closes after the word "taken", the shell leaves the full
/// screen and restores the terminal's settings. No handler is therefore needed for the signals of a crash.
///
/// Two limits remain. Without `/bin/sh` and `stty`, a crash leaves the terminal as it is. The shell that started the
/// program may print its prompt before the terminal is restored, and the prompt then disappears with the full screen.
struct TerminalWatch: Sendable {
    private let process: pid_t
    private let socket: CInt

    /// The script runs in its own process group, so it gets no signals from the keyboard. It ignores the signals that
    /// the terminal sends to a background group.
    private static let script = """
        trap '' HUP INT QUIT TERM TSTP TTIN TTOU
        exec 3<&1 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
        settings=$(stty -g <&3) || exit
        echo ready >&0
        state=free
        while read -r word; do state=$word; done
        [ "$state" = taken ] || exit 0
        printf '%s' "$1"
        stty "$settings" <&3
        """

    /// Starts the process before the terminal's settings are changed; `nil` if it cannot be started.
    init?(terminal: CInt) {
        var ends: [CInt] = [-1, -1]
        #if os(Linux) && !canImport(Musl)
            let kind = CInt(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        defer { _ = close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
            var yes: CInt = 1
            setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
        #endif
        guard let process = Self.spawn(input: ends[1], output: terminal) else {
            _ = close(ends[0])
            return nil
        }
        (self.process, socket) = (process, ends[0])
        // The byte arrives once the script has read the settings.
        var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&poller, 1, 2000) == 1, read(socket, &byte, 1) == 1 else {
            end()
            return nil
        }
    }

    /// Records whether the terminal must be restored.
    func note(isTaken: Bool) {
        let word = isTaken ? "taken\n" : "free\n"
        #if canImport(Darwin)
            let flags: CInt = 0
        #else
            let flags = CInt(MSG_NOSIGNAL)
        #endif
        _ = word.withCString { send(socket, $0, strlen($0), flags) }
    }

    /// Ends the process. Call it once, after the terminal has been restored.
    func end() {
        _ = close(socket)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private static func spawn(input: CInt, output: CInt) -> pid_t? {
        #if os(tvOS) || os(watchOS)
            // These systems cannot start processes.
            return nil
        #else
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
                let extra = POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
                let extra: CInt = 0
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, input, 0)
            posix_spawn_file_actions_adddup2(&actions, output, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setpgroup(&attributes, 0)
            posix_spawnattr_setflags(
                &attributes, Int16(CInt(POSIX_SPAWN_SETPGROUP) | CInt(POSIX_SPAWN_SETSIGMASK) | CInt(extra)))
            let words = ["/bin/sh", "-c", script, "tackline-terminal", TerminalDevice.leaveSequence]
            var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var process = pid_t()
            guard posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 else { return nil }
            return process
        #endif
    }
}
