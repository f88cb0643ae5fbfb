import Foundation
import TacklineBrowser
import TacklineCore
import TacklineLaunchGuard
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("A launch guard", .hangLimit) struct LaunchGuardTests {
    private let world: LaunchWorld

    init() throws {
        world = try LaunchWorld()
    }

    private typealias Flags = LaunchWorld.Flags

    @Test("holds back what was read in three deaths in a row, and the next provider answers")
    func heldBack() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        for _ in 0..<3 {
            try world.die { launches in
                #expect(world.flags(launches, remote).number == 2)
            }
        }
        let issues = IssueRecorder()
        let launches = world.launch { $0.issueReporter = issues.reporter }
        #expect(issues.codes == [.heldBackValues])
        #expect(issues.issues[0].message.contains("\"number\" of provider \"remote\""))
        let region = MemoryProvider(name: "region", values: ["number": 7])
        #expect(world.flags(launches, remote, region).number == 7)
        #expect(world.flags(launches, remote).number == 0)
        #expect(launches.heldBack.map(\.description) == ["\"number\" of provider \"remote\""])
    }

    @Test("says why in explanations, in an issue of the loader and in the browser")
    func reasons() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        for _ in 0..<3 { try world.die { _ = world.flags($0, remote).number } }
        let issues = IssueRecorder()
        let flags = FlagsLoader(
            Flags.self, providers: [remote], issueReporter: issues.reporter, launchGuard: world.launch())
        #expect(flags.number == 0)
        let reason = "it is held back, because launches that read it died soon after their start"
        #expect(issues.codes == [.refusedValue])
        #expect(issues.issues[0].message.contains("\(reason). The next provider was asked instead."))
        let step = try #require(flags.$number.explain().providers.first)
        #expect(step.refusal?.isHeldBack == true && step.value == nil)
        #expect("\(flags.$number.explain())".contains(reason))
        let answers = try #require(FlagsBrowser(flags).snapshot().flags.first).answers
        #expect(answers.first?.refusal?.contains(reason) == true)
    }

    @Test("refuses a value for pinned flags, for one provider, and in resolutions and snapshots, too")
    func everywhere() async throws {
        let remote = MemoryProvider(name: "remote", values: ["pinned": 2, "kept": 3, "number": 4])
        for _ in 0..<3 {
            try world.die { launches in
                let flags = world.flags(launches, remote)
                #expect(flags.pinned == 2 && flags.kept == 3)
                #expect(flags.$number.flagValue(from: MemoryProvider.self) == 4)
            }
        }
        let launches = world.launch()
        let flags = world.flags(launches, remote)
        #expect(flags.pinned == 0 && flags.kept == 0 && flags.number == 0)
        #expect(flags.$number.flagValue(from: MemoryProvider.self) == nil)
        #expect(flags.$kept.resolution().source == .default)
        #expect(flags.snapshot().entries.values.allSatisfy { $0.source == .default })
        flags.beginSession()
        #expect(flags.pinned == 0)
        #expect(flags.$number.resolution(from: remote).source == .default)
        let copy = FlagsLoader(Flags.self, providers: [flags.snapshot()], issueReporter: .silent)
        #expect(copy.number == 0)
        var values = flags.$number.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 0)
        try launches.releaseAll()
        #expect(await values.next(isolation: #isolation) == 4)
    }

    @Test("takes a correction at once, and another member of the document changes nothing")
    func correction() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2, "time": "10:00"])
        for minute in 1...3 {
            try world.die { _ = world.flags($0, remote).number }
            remote.setValue("10:0\(minute)", for: "time")
        }
        let flags = world.flags(world.launch(), remote)
        #expect(flags.number == 0)
        remote.setValue(3, for: "number")
        #expect(flags.number == 3)
        remote.setValue(2, for: "number")
        #expect(flags.number == 0)
    }

    @Test("tells 1 from 1.0, and values of any kind that is not equal")
    func hashes() throws {
        let values: [EncodedFlagValue] = [
            .null, false, true, 0, 1, 1.0, -0.0, 0.0, .double(.infinity), .double(-.infinity), .double(.nan), "", "1",
            "a\u{301}", "\u{E1}", .data(Data()), .data(Data([1])), .date(Date(timeIntervalSince1970: 0)), [], [1],
            [[1]], [1, []], ["a": 1], ["a": [:]], [:], ["a": 1, "b": 2], ["ab": 1], .unparsed("1"),
        ]
        for value in values where value != .null {
            let world = try LaunchWorld()
            let memory = MemoryProvider(name: "memory", values: ["any": value])
            for _ in 0..<3 { try world.die { #expect(world.flags($0, memory).any != .null) } }
            let flags = world.flags(world.launch(), memory)
            #expect(flags.any == .null, "\(value)")
            for other in values where other != value {
                memory.setValue(other, for: "any")
                #expect((flags.any == .null) == (other == .null), "\(value), \(other)")
            }
        }
    }

    @Test("suspects nothing that the last healthy launch had, nothing that is only inspected, and no default")
    func suspects() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 1, "pinned": 5])
        let healthy = world.launch()
        #expect(world.flags(healthy, remote).number == 1)
        healthy.markHealthy()
        for _ in 0..<4 {
            try world.die { launches in
                let flags = world.flags(launches, remote)
                #expect(flags.number == 1 && flags.kept == 0)
                #expect(flags.$pinned.explain().value == 5 && flags.snapshot().entries.count == 4)
            }
        }
        #expect(world.launch().heldBack == [])
    }

    @Test("suspects values that came after the launch was marked healthy")
    func afterHealthy() throws {
        let remote = MemoryProvider(name: "remote")
        let healthy = world.launch()
        let flags = world.flags(healthy, remote)
        #expect(flags.number == 0)
        healthy.markHealthy()
        // Again, as where it is called each time that the app comes to the front.
        healthy.markHealthy()
        remote.setValue(2, for: "number")
        #expect(flags.number == 2)
        healthy.markHealthy()
        healthy.end()
        for _ in 0..<3 { try world.die { #expect(world.flags($0, remote).number == 2) } }
        #expect(world.flags(world.launch(), remote).number == 0)
    }

    @Test("counts deaths in a row: a healthy launch ends the row, and an orderly end counts for nothing")
    func rows() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 1])
        for number in 0..<4 {
            remote.setValue(.integer(Int128(number)), for: "number")
            for _ in 0..<2 { try world.die { _ = world.flags($0, remote).number } }
            let ended = world.launch()
            _ = world.flags(ended, remote).number
            ended.end()
            let healthy = world.launch()
            #expect(world.flags(healthy, remote).number == number)
            healthy.markHealthy()
            #expect(healthy.heldBack == [])
        }
    }

    @Test("never takes a launch that ends in good order for a death, while others start and end at the same time")
    func concurrentEnds() {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        let mistakes = Counter()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<150 {
                let launches = world.launch { $0.deathLimit = 1 }
                if world.flags(launches, remote).number != 2 { _ = mistakes.next() }
                launches.end()
            }
        }
        #expect(mistakes.count == 0)
    }

    @Test("releases everything after three deaths although values are held back, and counts anew")
    func inVain() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        for _ in 0..<3 { try world.die { _ = world.flags($0, remote).number } }
        for _ in 0..<3 { try world.die { #expect(world.flags($0, remote).number == 0) } }
        let issues = IssueRecorder()
        let launches = world.launch { $0.issueReporter = issues.reporter }
        #expect(issues.codes == [.releasedValues])
        #expect(world.flags(launches, remote).number == 2)
    }

    @Test("releases a value, or all, at once and for later launches")
    func release() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2, "pinned": 3])
        for _ in 0..<3 {
            try world.die { (launches) in
                let flags = world.flags(launches, remote)
                #expect(flags.number == 2 && flags.pinned == 3)
            }
        }
        let launches = world.launch()
        let flags = world.flags(launches, remote)
        #expect(flags.number == 0)
        let held = try #require(launches.heldBack.first { $0.key == "number" })
        try launches.release(held)
        #expect(flags.number == 2)
        launches.end()
        let next = world.launch()
        #expect(next.heldBack.map(\.key) == ["pinned"])
        #expect(world.flags(next, remote).number == 2 && world.flags(next, remote).pinned == 0)
        try next.releaseAll()
        next.end()
        #expect(world.flags(world.launch(), remote).pinned == 3)
    }

    @Test("is released in the browser, whose provider says that values of it are held back")
    func browser() async throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2, "pinned": 3])
        for _ in 0..<3 {
            try world.die { launches in
                let flags = world.flags(launches, remote)
                #expect(flags.number == 2 && flags.pinned == 3)
            }
        }
        let launches = world.launch()
        let flags = world.flags(launches, remote)
        let browser = FlagsBrowser(flags)
        let snapshot = browser.snapshot()
        let flag = try #require(snapshot.flags.first { $0.key == "number" })
        #expect(flag.canBeReleased && flag.answers.first?.isHeldBack == true)
        #expect(snapshot.sections.first?.providers.first?.status == "ready, some values held back")
        let read = try FlagsBrowserSnapshot(encoded: snapshot.encoded)
        #expect(read.flags.first { $0.key == "number" }?.canBeReleased == true)
        let command = FlagsBrowserCommand.release(flag: flag.id)
        #expect(try FlagsBrowserCommand(encoded: command.encoded) == command)
        #expect(try browser.preview(FlagsBrowserRequest(command)).changesAnything)
        #expect(try await browser.perform(command).message == "Released \"number\".")
        #expect(flags.number == 2 && launches.heldBack.map(\.key) == ["pinned"])
        #expect(browser.snapshot().flags.first { $0.key == "number" }?.canBeReleased == false)
    }

    @Test("writes a few bytes before a value is used for the first time, and nothing at later reads")
    func notes() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        let launches = world.launch()
        let flags = world.flags(launches, remote)
        let before = try world.notes()
        #expect(flags.number == 2)
        let after = try world.notes()
        #expect(after.count > before.count && after.count < before.count + 80)
        for _ in 0..<100 { #expect(flags.number == 2) }
        try flags.$number.setValue(2)
        #expect(flags.number == 2)
        #expect(try world.notes() == after)
        try flags.$number.setValue(9)
        #expect(flags.number == 9)
        #expect(try world.notes().count > after.count)
    }

    @Test("gives an override that has ended to nobody")
    func endedOverride() throws {
        let override = MemoryProvider(name: "override", values: ["number": 2])
        let healthy = world.launch()
        #expect(world.flags(healthy, override).number == 2)
        healthy.markHealthy()
        override.setValue(nil, for: "number")
        let remote = MemoryProvider(name: "remote", values: ["number": 3])
        for _ in 0..<3 { try world.die { #expect(world.flags($0, override, remote).number == 3) } }
        #expect(world.flags(world.launch(), override, remote).number == 0)
    }

    @Test("guards the collections of a manager, and computed flags by what they read")
    func manager() throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        struct Sums: FlagCollectionProtocol {
            @Flag(default: 0, description: "A number") var number: Int
            @Flag(default: 0, computed: { (flags: Sums) in flags.number + 1 }, description: "A sum") var sum: Int
        }
        func manager(_ launches: LaunchGuard) -> FlagsLoader<Sums> {
            FlagsManager(
                providers: [remote], issueReporter: FlagIssueReporter { _ in }, launchGuard: launches
            ).addCollection(Sums.self)
        }
        for _ in 0..<3 { try world.die { #expect(manager($0).sum == 3) } }
        #expect(manager(world.launch()).sum == 1)
    }

    @Test("holds bad values that stay back after exactly the limit")
    func limit() throws {
        for limit in 1...5 {
            try LaunchGuardTests().limit(limit)
        }
    }

    private func limit(_ limit: Int) throws {
        let remote = MemoryProvider(name: "remote", values: ["number": 2])
        for _ in 0..<limit {
            try world.die(limit: limit) { #expect(world.flags($0, remote).number == 2) }
        }
        #expect(world.flags(world.launch { $0.deathLimit = limit }, remote).number == 0)
    }

    /// Values above 100 kill. An app may also die for another reason, at times or always.
    @Test("over random launches heals from bad values in time, and holds back no good ones for long")
    func randomLaunches() throws {
        for seed in 0..<15 {
            var random = SeededGenerator(seed: UInt64(seed))
            let remote = MemoryProvider(name: "remote")
            var served = 1
            var isDoomed = false
            var deathsUnderValue = 0
            var heldInVain = 0
            for step in 0..<80 {
                let old = (served, isDoomed)
                switch Int.random(in: 0..<12, using: &random) {
                case 0: served = 100 + Int.random(in: 1..<6, using: &random)
                case 1: served = Int.random(in: 1..<6, using: &random)
                case 2: isDoomed.toggle()
                default: break
                }
                if old != (served, isDoomed) { deathsUnderValue = 0 }
                remote.setValue(.integer(Int128(served)), for: "number")
                var context: String { "seed \(seed), step \(step), \(served), \(isDoomed)" }
                let launches = world.launch()
                let number = world.flags(launches, remote).number
                if number != served && number != 0 { Issue.record("\(number): \(context)") }
                heldInVain = number == served ? 0 : heldInVain + 1
                if number > 100 || isDoomed {
                    deathsUnderValue += 1
                    if !isDoomed && deathsUnderValue > 3 { Issue.record("\(deathsUnderValue) deaths: \(context)") }
                    if heldInVain > 3 { Issue.record("held back in vain: \(context)") }
                    try world.kill(launches)
                } else if Int.random(in: 0..<8, using: &random) == 0 {
                    heldInVain = 0
                    launches.end()
                } else {
                    heldInVain = 0
                    launches.markHealthy()
                }
            }
        }
    }
}
