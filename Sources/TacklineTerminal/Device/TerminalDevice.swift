import TacklineCLibrary
import Dispatch
import Synchronization
import TacklineCore

/// The terminal of the process in full-screen mode.
///
/// ``open(onEvent:)`` enters the mode and ``close()`` restores the terminal. In between, a thread reads keys and
/// signals.
final class TerminalDevice: Sendable {
    enum Event: Sendable {
        case keys([TerminalKey])
        case resized
        case continued
        /// The shell asked the program to stop for a while.
        case stopRequested
        /// The signal with this number asked the program to end.
        case ended(signal: CInt)
        /// The terminal is no longer available.
        case closed
    }

    /// Selects the alternate screen, which keeps the scrollback, bracketed paste, plain cursor keys and no line
    /// wrapping.
    static let enterSequence = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1l\u{1B}[?7l\u{1B}[2J"
    /// Undoes ``enterSequence`` and the effects of a partially written screen.
    static let leaveSequence = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    /// The time to wait for the rest of a possible key sequence, in milliseconds. Slow lines need some.
    private static let escapeTime: CInt = 50

    private let input: CInt
    private let output: CInt
    private let attributes: termios
    private let readingEnd: CInt
    private let writingEnd: CInt
    private let isOpen = Mutex(true)
    private let watch: TerminalWatch?
    /// Lets the reader continue after its last event was handled.
    private let turn = DispatchSemaphore(value: 0)
    private let writing = DispatchQueue(label: "tackline.terminal.output")

    /// Enters raw mode and the alternate screen.
    ///
    /// - Parameter onEvent: A closure that is called on the device's own thread. The thread waits for ``acknowledge()``
    ///   after each call.
    /// - Throws: ``FlagsTerminalError`` if standard input or output is not a terminal, another ``FlagsTerminal`` is
    ///   using it, or the system refuses an operation.
    static func open(
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(FlagsTerminalError) -> TerminalDevice {
        let device = try TerminalDevice(input: STDIN_FILENO, output: STDOUT_FILENO)
        device.read(onEvent)
        return device
    }

    private init(input: CInt, output: CInt) throws(FlagsTerminalError) {
        self.input = input
        self.output = output
        var attributes = termios()
        guard isatty(output) == 1, tcgetattr(input, &attributes) == 0 else { throw .noTerminal }
        // In the background, another process owns the terminal, and the settings are its own.
        guard Self.waitForForeground(input), tcgetattr(input, &attributes) == 0 else { throw .noTerminal }
        self.attributes = attributes
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system("make a pipe", code: errno) }
        (readingEnd, writingEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        guard TerminalSignals.begin(writingEnd: writingEnd, terminal: output, attributes: attributes) else {
            for end in ends { _ = systemClose(end) }
            throw .taken
        }
        watch = TerminalWatch(terminal: output)
        enter()
    }

    /// The size of the window, or 80 by 24 if the terminal does not report one.
    var size: TerminalSize {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Lets the reader continue after its last event.
    func acknowledge() {
        turn.signal()
    }

    /// Writes a text and returns when the terminal has accepted it. A slow line suspends the caller and blocks no
    /// thread of the concurrency pool.
    func write(_ text: String) async {
        guard !text.isEmpty else { return }
        await whileWriting { $0.writeNow(text) }
    }

    /// Restores the terminal, stops the process, and enters full-screen mode again when the process continues in the
    /// foreground.
    func suspend() async {
        await whileWriting { device in
            device.leave()
            TerminalSignals.stopProcess()
            if Self.waitForForeground(device.input) { device.enter() }
        }
    }

    /// Enters full-screen mode again after a stop that the process did not handle, as soon as it is in the foreground.
    func resume() async {
        await whileWriting { if Self.waitForForeground($0.input) { $0.enter() } }
    }

    /// Runs work on the queue that writes, and returns when it is done.
    private func whileWriting(_ work: @escaping @Sendable (TerminalDevice) -> Void) async {
        let end = FlagPromise<Void>()
        writing.async {
            work(self)
            end.resolve(())
        }
        await end.waitDespiteCancellation()
    }

    /// Stops the process while it is in the background, as the system stops one that writes to the terminal there.
    ///
    /// - Returns: `false` if no shell can bring the process to the foreground. The terminal is then lost.
    private static func waitForForeground(_ terminal: CInt) -> Bool {
        while true {
            let foreground = tcgetpgrp(terminal)
            // A terminal that does not control the process has no background.
            guard foreground >= 0, foreground != getpgrp() else { return true }
            // The system does not stop a process whose shell has ended.
            guard getppid() > 0, getsid(getppid()) == getsid(0) else { return false }
            TerminalSignals.stopProcess(by: SIGTTOU)
        }
    }

    /// Restores the terminal. It is safe to call twice.
    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        writing.sync {
            leave()
        }
        TerminalSignals.end()
        watch?.end()
        // The byte ends the reader, which closes the pipe.
        var byte: UInt8 = 0
        _ = systemWrite(writingEnd, &byte, 1)
        turn.signal()
    }

    // MARK: Modes

    private func enter() {
        watch?.note(isTaken: true)
        setRaw()
        writeNow(Self.enterSequence)
    }

    private func leave() {
        writeNow(Self.leaveSequence)
        setAsBefore()
        watch?.note(isTaken: false)
    }

    private func setRaw() {
        var raw = attributes
        cfmakeraw(&raw)
        // Line feeds from other output, such as log lines, keep their effect.
        raw.c_oflag |= tcflag_t(OPOST)
        tcsetattr(input, TCSADRAIN, &raw)
    }

    private func setAsBefore() {
        var attributes = attributes
        // Input that was typed for the browser is discarded, so that the shell does not get it.
        tcsetattr(input, TCSAFLUSH, &attributes)
    }

    private func writeNow(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var poller = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                guard poll(&poller, 1, 10_000) > 0 else { return }
            } else if errno != EINTR {
                // The terminal is no longer available, which the reader reports.
                return
            }
        }
    }

    // MARK: Reading

    private func read(_ onEvent: @escaping @Sendable (Event) -> Void) {
        let thread = DispatchQueue(label: "tackline.terminal.input")
        thread.async { [self] in
            var decoder = TerminalKeyDecoder()
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            func tell(_ event: Event) {
                onEvent(event)
                turn.wait()
            }
            while isOpen.withLock({ $0 }) {
                var pollers = [
                    pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0),
                ]
                let count = poll(&pollers, 2, decoder.isWaiting ? Self.escapeTime : -1)
                guard isOpen.withLock({ $0 }) else { break }
                if count == 0 {
                    let keys = decoder.flush()
                    if !keys.isEmpty { tell(.keys(keys)) }
                    continue
                }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    tell(.closed)
                    break
                }
                if pollers[1].revents != 0 {
                    for event in signalEvents() { tell(event) }
                }
                guard pollers[0].revents != 0 else { continue }
                let length = systemRead(input, &buffer, buffer.count)
                if length > 0 {
                    let keys = decoder.consume(buffer[..<length])
                    if !keys.isEmpty { tell(.keys(keys)) }
                } else if length == 0 || (errno != EINTR && errno != EAGAIN) {
                    tell(.closed)
                    break
                }
            }
            _ = systemClose(readingEnd)
            _ = systemClose(writingEnd)
        }
    }

    private func signalEvents() -> [Event] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = systemRead(readingEnd, &bytes, bytes.count)
        guard count > 0 else { return [] }
        // Several signals of one kind count as one.
        return Set(bytes[..<count]).sorted().compactMap { byte in
            switch CInt(byte) {
            case SIGWINCH: .resized
            case SIGCONT: .continued
            case SIGTSTP: .stopRequested
            case SIGINT, SIGTERM, SIGHUP, SIGQUIT: .ended(signal: CInt(byte))
            default: nil
            }
        }
    }
}

// Functions outside of the type, whose own functions would hide the system's.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
private func systemRead(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
private func systemClose(_ descriptor: CInt) -> CInt {
    close(descriptor)
}
