import Observation
import Tackline
import TacklineTestSupport
import Testing

// What the guide "Following changes" shows, so that it is run.

private struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The checkout in two steps") var newCheckout: Bool
    @FlagCollection(description: "Not yet announced") var secrets: Secrets

    struct Secrets: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
    }
}

@MainActor
private final class CheckoutScreen {
    private let log: (String) -> Void
    private var observation: FlagObservation?

    init(log: @escaping (String) -> Void) { self.log = log }

    func appear(_ flags: FlagsLoader<ShopFlags>) {
        observation = flags.$newCheckout.observeValues { [weak self] isOn in self?.show(isOn) }
    }

    func disappear() { observation = nil }

    private func show(_ isOn: Bool) {
        MainActor.assertIsolated("The closure runs on the actor that observes.")
        log("screen \(isOn)")
    }
}

private actor CheckoutJournal {
    private let log: @Sendable (String) -> Void
    private var count = 0
    private var observation: FlagObservation?

    init(log: @escaping @Sendable (String) -> Void) { self.log = log }

    func begin(_ flags: FlagsLoader<ShopFlags>) {
        observation = flags.$newCheckout.observeChanges { change in
            self.count += 1
            self.log("change \(self.count): \(change.new)")
        }
    }

    func end() { observation = nil }
}

@Suite("The guide \"Following changes\"", .hangLimit)
struct ChangesSamples {
    private let settings = MemoryProvider()
    private let flags: FlagsLoader<ShopFlags>
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (lines, continuation) = AsyncStream.makeStream(of: String.self)
        flags = FlagsLoader(ShopFlags.self, providers: [settings], observation: .tracked)
    }

    private func show(_ isOn: Bool) { log("shown \(isOn)") }
    private func log(_ line: String) { continuation.yield(line) }

    private func followValues() async {
        for await isOn in flags.$newCheckout.values {
            show(isOn)
        }
    }

    @MainActor private func observe() -> FlagObservation {
        flags.$newCheckout.observeValues { isOn in show(isOn) }
    }

    @Test("shows code that does what it says")
    func running() async {
        var lines = lines.makeAsyncIterator()
        let values = Task { await followValues() }
        #expect(await lines.next() == "shown false")
        values.cancel()
        await values.value
        let token = await observe()
        #expect(await lines.next() == "shown false")
        token.cancel()
        withObservationTracking {
            show(flags.newCheckout)
        } onChange: {
            log("changed")
        }
        #expect(await lines.next() == "shown false")
        settings.setValue(true, for: "new_checkout")
        #expect(await lines.next() == "changed")
    }
    @Test("shows closures that run on the actor which observes: the main actor, or another one")
    func isolation() async {
        var lines = lines.makeAsyncIterator()
        let continuation = continuation
        let screen = await CheckoutScreen { continuation.yield($0) }
        await screen.appear(flags)
        #expect(await lines.next() == "screen false")
        settings.setValue(true, for: "new_checkout")
        #expect(await lines.next() == "screen true")
        await screen.disappear()

        let journal = CheckoutJournal { continuation.yield($0) }
        await journal.begin(flags)
        settings.setValue(false, for: "new_checkout")
        #expect(await lines.next() == "change 1: false")
        settings.setValue(true, for: "new_checkout")
        #expect(await lines.next() == "change 2: true")
        await journal.end()
    }
}
