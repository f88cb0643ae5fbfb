#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Synchronization

/// Turns the signals that matter to a full screen into bytes of a pipe, and puts the terminal right when the program
/// crashes.
///
/// There is one for the process, and one user of it at a time. What the program had arranged for these signals before is
/// kept and put back.
enum TerminalSignals {
    /// Told through the pipe: a byte with the signal's number.
    static let told: [CInt] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    /// Signals of a crash, at which only the terminal is put right; whoever handled them before comes next.
    private static let fatal: [CInt] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

    /// The writing end of the pipe, or -1. Handlers read it; an atomic load is safe there (`signal-safety(7)`).
    private static let pipe = Atomic<CInt>(-1)
    /// The terminal's descriptor while it has to be put right, or -1.
    private static let terminal = Atomic<CInt>(-1)

    /// What handlers need beside the atomics. Written before the handlers are installed and after they are removed, by the
    /// one user that ``begin`` admits.
    private struct Saved {
        var attributes = termios()
        var actions: [(signal: CInt, action: sigaction)] = []
    }
    nonisolated(unsafe) private static let saved: UnsafeMutablePointer<Saved> = {
        let pointer = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        pointer.initialize(to: Saved())
        return pointer
    }()
    /// The actions of ``fatal``, in its order, in memory that a handler may read without allocating.
    nonisolated(unsafe) private static let formerActions: UnsafeMutablePointer<sigaction> = {
        let pointer = UnsafeMutablePointer<sigaction>.allocate(capacity: 8)
        pointer.initialize(repeating: sigaction(), count: 8)
        return pointer
    }()
    /// The bytes of ``TerminalDevice/leaveSequence``, for the same reason.
    nonisolated(unsafe) private static let leave: UnsafeBufferPointer<UInt8> = {
        let bytes = Array(TerminalDevice.leaveSequence.utf8)
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        return UnsafeBufferPointer(buffer)
    }()
    private static let isTaken = Atomic<Bool>(false)

    /// Begins to tell signals.
    ///
    /// - Parameters:
    ///   - writingEnd: The pipe, which must not block.
    ///   - descriptor: The terminal.
    ///   - attributes: How the terminal was, and shall be again.
    /// - Returns: `false` if another face of this process has the terminal.
    static func begin(writingEnd: CInt, terminal descriptor: CInt, attributes: termios) -> Bool {
        guard isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
            return false
        }
        saved.pointee.attributes = attributes
        // Made now, since a handler must not make anything.
        _ = leave
        _ = formerActions
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
        for (index, signal) in fatal.enumerated() {
            let former = installInformed(for: signal) { number, information, _ in
                TerminalSignals.putRight()
                for (index, signal) in TerminalSignals.fatal.enumerated() where signal == number {
                    sigaction(number, TerminalSignals.formerActions + index, nil)
                }
                // The instruction fails again, and this time it goes where it went before. A signal that somebody sent
                // has to be sent again.
                let code = information?.pointee.si_code ?? 0
                if code <= 0 || code == CInt(SI_USER) { raise(number) }
            }
            formerActions[index] = former
            saved.pointee.actions.append((signal, former))
        }
        // `exit` by somebody else.
        _ = registerAtExit
        return true
    }

    /// Ends it, and puts the program's own arrangements back.
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

    /// Lets a signal do for once what it does to a program that has not arranged anything: stop it.
    static func stopProcess() {
        var plain = sigaction()
        plain.setHandler(SIG_DFL)
        var former = sigaction()
        sigaction(SIGTSTP, &plain, &former)
        // Returns when the process was continued.
        raiseUnblocked(SIGTSTP)
        sigaction(SIGTSTP, &former, nil)
    }

    /// Lets a signal do what it does to a program that has not arranged anything.
    static func endProcess(by signal: CInt) {
        var plain = sigaction()
        plain.setHandler(SIG_DFL)
        sigaction(signal, &plain, nil)
        raiseUnblocked(signal)
    }

    /// Sends the calling thread a signal, also where signals are blocked, as they are in threads of Dispatch.
    private static func raiseUnblocked(_ signal: CInt) {
        var only = sigset_t()
        var mask = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, signal)
        pthread_sigmask(SIG_UNBLOCK, &only, &mask)
        raise(signal)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Writes what leaves the full screen and sets the terminal as it was. Safe in a handler.
    private static func putRight() {
        let descriptor = terminal.exchange(-1, ordering: .sequentiallyConsistent)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, leave.baseAddress, leave.count)
        tcsetattr(descriptor, TCSANOW, &saved.pointee.attributes)
    }

    private static let registerAtExit: CInt = atexit { TerminalSignals.putRight() }

    private static func installInformed(
        for signal: CInt,
        _ handler: @escaping @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) -> sigaction {
        var action = sigaction()
        #if canImport(Darwin)
            action.__sigaction_u.__sa_sigaction = handler
        #else
            action.__sigaction_handler.sa_sigaction = handler
        #endif
        action.sa_flags = CInt(SA_SIGINFO)
        var former = sigaction()
        sigaction(signal, &action, &former)
        return former
    }

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
