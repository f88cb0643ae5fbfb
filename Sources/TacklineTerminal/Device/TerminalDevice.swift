#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Dispatch
import Synchronization

/// The terminal of the process while a full screen is on it.
///
/// ``open(onEvent:)`` takes it over, ``close()`` gives it back as it was; in between a thread reads keys and signals.
final class TerminalDevice: Sendable {
    enum Event: Sendable {
        case keys([TerminalKey])
        case resized
        case continued
        /// The shell wants the program to stop for a while.
        case stopRequested
        /// The program is asked to end, by the signal with this number.
        case ended(signal: CInt)
        /// The terminal is gone.
        case closed
    }

    /// The other screen, which leaves the scrollback alone; keys of the cursor in their plain form; bracketed paste.
    static let enterSequence = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1l\u{1B}[?7l\u{1B}[2J"
    /// Undoes ``enterSequence``, and whatever a half-written screen may have left.
    static let leaveSequence = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    /// How long to wait for the rest of what may be a key's sequence, in milliseconds; slow lines take some.
    private static let escapeTime: CInt = 50

    private let input: CInt
    private let output: CInt
    private let attributes: termios
    private let readingEnd: CInt
    private let writingEnd: CInt
    private let isOpen = Mutex(true)
    /// Lets the reader go on after what it told was taken.
    private let turn = DispatchSemaphore(value: 0)
    private let writing = DispatchQueue(label: "tackline.terminal.output")

    /// Takes the terminal over: raw keys, the other screen.
    ///
    /// - Parameter onEvent: Called on a thread of the device. After each call it waits for ``acknowledge()``.
    /// - Throws: ``FlagsTerminalError`` if standard input or output is no terminal, or another face has it.
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
        setRaw()
        writeNow(Self.enterSequence)
    }

    /// The window's size, or 80 times 24 where the terminal does not say.
    var size: TerminalSize {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Tells the reader that its last event was taken.
    func acknowledge() {
        turn.signal()
    }

    /// Writes, and returns when the terminal has taken it; a slow line keeps the caller waiting, not a thread of the pool.
    func write(_ text: String) async {
        guard !text.isEmpty else { return }
        await withCheckedContinuation { continuation in
            writing.async {
                self.writeNow(text)
                continuation.resume()
            }
        }
    }

    /// Gives the terminal to the shell, stops the process, and takes the terminal again when it is continued.
    func suspend() async {
        await withCheckedContinuation { continuation in
            writing.async {
                self.writeNow(Self.leaveSequence)
                self.setAsBefore()
                TerminalSignals.stopProcess()
                self.setRaw()
                self.writeNow(Self.enterSequence)
                continuation.resume()
            }
        }
    }

    /// Takes the terminal again after somebody else continued a process that was stopped without being asked.
    func resume() {
        setRaw()
        writeNow(Self.enterSequence)
    }

    /// Gives the terminal back as it was. Safe to call twice.
    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        writing.sync {
            writeNow(Self.leaveSequence)
            setAsBefore()
        }
        TerminalSignals.end()
        // Ends the reader, which closes the pipe.
        var byte: UInt8 = 0
        _ = systemWrite(writingEnd, &byte, 1)
        turn.signal()
    }

    // MARK: Modes

    private func setRaw() {
        var raw = attributes
        cfmakeraw(&raw)
        // Line feeds of others, such as log lines, stay readable.
        raw.c_oflag |= tcflag_t(OPOST)
        tcsetattr(input, TCSADRAIN, &raw)
    }

    private func setAsBefore() {
        var attributes = attributes
        // What was typed for us is not for the shell.
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
                // The terminal is gone; the reader tells.
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
        // Many signals of one kind are one.
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

// Outside of the type, whose own functions would hide the system's.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
private func systemRead(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
private func systemClose(_ descriptor: CInt) -> CInt {
    close(descriptor)
}
