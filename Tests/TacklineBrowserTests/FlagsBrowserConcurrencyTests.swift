import Synchronization
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("The browser and many threads", .needsTheMachine) struct FlagsBrowserConcurrencyTests {
    @Test("stays consistent while eight threads edit, undo, import and look, and providers and chain change")
    func threads() async throws {
        let bench = Bench()
        let browser = bench.browser
        let bundle = FlagOverrideBundle([.init(key: "attempts", value: 99), .init(key: "title", value: "imported")])
        let text = try FlagJSONWriter().text(of: bundle.encoded)
        let unexpected = Findings()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var last: FlagsBrowserReply?
                    for round in 0..<40 {
                        do throws(FlagsBrowserError) {
                            switch (worker + round) % 8 {
                            case 0, 1:
                                last = try await browser.perform(
                                    .set(flag: "BrowserFlags:attempts", text: "\((worker * 40 + round) % 256)"))
                            case 2: if let undo = last?.undo { try await browser.perform(undo) }
                            case 3: try await browser.perform(.importBundle(bundle: text, isReplacing: round % 2 == 0))
                            case 4: try await browser.perform(.resetAll())
                            case 5: bench.remote.memory.setValue(.integer(Int128(round)), for: "attempts")
                            case 6:
                                bench.loader.providers =
                                    round % 2 == 0
                                    ? [bench.overrides, bench.region] : [bench.overrides, bench.remote, bench.region]
                            default: _ = try browser.preview(.reset(flag: "BrowserFlags:attempts"))
                            }
                        } catch {
                            unexpected.add(error.message)
                        }
                        let snapshot = browser.snapshot()
                        for flag in snapshot.flags where flag.answers.isEmpty {
                            unexpected.add(flag.id)
                        }
                    }
                }
            }
        }
        #expect(unexpected.all == [])
        let last = browser.snapshot()
        for flag in last.flags {
            #expect(flag.value.encoded == bench.loader.flag(at: FlagKeyPath(flag.key))?.value, "\(flag.key)")
        }
    }
}

private final class Findings: Sendable {
    private let found = Mutex<[String]>([])
    var all: [String] { found.withLock { $0 } }
    func add(_ finding: String) { found.withLock { $0.append(finding) } }
}
