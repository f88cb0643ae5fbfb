import TacklineBrowser

/// The loop that connects state, backend and terminal: it handles one event at a time, and draws after each.
struct TerminalSession {
    enum Event: Sendable {
        case device(TerminalDevice.Event)
        case screen(FlagsBrowserScreen.Event)
        case reasons(FlagsBrowserQuestion, FlagsBrowserReasons?)
    }

    private let backend: any FlagsBrowserBackend
    private let device: TerminalDevice
    private let events: AsyncStream<Event>.Continuation
    private let drawing: BrowserDrawing
    private var encoder: TerminalEncoder
    private var state: BrowserState

    init(
        backend: any FlagsBrowserBackend, device: TerminalDevice, events: AsyncStream<Event>.Continuation,
        abilities: TerminalAbilities, address: String?, author: FlagsBrowserAuthor
    ) {
        self.backend = backend
        self.device = device
        self.events = events
        drawing = BrowserDrawing(glyphs: Glyphs(isUnicode: abilities.isUnicode))
        encoder = TerminalEncoder(hasColor: abilities.hasColor)
        state = BrowserState(size: device.size, author: author)
        state.address = address
    }

    mutating func run(_ stream: AsyncStream<Event>) async -> FlagsTerminal.Outcome {
        let (backend, events) = (backend, events)
        let follower = Task {
            for await update in backend.updates() { events.yield(.screen(.update(update))) }
            events.yield(.screen(.update(.disconnected(reason: "The browser of the program has ended."))))
        }
        defer { follower.cancel() }
        var tasks = TaskBag()
        defer { tasks.cancelAll() }
        for effect in state.screen.refresh() { await perform(.screen(effect), &tasks) }
        await draw(&tasks)
        for await event in stream {
            if let outcome = await take(event, &tasks) { return outcome }
            await draw(&tasks)
        }
        return .quit
    }

    /// - Returns: The outcome if the session ends; `nil` to continue.
    private mutating func take(_ event: Event, _ tasks: inout TaskBag) async -> FlagsTerminal.Outcome? {
        switch event {
        case .device(let event):
            defer { device.acknowledge() }
            return await take(event, &tasks)
        case .screen(let event): for effect in state.receive(event) { await perform(effect, &tasks) }
        case .reasons(let question, let reasons): state.receive(reasons, to: question)
        }
        return nil
    }

    private mutating func take(_ event: TerminalDevice.Event, _ tasks: inout TaskBag) async -> FlagsTerminal.Outcome? {
        switch event {
        case .keys(let keys):
            for key in keys {
                for effect in state.take(key) {
                    if effect == .quit { return .quit }
                    await perform(effect, &tasks)
                }
            }
        case .resized: state.size = device.size
        case .stopRequested: await perform(.suspend, &tasks)
        case .continued:
            await device.resume()
            state.size = device.size
            encoder.forget()
        case .ended(let signal): return .signal(signal)
        case .closed: return .disconnected
        }
        return nil
    }

    private mutating func perform(_ effect: BrowserEffect, _ tasks: inout TaskBag) async {
        let (backend, events) = (backend, events)
        switch effect {
        case .quit: break
        case .redraw: encoder.forget()
        case .copy(let text): await device.write(TerminalEncoder.copying(text))
        case .suspend:
            await device.suspend()
            state.size = device.size
            encoder.forget()
        case .explain(let question):
            tasks.add { events.yield(.reasons(question, try? await backend.reasons(for: question))) }
        case .screen(let effect): tasks.add { events.yield(.screen(await effect.event(from: backend))) }
        }
    }

    private mutating func draw(_ tasks: inout TaskBag) async {
        for effect in state.screen.askForPreview().inTerminal + state.askForReasons() { await perform(effect, &tasks) }
        await device.write(encoder.encode(drawing.draw(&state)))
    }
}

/// Tasks that are cancelled together.
private struct TaskBag {
    private var tasks: [Task<Void, Never>] = []

    mutating func add(_ operation: @escaping @Sendable () async -> Void) {
        // The oldest tasks have ended or hang, so they need not be cancelled later.
        if tasks.count > 64 { tasks.removeFirst(32) }
        tasks.append(Task { await operation() })
    }

    func cancelAll() {
        for task in tasks { task.cancel() }
    }
}
