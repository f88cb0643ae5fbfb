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

    @Test("shows code that does what it says")
    func running() async {
        var lines = lines.makeAsyncIterator()
        let values = Task { await followValues() }
        #expect(await lines.next() == "shown false")
        values.cancel()
        await values.value
        let token = flags.$newCheckout.observeValues { @MainActor isOn in show(isOn) }
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
}
