import TacklineCLibrary
import Synchronization

/// A translation of the signals that concern a full screen to bytes in a pipe.
///
/// The process has one translation with one user at a time. The program's previous handlers are kept and restored. The
/// signals of a crash are left to the program and to Swift's own report, and ``TerminalWatch`` then restores the
/// terminal.
enum TerminalSignals {
    /// The signals whose numbers are written to the pipe, a byte each.
    static let told: [CInt] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    /// The writing end of the pipe, or -1. Handlers read it. An atomic load is safe there (`signal-safety(7)`).
    private static let pipe = Atomic<CInt>(-1)
    /// The terminal's descriptor while `exit` must restore the terminal, or -1.
    private static let terminal = Atomic<CInt>(-1)

    /// The state that restores the settings and the handlers. Only the one user that ``begin`` admits writes it. The
    /// function at `exit` reads the settings, which are written before ``terminal``.
    private struct Saved {
        var attributes = termios()
        var actions: [(signal: CInt, action: sigaction)] = []
    }
    nonisolated(unsafe) private static let saved: UnsafeMutablePointer<Saved> = {
        let pointer = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        pointer.initialize(to: Saved())
        return pointer
    }()
    /// The bytes of ``TerminalDevice/leaveSequence``, in memory that stays valid until the program has ended.
    nonisolated(unsafe) private static let leave: UnsafeBufferPointer<UInt8> = {
        let bytes = Array(TerminalDevice.leaveSequence.utf8)
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        return UnsafeBufferPointer(buffer)
    }()
    private static let isTaken = Atomic<Bool>(false)

    /// Starts writing signals to the pipe.
    ///
    /// - Parameters:
    ///   - writingEnd: The writing end of the pipe, which must not block.
    ///   - descriptor: The terminal.
    ///   - attributes: The settings of the terminal that are restored.
    /// - Returns: `false` if another ``FlagsTerminal`` of this process is using the terminal.
    static func begin(writingEnd: CInt, terminal descriptor: CInt, attributes: termios) -> Bool {
        guard isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
            return false
        }
        saved.pointee.attributes = attributes
        // The bytes are created now, so that the function at `exit` need not allocate them.
        _ = leave
        pipe.store(writingEnd, ordering: .sequentiallyConsistent)
        terminal.store(descriptor, ordering: .sequentiallyConsistent)
        for signal in told {
            let former = install(for: signal) { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(TerminalSignals.pipe.load(ordering: .relaxed), &byte, 1)
                errno = error
            }
            saved.pointee.actions.append((signal, former))
        }
        // Other code may call `exit`.
        _ = registerAtExit
        return true
    }

    /// Stops writing signals to the pipe, and restores the program's handlers.
    static func end() {
        terminal.store(-1, ordering: .sequentiallyConsistent)
        for (signal, action) in saved.pointee.actions.reversed() {
            var action = action
            sigaction(signal, &action, nil)
        }
        saved.pointee.actions = []
        pipe.store(-1, ordering: .sequentiallyConsistent)
        isTaken.store(false, ordering: .releasing)
    }

    /// Stops the process by a signal's default action.
    ///
    /// - Parameter signal: `SIGTSTP` for a stop that the user requested, `SIGTTOU` for one in the background.
    static func stopProcess(by signal: CInt = SIGTSTP) {
        var plain = sigaction()
        plain.setHandler(SIG_DFL)
        var former = sigaction()
        sigaction(signal, &plain, &former)
        // This returns when the process continues.
        raiseUnblocked(signal)
        sigaction(signal, &former, nil)
    }

    /// Ends the process by a signal's default action.
    static func endProcess(by signal: CInt) {
        var plain = sigaction()
        plain.setHandler(SIG_DFL)
        sigaction(signal, &plain, nil)
        raiseUnblocked(signal)
    }

    /// Sends a signal to the calling thread, also if it blocks signals, as Dispatch's threads do.
    private static func raiseUnblocked(_ signal: CInt) {
        var only = sigset_t()
        var mask = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, signal)
        pthread_sigmask(SIG_UNBLOCK, &only, &mask)
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Leaves the full screen and restores the terminal's settings.
    private static func putRight() {
        let descriptor = terminal.exchange(-1, ordering: .sequentiallyConsistent)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, leave.baseAddress, leave.count)
        tcsetattr(descriptor, TCSANOW, &saved.pointee.attributes)
    }

    private static let registerAtExit: CInt = atexit { TerminalSignals.putRight() }

    private static func install(for signal: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) -> sigaction {
        var action = sigaction()
        action.setHandler(handler)
        action.sa_flags = CInt(SA_RESTART)
        var former = sigaction()
        sigaction(signal, &action, &former)
        return former
    }
}

extension sigaction {
    fileprivate mutating func setHandler(_ handler: (@convention(c) (CInt) -> Void)?) {
        #if canImport(Darwin)
            __sigaction_u.__sa_handler = handler
        #else
            __sigaction_handler.sa_handler = handler
        #endif
    }
}
