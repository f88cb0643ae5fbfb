import Foundation
import Synchronization
import TacklineBrowser
import TacklineCore
import TacklineLaunchGuard
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A launch guard", .hangLimit) struct LaunchGuardTests {
    private let world: LaunchWorld
    private let remote = LaunchWorld.Remote(["number": 2, "pinned": 3, "kept": 4])

    init() throws {
        world = try LaunchWorld()
    }

    private typealias Flags = LaunchWorld.Flags

    /// Three launches that die after they have read a number.
    private func dieOfNumber() throws {
        for _ in 0..<3 { try world.die { #expect(world.flags($0, remote.provider).number == 2) } }
    }

    @Test("holds back a content that was read in three deaths in a row, and the next provider answers")
    func heldBack() throws {
        try dieOfNumber()
        let issues = IssueRecorder()
        let launches = world.launch { $0.issueReporter = issues.reporter }
        #expect(issues.codes == ["held-back-contents"])
        #expect(issues.issues[0].message.contains("What was read of \"remote\" is held back"))
        let region = MemoryProvider(name: "region", values: ["number": 7])
        #expect(world.flags(launches, remote.provider, region).number == 7)
        #expect(world.flags(launches, remote.provider).number == 0)
        #expect(Array(launches.heldBack.keys) == ["remote"])
    }

    @Test("says since when and why in explanations, in an issue of the loader and in the browser")
    func reasons() throws {
        try dieOfNumber()
        let issues = IssueRecorder()
        let launches = world.launch { $0.now = { Date(timeIntervalSince1970: 1_800_000_000) } }
        let flags = FlagsLoader(
            Flags.self, providers: [remote.provider], issueReporter: issues.reporter, launchGuard: launches)
        #expect(flags.number == 0)
        let reason =
            "content is held back since 2027-01-15T08:00:00Z: launches that read it died early"
        #expect(issues.codes == [.refusedValue])
        #expect(issues.issues[0].message.contains(reason))
        let step = try #require(flags.$number.explain().providers.first)
        #expect(step.refusal?.isHeldBack == true && step.value == nil)
        #expect("\(flags.$number.explain())".contains(reason))
        let snapshot = FlagsBrowser(flags).snapshot()
        #expect(try #require(snapshot.flags.first).answers.first?.refusal?.contains(reason) == true)
        #expect(snapshot.sections.first?.providers.first?.status == "ready, held back")
    }

    @Test("refuses a content for pinned flags, for one provider, and in resolutions, snapshots and streams, too")
    func everywhere() async throws {
        try dieOfNumber()
        let launches = world.launch()
        let flags = world.flags(launches, remote.provider)
        #expect(flags.pinned == 0 && flags.kept == 0 && flags.number == 0)
        #expect(flags.$number.flagValue(from: remote.provider) == nil)
        #expect(flags.$kept.resolution().source == .default)
        #expect(flags.snapshot().entries.values.allSatisfy { $0.source == .default })
        flags.beginSession()
        #expect(flags.pinned == 0)
        #expect(FlagsLoader(Flags.self, providers: [flags.snapshot()], issueReporter: .silent).number == 0)
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 0)
        try launches.release()
        #expect(await values.next(isolation: #isolation) == 2)
        #expect(launches.heldBack == [:])
    }

    @Test("uses another content at once, and another version of the same one is the same")
    func correction() throws {
        try dieOfNumber()
        let flags = world.flags(world.launch(), remote.provider)
        #expect(flags.number == 0)
        remote.replace(["number": 2, "pinned": 3, "kept": 4, "$version": 9])
        #expect(flags.number == 0)
        remote.replace(["number": 3])
        #expect(flags.number == 3)
        remote.replace(["number": 2, "pinned": 3, "kept": 4])
        #expect(flags.number == 0)
    }

    @Test("notes nothing that is only inspected, no default, and no provider without a fingerprint")
    func notNoted() throws {
        let memory = MemoryProvider(name: "memory", values: ["number": 1])
        for _ in 0..<3 {
            try world.die { launches in
                let flags = world.flags(launches, memory, remote.provider)
                #expect(flags.number == 1 && flags.any == .null)
                #expect(flags.$pinned.explain().value == 3 && flags.snapshot().entries.count == 4)
            }
        }
        #expect(world.launch().heldBack == [:])
    }

    @Test("holds back after the number of deaths in its options", arguments: 1...5)
    func limit(_ limit: Int) throws {
        for _ in 0..<limit { try world.die(limit: limit) { _ = world.flags($0, remote.provider).number } }
        #expect(world.flags(world.launch { $0.deathLimit = limit }, remote.provider).number == 0)
    }

    @Test("tries again at once what a launch with another end left undecided")
    func undecidedTrial() throws {
        try dieOfNumber()
        world.launch().end()
        for _ in 0..<3 {
            let launches = world.launch { $0.now = { Date() + 7200 } }
            #expect(world.flags(launches, remote.provider).number == 2)
            launches.end()
        }
        let unread = world.launch { $0.now = { Date() + 7200 } }
        unread.markHealthy()
        unread.end()
        #expect(Array(world.launch().heldBack.keys) == ["remote"])
    }

    @Test("is released in the browser for the flag's providers, at once and for later launches")
    func browser() async throws {
        try dieOfNumber()
        let launches = world.launch()
        let flags = world.flags(launches, MemoryProvider(), remote.provider)
        let browser = FlagsBrowser(flags)
        let flag = try #require(browser.snapshot().flags.first { $0.key == "number" })
        #expect(flag.canBeReleased && flag.answers.last?.isHeldBack == true)
        #expect(try await browser.perform(.release(flag: flag.id)).message == "Released \"number\".")
        #expect(flags.number == 2 && launches.heldBack == [:])
        #expect(browser.snapshot().flags.first { $0.key == "number" }?.canBeReleased == false)
        launches.end()
        #expect(world.launch().heldBack == [:])
    }

    @Test("is healthy when the main actor runs after the time in its options, and not before") @MainActor
    func health() async throws {
        func isHealthy() throws -> Bool { String(decoding: try world.notes(), as: UTF8.self).contains("true") }
        let launches = world.launch { $0.healthyAfter = .zero }
        #expect(world.flags(launches, remote.provider).number == 2)
        #expect(try !isHealthy())
        while try !isHealthy() { await Task.yield() }
    }

    @Test("guards the collections of a manager, and computed flags by what they read")
    func manager() throws {
        struct Sums: FlagCollectionProtocol {
            @Flag(default: 0, description: "A number") var number: Int
            @Flag(default: 0, computed: { (flags: Sums) in flags.number + 1 }, description: "A sum") var sum: Int
        }
        func sum(_ launches: LaunchGuard) -> Int {
            FlagsManager(providers: [remote.provider], issueReporter: .silent, launchGuard: launches)
                .addCollection(Sums.self).sum
        }
        for _ in 0..<3 { try world.die { #expect(sum($0) == 3) } }
        #expect(sum(world.launch()) == 1)
    }

    @Test("never takes a launch that ends in good order for a death, while others start and end at the same time")
    func concurrentEnds() {
        let mistakes = Counter()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<100 {
                let launches = world.launch { ($0.deathLimit, $0.lockTimeLimit) = (1, .milliseconds(50)) }
                if world.flags(launches, remote.provider).number != 2 { _ = mistakes.next() }
                launches.end()
            }
        }
        #expect(mistakes.count == 0)
    }

    // MARK: Files

    private static let damages: [@Sendable (URL) throws -> Void] = [
        { try Data("{\"deaths\": 5".utf8).write(to: $0) },
        { try Data([0xFF, 0, 0x7B]).write(to: $0) },
        { #expect(truncate($0.path, 100 << 20) == 0) },
        { url in
            try FileManager.default.removeItem(at: url)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        },
    ]

    @Test("reports a damaged file, holds nothing back, and replaces it if it is one", arguments: ["record", "notes"])
    func damaged(_ name: String) throws {
        for (number, damage) in Self.damages.enumerated() {
            let world = try LaunchWorld()
            for _ in 0..<2 { try world.die { _ = world.flags($0, remote.provider).number } }
            try damage(world.executable().appending(path: name))
            let issues = IssueRecorder()
            let launches = world.launch { $0.issueReporter = issues.reporter }
            #expect(issues.codes.allSatisfy { $0 == "launches-unknown" } && (name == "notes" || !issues.codes.isEmpty))
            #expect(world.flags(launches, remote.provider).number == 2)
            launches.markHealthy()
            launches.end()
            // A record that is too large, and a folder in the place of a file, are not the guard's.
            if number < (name == "notes" ? 3 : 2) {
                for _ in 0..<3 { try world.die { _ = world.flags($0, remote.provider).number } }
                #expect(world.flags(world.launch(), remote.provider).number == 0)
            }
        }
    }

    @Test("takes numbers that are as large as they can be, which only somebody else can have written")
    func largeNumbers() throws {
        let held = """
            {"content": {"provider": "remote"}, "since": 1e300, "isLater": true, "tried": -1e300, "delay": 1e300}, \
            {"content": {"provider": "other", "fingerprint": 1}, "since": 0, "isLater": true, "tried": 0, "delay": -1e300}
            """
        for (held, value) in [("", 2), (held, 0)] {
            try world.die { _ = world.flags($0, remote.provider).number }
            let record = #"{"deaths": 9223372036854775807, "suspects": [], "lastHasUsedNothing": false, "heldBack": "#
            try Data("\(record)[\(held)]}".utf8).write(to: world.record())
            let launches = world.launch()
            #expect(world.flags(launches, remote.provider).number == value)
            launches.end()
        }
    }

    @Test("tries a content once that two threads have noted at the same time")
    func notedTwice() throws {
        for _ in 0..<3 {
            try world.die { _ = world.flags($0, remote.provider).number }
            let notes = try world.notes()
            try (notes + notes.suffix(notes.count / 2)).write(to: world.notesFile())
        }
        for (seconds, value) in [(0.0, 0), (7200, 2), (7200, 0), (7200, 0)] {
            let launches = world.launch { $0.now = { Date() + seconds } }
            #expect(world.flags(launches, remote.provider).number == value)
            if value == 0 { launches.end() } else { try world.kill(launches) }
        }
    }

    @Test("reports a release that can't be stored, which applies to this process only")
    func releaseInNoFolder() throws {
        try dieOfNumber()
        let launches = world.launch()
        let record = try world.record()
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
        #expect(throws: FlagError.self) { try launches.release() }
        #expect(world.flags(launches, remote.provider).number == 2)
    }
}
