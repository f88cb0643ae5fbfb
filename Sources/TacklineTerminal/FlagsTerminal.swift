public import TacklineBrowser

/// The flag browser in a terminal.
///
/// ```swift
/// try await FlagsTerminal(FlagsBrowser(userFlags)).run()
/// ```
///
/// It lists, searches and edits the flags of any backend: those of this process or of another program. It uses the
/// whole window until the user quits, adapts to its size, and restores the terminal however it ends: after quitting,
/// cancellation, an interrupt, a stop, or a crash. Control characters in names and values are spelled out, so the
/// contents of flags cannot control the terminal.
///
/// While it runs, it handles SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH, and restores the previous
/// handlers afterwards. In the background it stops until the shell brings it to the foreground. It does not handle the
/// signals of a crash: a small process, `/bin/sh`, restores the terminal if the program dies. Nothing else should write
/// to the terminal in the meantime.
public struct FlagsTerminal: Sendable {
    /// The way in which the browser ended.
    public enum Outcome: Sendable, Hashable {
        /// The user quit.
        case quit
        /// A signal with this number asked the program to end. The caller decides whether to end it; see
        /// ``endProcess()``.
        case signal(Int32)
        /// The terminal is no longer available.
        case disconnected

        /// Ends the process by the signal's default action, as if the signal had not been handled. Does nothing if
        /// there was no signal.
        public func endProcess() {
            guard case .signal(let number) = self else { return }
            TerminalSignals.endProcess(by: number)
        }
    }

    private let backend: any FlagsBrowserBackend
    private let abilities: TerminalAbilities
    /// The address of the flags' page, without a secret.
    package var address: String?
    /// The author of edits. The default has no name and a random identifier.
    package var author = FlagsBrowserAuthor(id: "terminal-" + String(UInt64.random(in: .min ... .max), radix: 36))

    /// Creates a browser for a backend. Nothing is shown before ``run()``.
    ///
    /// - Parameters:
    ///   - backend: The source of the flags, which also performs edits.
    ///   - abilities: The abilities of the terminal.
    public init(_ backend: any FlagsBrowserBackend, abilities: TerminalAbilities = .current) {
        self.backend = backend
        self.abilities = abilities
    }

    /// Shows the browser until the user quits, a signal asks for the end, the terminal becomes unavailable, or the
    /// calling task is cancelled. The terminal is then restored.
    ///
    /// - Throws: ``FlagsTerminalError`` if the terminal cannot be used. Its settings are then unchanged.
    public func run() async throws(FlagsTerminalError) -> Outcome {
        guard abilities.hasSequences else { throw .noTerminal }
        let (events, continuation) = AsyncStream.makeStream(of: TerminalSession.Event.self)
        let device = try TerminalDevice.open { continuation.yield(.device($0)) }
        defer { device.close() }
        var session = TerminalSession(
            backend: backend, device: device, events: continuation, abilities: abilities, address: address,
            author: author)
        return await withTaskCancellationHandler {
            await session.run(events)
        } onCancel: {
            continuation.finish()
        }
    }
}
