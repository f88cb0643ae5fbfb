import Observation
import Tackline
import TacklineTestSupport
import Testing

// Every piece of code in Docs/Tackline.docc/FollowingChanges.md stands here, so that it is compiled.

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
    private let manager: FlagsManager
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (lines, continuation) = AsyncStream.makeStream(of: String.self)
        flags = FlagsLoader(ShopFlags.self, providers: [settings], observation: .tracked)
        manager = FlagsManager(providers: [settings])
        manager.addCollection(ShopFlags.self)
    }

    private func show(_ isOn: Bool) { log("shown \(isOn)") }
    private func log(_ line: String) { continuation.yield(line) }

    private func followValues() async {
        for await isOn in flags.$newCheckout.values {
            show(isOn)
        }
    }

    private func followChanges() async {
        for await change in flags.$newCheckout.changes {
            log("\(change.old) → \(change.new), from \(change.source)")
        }
    }

    private func followAll() async {
        for await change in flags.changes { log("\(change)") }
        for await change in flags.$secrets.changes { log("\(change)") }
        for await change in manager.changes { log("\(change)") }
    }

    @Test("shows only code that is compiled")
    func compiled() throws {
        let samples = try GuideSamples(
            guide: "FollowingChanges.md", compiledIn: ["Tests/TacklineTests/Samples/ChangesSamples.swift"])
        #expect(samples.pieces.count == 5)
        #expect(samples.piecesThatAreNotCompiled == [])
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
