import TacklineBrowser

/// Brings together the state, the backend and the terminal: takes events one by one, and draws after each batch.
struct TerminalSession {
    enum Event: Sendable {
        case device(TerminalDevice.Event)
        case update(FlagsBrowserUpdate)
        case snapshot(Result<FlagsBrowserSnapshot, FlagsBrowserError>)
        case preview(FlagsBrowserCommand, Result<FlagsBrowserPreview, FlagsBrowserError>)
        case reasons(FlagsBrowserQuestion, FlagsBrowserReasons?)
        case reply(FlagsBrowserCommand, Result<FlagsBrowserReply, FlagsBrowserError>)
        case loaded(Result<FlagsBrowserFlag, FlagsBrowserError>)
        case backendEnded
    }

    private let backend: any FlagsBrowserBackend
    private let device: TerminalDevice
    private let events: AsyncStream<Event>.Continuation
    private let drawing: BrowserDrawing
    private var encoder: TerminalEncoder
    private var state: BrowserState
    /// At most one snapshot is on its way; what changed meanwhile asks for one more.
    private var isFetching = false
    private var isOutdated = false

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
            for await update in backend.updates() { events.yield(.update(update)) }
            events.yield(.backendEnded)
        }
        defer { follower.cancel() }
        var tasks = TaskBag()
        defer { tasks.cancelAll() }
        fetch(&tasks)
        await draw(&tasks)
        for await event in stream {
            if let outcome = await take(event, &tasks) { return outcome }
            await draw(&tasks)
        }
        return .quit
    }

    /// - Returns: How to end; `nil` to go on.
    private mutating func take(_ event: Event, _ tasks: inout TaskBag) async -> FlagsTerminal.Outcome? {
        switch event {
        case .device(let event):
            defer { device.acknowledge() }
            return await take(event, &tasks)
        case .update(let update):
            state.receive(update)
            if case .changed(let revision) = update, revision != state.snapshot?.revision || state.connection != .live {
                fetch(&tasks)
            }
        case .snapshot(let result):
            isFetching = false
            switch result {
            case .success(let snapshot): state.receive(snapshot)
            case .failure(let error): state.receive(snapshotFailure: error)
            }
            if isOutdated { fetch(&tasks) }
        case .preview(let command, let result): state.receive(result, of: command)
        case .reasons(let question, let reasons): state.receive(reasons, to: question)
        case .reply(let command, let result):
            state.receive(result, of: command)
            fetch(&tasks)
        case .loaded(let result): state.receive(loaded: result)
        case .backendEnded: state.receive(.disconnected(reason: "The browser of the program has ended."))
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
            device.resume()
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
        case .preview(let command):
            tasks.add {
                do throws(FlagsBrowserError) {
                    events.yield(.preview(command, .success(try await backend.preview(command))))
                } catch {
                    events.yield(.preview(command, .failure(error)))
                }
            }
        case .explain(let question):
            tasks.add { events.yield(.reasons(question, try? await backend.reasons(for: question))) }
        case .perform(let command):
            let request = state.request(for: command)
            tasks.add {
                do throws(FlagsBrowserError) {
                    events.yield(.reply(command, .success(try await backend.perform(request))))
                } catch {
                    events.yield(.reply(command, .failure(error)))
                }
            }
        case .load(let flag):
            tasks.add {
                do throws(FlagsBrowserError) {
                    events.yield(.loaded(.success(try await backend.flag(id: flag))))
                } catch {
                    events.yield(.loaded(.failure(error)))
                }
            }
        }
    }

    private mutating func fetch(_ tasks: inout TaskBag) {
        isOutdated = isFetching
        guard !isFetching else { return }
        isFetching = true
        let (backend, events) = (backend, events)
        tasks.add {
            do throws(FlagsBrowserError) {
                events.yield(.snapshot(.success(try await backend.snapshot())))
            } catch {
                events.yield(.snapshot(.failure(error)))
            }
        }
    }

    private mutating func draw(_ tasks: inout TaskBag) async {
        for effect in state.askForPreview() + state.askForReasons() { await perform(effect, &tasks) }
        await device.write(encoder.encode(drawing.draw(&state)))
    }
}

/// Tasks that end with their owner.
private struct TaskBag {
    private var tasks: [Task<Void, Never>] = []

    mutating func add(_ operation: @escaping @Sendable () async -> Void) {
        // The oldest have ended long ago, or hang; either way nothing is lost by letting go of them.
        if tasks.count > 64 { tasks.removeFirst(32) }
        tasks.append(Task { await operation() })
    }

    func cancelAll() {
        for task in tasks { task.cancel() }
    }
}
