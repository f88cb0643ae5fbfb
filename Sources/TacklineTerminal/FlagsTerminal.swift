public import TacklineBrowser

/// The flag browser in a terminal.
///
/// ```swift
/// try await FlagsTerminal(FlagsBrowser(userFlags)).run()
/// ```
///
/// It lists, searches and edits the flags of any backend: those of this process, or those of a program elsewhere. It takes
/// the whole window until the user quits, follows its size, and leaves the terminal as it was however it ends: quit,
/// cancelled, interrupted, stopped and continued, or crashed. What flags contain is shown, never sent: control characters
/// in names and values are spelled out.
///
/// While it runs, it handles SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH; afterwards they do what they
/// did before. Nothing else should write to the terminal meanwhile.
public struct FlagsTerminal: Sendable {
    /// How it ended.
    public enum Outcome: Sendable, Hashable {
        /// The user quit.
        case quit
        /// A signal with this number asked the program to end; ending it is the caller's business, see
        /// ``endProcess()``.
        case signal(Int32)
        /// The terminal is gone.
        case disconnected

        /// Ends the process as the signal would have ended it, so that whoever sent it sees that. Does nothing if there
        /// was none.
        public func endProcess() {
            guard case .signal(let number) = self else { return }
            TerminalSignals.endProcess(by: number)
        }
    }

    private let backend: any FlagsBrowserBackend
    private let abilities: TerminalAbilities
    /// The address of the flags' page, without a secret.
    package var address: String?
    /// Who edits: somebody without a name, unless one is given.
    package var author = FlagsBrowserAuthor(id: "terminal-" + String(UInt64.random(in: .min ... .max), radix: 36))

    /// Makes a face for a backend. Nothing is shown before ``run()``.
    ///
    /// - Parameters:
    ///   - backend: Where the flags come from and edits go.
    ///   - abilities: What the terminal can show.
    public init(_ backend: any FlagsBrowserBackend, abilities: TerminalAbilities = .current) {
        self.backend = backend
        self.abilities = abilities
    }

    /// Takes the terminal, and returns when the user quits, a signal asks for the end, the terminal goes away, or the
    /// calling task is cancelled. The terminal is as it was then.
    ///
    /// - Throws: ``FlagsTerminalError`` if there is no terminal to take. Nothing was changed then.
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
