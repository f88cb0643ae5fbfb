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

    @Test("is drawn again after a write that fails, so that its control goes back, and the failure is reported")
    func failedWrite() async throws {
        let issues = IssueRecorder()
        let refusing = FlagsLoader(ViewFlags.self, providers: [Refusing()], issueReporter: issues.reporter)
        var injected = InjectedFlags()
        injected.add(refusing)
        let all = injected
        let view = DrawnView { "\(all.value(at: \ViewFlags.isOn))" }
        let other = DrawnView { "\(all.value(at: \ViewFlags.number))" }
        // The closures of the binding of `@FeatureFlag`.
        all.setValue(true, at: \ViewFlags.isOn, providerNamed: nil)
        #expect(view.isInvalid && issues.codes.map(\.name) == ["write-from-view"])
        await view.drawNext()
        #expect(view.drawings == ["false", "false"] && !other.isInvalid)
        // The write of a handle, as in `flags.$isOn.binding()`.
        refusing.$isOn.setValueFromView(true, providerNamed: "absent")
        #expect(view.isInvalid && issues.codes.map(\.name) == ["write-from-view", "write-from-view"])
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
