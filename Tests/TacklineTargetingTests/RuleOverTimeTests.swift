import Foundation
import Synchronization
import TacklineCore
import TacklineLocal
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

/// Time that a test moves: what rules see, and what providers wait by.
private final class VirtualTime: Sendable {
    let clock = ManualClock()
    private let start: Int64

    init(_ start: Int64) { self.start = start }

    var timestamp: @Sendable () -> Int64 {
        { [self] in start + Int64(clock.now.offset.components.seconds) }
    }
}

@Suite("A rollout that grows between two dates", .hangLimit)
struct RuleOverTimeTests {
    private let start: Int64 = 1_800_000_000
    private let users = manyUsers

    private func day(_ days: Double) -> Int64 { start + Int64(days * 86_400) }

    @Test("includes as many users as it says, and keeps who joined")
    func growth() throws {
        for generation in FractionalGeneration.allCases {
            let growing = GrowingRollout(from: start, until: day(10), fractional: generation)
            var before: Set<Int> = []
            for days in [-1, 0, 1, 2.5, 7, 10, 400] {
                let now = try growing.definitions { [second = day(days)] in second }
                let included = Set(
                    users.indices.filter { now.evaluate("reservations", for: users[$0]).variant == "on" })
                let share = min(max(days / 10, 0), 1)
                #expect(abs(Double(included.count) - Double(users.count) * share) <= deviation(of: share), "\(days)")
                #expect(before.isSubset(of: included))
                before = included
            }
        }
    }

    @Test("knows the second at which each user joins")
    func nextChange() throws {
        for rollout in [
            GrowingRollout(from: start, until: day(30)),
            GrowingRollout(from: start, until: day(30), fractional: .v3),
            GrowingRollout(from: start, until: day(900)),
        ] {
            for user in users.prefix(150) {
                let next = try #require(try rollout.nextChange(for: user, after: start))
                #expect(try !rollout.includes(user, at: start) && !rollout.includes(user, at: next - 1))
                #expect(try rollout.includes(user, at: next))
                #expect(try rollout.nextChange(for: user, after: next) == nil)
            }
        }
    }

    @Test("and other rules over time agree, at each moment named and at none between, with trying every second")
    func outlook() throws {
        let now = #"{"var": "$flagd.timestamp"}"#
        let rules = [
            #"{"if": [{">=": [\#(now), 1050]}, "on", "off"]}"#,
            #"{"if": [{"<": [1020, \#(now), 1050]}, "on", "off"]}"#,
            #"{"if": [{"<": [{"%": [\#(now), 60]}, 7]}, "on", "off"]}"#,
            #"{"if": [{"and": [{">": [\#(now), 1010]}, {"!": {">": [\#(now), 1099]}}]}, "on", "off"]}"#,
            #"{"fractional": [["on", {"-": [\#(now), 900]}], ["off", {"-": [1400, \#(now)]}]]}"#,
            #"{"fractional": [["on", {"-": [\#(now), 1100]}], ["off", {"-": [1300, \#(now)]}], ["on", 5]]}"#,
            #"{"fractional": [["on", {"*": [3, {"-": [\#(now), 1000]}]}], ["off", 100]]}"#,
            #"{"fractional": [{"var": "email"}, ["on", {"max": [0, {"min": [9, {"-": [\#(now), 1040]}]}]}], ["off", 9]]}"#,
            #"{"fractional": [["on", {"/": [{"-": [\#(now), {"%": [\#(now), 30]}]}, 30]}], ["off", 40]]}"#,
            #"{"if": [{"==": [\#(now), 1077]}, "on", {"===": [{"-": [\#(now)]}, -1099]}, "on", "off"]}"#,
            #"{"if": [{">": [{"cat": [\#(now), "0"]}, "10550"]}, "on", "off"]}"#,
            #"{"if": [{"-": [\#(now), 1060]}, "on", "off"]}"#,
            #"{"fractional": [["on", {"*": [2, {"/": [{"-": [\#(now), {"%": [\#(now), 7]}]}, 7]}]}], ["off", 290]]}"#,
            #"{"fractional": [["on", {"-": [\#(now), {"%": [\#(now), 7]}]}], ["off", {"-": [1500, {"-": [\#(now), {"%": [\#(now), 7]}]}]}]]}"#,
            #"{"fractional": [["on", {"-": [\#(now), {"%": [\#(now), 7]}]}], ["off", {"%": [\#(now), 11]}], ["on", 900]]}"#,
            #"{"fractional": [["on", {"-": [1200, {"-": [\#(now), {"%": [\#(now), 9]}]}]}], ["off", 50]]}"#,
            #"{"if": [{"<": [{"/": [{"-": [\#(now), {"%": [\#(now), 40]}]}, 40]}, 29]}, "on", "off"]}"#,
            #"{"if": [{"==": [{"-": [\#(now), {"%": [\#(now), 40]}]}, {"-": [1080, {"%": [\#(now), 40]}]}]}, "on", "off"]}"#,
            #"{"if": [{"%": [{"-": [\#(now), {"%": [\#(now), 40]}]}, 80]}, "on", "off"]}"#,
            #"{"if": [{"or": [false, {">": [\#(now), 1234]}]}, "on"]}"#,
            #"{"if": [{">": [{"*": [\#(now), \#(now)]}, 1210000]}, "on", "off"]}"#,
            #"{"if": [{">": [\#(now), {"var": "since"}]}, {"fractional": [["on", 1], ["off", 1]]}, "off"]}"#,
        ]
        for rule in rules {
            let text = """
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                "targeting": \(rule)}}}
                """
            let second = Mutex<Int64>(0)
            let definitions = try FlagDefinitions(json: text, timestamp: { second.withLock { $0 } })
            func evaluate(_ user: EvaluationContext, _ moment: Int64) -> FlagEvaluation {
                second.withLock { $0 = moment }
                return definitions.evaluate("f", for: user)
            }
            for number in 0..<3 {
                let user = EvaluationContext(
                    targetingKey: "user-\(number)", attributes: ["email": .string("e\(number)"), "since": 1080])
                let answers = (0..<400).map { evaluate(user, 1_000 + Int64($0)) }
                let changes = (1..<400).filter { answers[$0] != answers[$0 - 1] }.map { 1_000 + Int64($0) }
                var found: [Int64] = []
                var moment: Int64 = 1_000
                // A moment that is no later ends the list, which is too short then.
                while let next = definitions.nextChange(for: user, after: moment), next > moment, next < 1_400 {
                    if answers[Int(next - 1_000)] != answers[Int(moment - 1_000)] { found.append(next) }
                    moment = next
                }
                #expect(found == changes, "\(rule) \(number)")
            }
        }
    }

    @Test("changes loaders and streams by itself, and wakes for nothing else")
    func loaders() async throws {
        let time = VirtualTime(1_800_000_000)
        let rollout = GrowingRollout(from: start, until: day(7))
        let user = EvaluationContext(targetingKey: "user-7")
        let joins = try #require(try rollout.nextChange(for: user, after: start))
        let definitions = try rollout.definitions(timestamp: time.timestamp)
        let provider = DefinitionsProvider(definitions, context: .fixed(user), clock: time.clock)
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        #expect(!flags.reservations)
        var values = flags.$reservations.values.makeAsyncIterator()
        #expect(await values.next() == false)
        try await time.clock.waitForSleepers(count: 1)
        let wait = Duration.seconds(joins - start)
        #expect(time.clock.sleepers == [wait])
        time.clock.advance(by: wait - .seconds(1))
        #expect(!flags.reservations)
        time.clock.advance(by: .seconds(1))
        #expect(await values.next() == true)
        #expect(flags.reservations)
        // Nothing is left to wait for.
        #expect(time.clock.sleepers.isEmpty)
    }

    @Test("of many steps wakes nobody before the step at which something changes for them")
    func steps() async throws {
        // Years by hours: more than 20,000 steps.
        let growing = GrowingRollout(from: start, until: day(900), step: 3_600)
        for user in users.prefix(150) {
            let next = try #require(try growing.nextChange(for: user, after: start))
            #expect(try !growing.includes(user, at: start) && !growing.includes(user, at: next - 1))
            #expect(try growing.includes(user, at: next))
            #expect(try growing.nextChange(for: user, after: next) == nil)
        }

        let time = VirtualTime(1_800_000_000)
        let user = EvaluationContext(targetingKey: "user-7")
        let joins = try #require(try growing.nextChange(for: user, after: start))
        #expect(joins - start > 86_400 * 30)
        let definitions = try growing.definitions(timestamp: time.timestamp)
        let provider = DefinitionsProvider(definitions, context: .fixed(user), clock: time.clock)
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        var values = flags.$reservations.values.makeAsyncIterator()
        #expect(await values.next() == false)
        try await time.clock.waitForSleepers(count: 1)
        // The one wake is the one that changes something.
        let wait = Duration.seconds(joins - start)
        #expect(time.clock.sleepers == [wait])
        time.clock.advance(by: wait)
        #expect(await values.next() == true)
        #expect(time.clock.sleepers.isEmpty)
    }

    @Test(
        "waits for another second when the user or the document changes, and for none where no rule asks for the time")
    func rescheduling() async throws {
        let time = VirtualTime(1_800_000_000)
        func document(_ until: Double) throws -> FlagDefinitions {
            try GrowingRollout(from: start, until: day(until)).definitions(timestamp: time.timestamp)
        }
        let context = CurrentContext(EvaluationContext(targetingKey: "user-7"))
        let provider = DefinitionsProvider(try document(7), context: .current(context), clock: time.clock)
        try await time.clock.waitForSleepers(count: 1)
        let first = time.clock.sleepers
        context.set(EvaluationContext(targetingKey: "user-8"))
        try await time.clock.waitForSleepers { $0.count == 1 && $0 != first }
        let second = time.clock.sleepers
        provider.update(try document(14))
        try await time.clock.waitForSleepers { $0.count == 1 && $0 != second }
        provider.update(try FlagDefinitions(json: #"{"flags": {}}"#))
        try await time.clock.waitForSleepers { $0.isEmpty }
        withExtendedLifetime(provider) {}
    }

    @Test("comes from a server, and grows there by itself, without another request and without polling")
    func server() async throws {
        let time = VirtualTime(1_800_000_000)
        let rollout = GrowingRollout(from: start, until: day(7))
        let user = EvaluationContext(targetingKey: "user-7")
        let joins = try #require(try rollout.nextChange(for: user, after: start))
        let text =
            "{\"flags\": {\"reservations\": \(try FlagJSONWriter(layout: .compact).text(of: rollout.definition))}}"
        let transport = ScriptedTransport([.json(text)])
        let format = FlagDocumentFormat.flagd(context: .fixed(user), timestamp: time.timestamp, clock: time.clock)
        let provider = RemoteJSONProvider(
            url: try #require(URL(string: "https://flags.example.com/flags.json")),
            configuration: .forTests(transport, format: format) { $0.clock = time.clock })
        try await provider.refresh()
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        #expect(!flags.reservations)
        var values = flags.$reservations.values.makeAsyncIterator()
        #expect(await values.next() == false)
        // The one thing that waits is the moment that was worked out: the provider is not started, so nothing polls.
        let wait = Duration.seconds(joins - start)
        try await time.clock.waitForSleepers { $0 == [wait] }
        time.clock.advance(by: wait - .seconds(1))
        #expect(!flags.reservations && time.clock.sleepers == [.seconds(1)])
        time.clock.advance(by: .seconds(1))
        #expect(await values.next() == true)
        #expect(flags.reservations)
        #expect(transport.requests.count == 1 && time.clock.sleepers.isEmpty)
    }

    @Test("grows in a file as well")
    func file() async throws {
        let folder = try TemporaryFolder()
        let time = VirtualTime(1_800_000_000)
        let rollout = GrowingRollout(from: start, until: day(7))
        let user = EvaluationContext(targetingKey: "user-7")
        let joins = try #require(try rollout.nextChange(for: user, after: start))
        let text =
            "{\"flags\": {\"reservations\": \(try FlagJSONWriter(layout: .compact).text(of: rollout.definition))}}"
        let provider = ReadOnlyLocalProvider(
            localURL: try folder.write(text),
            format: .flagd(context: .fixed(user), timestamp: time.timestamp, clock: time.clock))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        #expect(provider.value(for: "reservations") == false)
        try await time.clock.waitForSleepers(count: 1)
        time.clock.advance(by: .seconds(joins - start))
        var iterator = notices.makeAsyncIterator()
        #expect(
            await iterator.next()
                == .changed([FlagProviderChange(key: "reservations", old: false, new: true)]))
        withExtendedLifetime(observer) {}
    }
}
