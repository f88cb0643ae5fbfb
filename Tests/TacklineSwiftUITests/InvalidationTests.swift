import Observation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

/// A view as SwiftUI runs one: its body is run in a tracking scope, and again after what it read has changed.
private final class DrawnView: Sendable {
    private let body: @Sendable () -> String
    private let state = Mutex((drawings: [String](), isInvalid: true))
    private let invalidated: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ body: @escaping @Sendable () -> String) {
        self.body = body
        (invalidated, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        draw()
    }

    /// The results of the body, from the first drawing on.
    var drawings: [String] { state.withLock { $0.drawings } }
    var isInvalid: Bool { state.withLock { $0.isInvalid } }

    func draw() {
        state.withLock { $0.isInvalid = false }
        let text = withObservationTracking(body) { [weak self] in
            self?.state.withLock { $0.isInvalid = true }
            self?.continuation.yield()
        }
        state.withLock { $0.drawings.append(text) }
    }

    /// Waits until the view is invalid, and draws it.
    func drawNext() async {
        for await _ in invalidated { break }
        draw()
    }
}

@Suite("A view", .hangLimit)
struct InvalidationTests {
    let memory = MemoryProvider(name: "memory")
    let injected: InjectedFlags
    let loader: FlagsLoader<ViewFlags>

    init() {
        loader = FlagsLoader(ViewFlags.self, providers: [memory], issueReporter: .silent)
        var injected = InjectedFlags()
        injected.add(loader)
        self.injected = injected
    }

    @Test("that read one flag is not invalidated by a change of another one")
    func apart() async throws {
        let isOn = DrawnView { [injected] in "\(injected.value(at: \ViewFlags.isOn))" }
        let number = DrawnView { [injected] in "\(injected.value(at: \ViewFlags.number))" }
        try loader.$number.setValue(4)
        await number.drawNext()
        #expect(number.drawings == ["3", "4"] && !isOn.isInvalid)
        memory.setValues(["group/is_deep": true, "unknown": 1])
        try loader.$isOn.setValue(true)
        await isOn.drawNext()
        #expect(isOn.drawings == ["false", "true"] && !number.isInvalid)
    }

    @Test("is not invalidated by a write of the value that the flag has")
    func sameValue() async throws {
        let view = DrawnView { [injected] in "\(injected.value(at: \ViewFlags.number))" }
        memory.setValue(3, for: "number")
        try loader.$number.setValue(3)
        try loader.$number.setValue(5)
        await view.drawNext()
        #expect(view.drawings == ["3", "5"])
    }

    @Test("sees a change that came before its body ran for the first time")
    func beforeTheFirstDrawing() {
        let body: @Sendable () -> String = { [injected] in "\(injected.value(at: \ViewFlags.number))" }
        memory.setValue(9, for: "number")
        #expect(DrawnView(body).drawings == ["9"])
    }

    @Test("sees a change that came between its read and the end of its body")
    func duringTheBody() async {
        let view = DrawnView { [injected, memory] in
            let number = injected.value(at: \ViewFlags.number)
            if number == 3 { memory.setValue(4, for: "number") }
            return "\(number)"
        }
        await view.drawNext()
        #expect(view.drawings == ["3", "4"])
    }

    @Test("follows a loader that it takes from the environment by its type")
    func environment() async throws {
        let view = DrawnView { [loader] in "\(loader.number) \(loader.group.isDeep)" }
        memory.setValue(true, for: "group/is_deep")
        await view.drawNext()
        try loader.$number.setValue(4)
        await view.drawNext()
        #expect(view.drawings == ["3 false", "3 true", "4 true"])
        let observable: any Observable = loader
        #expect(observable is FlagsLoader<ViewFlags>)
    }

    @Test("is drawn again after a write that fails, so that its control goes back, and the failure is reported")
    func failedWrite() async throws {
        let codes = Mutex<[String]>([])
        let reporter = FlagIssueReporter { issue in codes.withLock { $0.append(issue.code.name) } }
        let refusing = FlagsLoader(ViewFlags.self, providers: [Refusing()], issueReporter: reporter)
        var injected = InjectedFlags()
        injected.add(refusing)
        let all = injected
        let view = DrawnView { "\(all.value(at: \ViewFlags.isOn))" }
        let other = DrawnView { "\(all.value(at: \ViewFlags.number))" }
        // The closures of the binding of `@FeatureFlag`.
        all.setValue(true, at: \ViewFlags.isOn, providerNamed: nil)
        #expect(codes.withLock { $0 } == ["write-from-view"])
        #expect(view.isInvalid)
        await view.drawNext()
        #expect(view.drawings == ["false", "false"] && !other.isInvalid)
        // The write of a handle, as in `flags.$isOn.binding()`.
        refusing.$isOn.setValueFromView(true, providerNamed: "absent")
        #expect(view.isInvalid && codes.withLock { $0 } == ["write-from-view", "write-from-view"])
    }

    @Test("is one of a thousand, of which exactly those are invalidated that read the flag")
    func thousand() async throws {
        let views = (0..<1000).map { index in
            DrawnView { [injected] in
                index % 10 == 0
                    ? "\(injected.value(at: \ViewFlags.isOn))" : "\(injected.value(at: \ViewFlags.number))"
            }
        }
        try loader.$isOn.setValue(true)
        for index in stride(from: 0, to: 1000, by: 10) { await views[index].drawNext() }
        for (index, view) in views.enumerated() {
            #expect(view.drawings == (index % 10 == 0 ? ["false", "true"] : ["3"]) && !view.isInvalid)
        }
    }

    @Test("is invalidated by each of many changes, and shows the last one")
    func manyChanges() async throws {
        let view = DrawnView { [injected] in "\(injected.value(at: \ViewFlags.number))" }
        let writing = Task { [memory] in
            for number in 4...500 { memory.setValue(.integer(Int128(number)), for: "number") }
        }
        while view.drawings.last != "500" { await view.drawNext() }
        await writing.value
        #expect(view.drawings.first == "3")
        let numbers = view.drawings.compactMap { Int($0) }
        #expect(numbers == numbers.sorted())
    }

    /// A provider that refuses every write.
    private struct Refusing: WritableFlagProvider {
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
        func observe(_ observer: FlagProviderObserver) -> Bool { true }
        func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
            throw FlagError(.rejected, provider: name, reason: "the disk is full")
        }
    }
}

@Suite("Observations of a flag", .hangLimit)
struct FlagObservationsTests {
    @Test("give its value and then each new one, on any thread")
    func values() async {
        let memory = MemoryProvider()
        let flags = FlagsLoader(ViewFlags.self, providers: [memory], observation: .tracked)
        var values: [Int] = []
        for await number in Observations({ flags.number }) {
            values.append(number)
            if number == 5 { break }
            memory.setValue(.integer(Int128(number + 1)), for: "number")
            memory.setValue(true, for: "is_on")
        }
        #expect(values == [3, 4, 5])
    }

    @Test("and the flag's own sequences never throw")
    func failures() async {
        func isInfallible(_ sequence: some AsyncSequence<some Sendable, Never>) -> Bool { true }
        let flags = FlagsLoader(ViewFlags.self, providers: [])
        #expect(
            isInfallible(flags.$number.values) && isInfallible(flags.$number.changes) && isInfallible(flags.changes))
        #expect(isInfallible(Observations { flags.number }))
    }
}
