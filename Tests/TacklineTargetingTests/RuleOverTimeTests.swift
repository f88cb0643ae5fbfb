import TacklineCore
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

@Suite("A rule over time", .hangLimit)
struct RuleOverTimeTests {
    private let start: Int64 = 1_800_000_000
    private let user = EvaluationContext(targetingKey: "user-1")

    private func definitions(
        _ targeting: String, more: String = "", timestamp: @escaping @Sendable () -> Int64
    ) throws -> FlagDefinitions {
        try FlagDefinitions(
            json: """
                {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
                "defaultVariant": "off", "targeting": \(targeting)}\(more)}, "$evaluators": {
                "late": {">=": [{"var": "$flagd.timestamp"}, \(start + 300)]}}}
                """, timestamp: timestamp)
    }

    @Test("is looked at again when the time reaches a constant that a rule compares it with, and then no more")
    func comparisons() async throws {
        let now = #"{"var": "$flagd.timestamp"}"#
        // The seconds after the start at which a provider wakes, and whether the flag is on from then on.
        let cases: [(rule: String, wakes: [(Int64, Bool)])] = [
            (#"{"if": [{"<": [\#(now), \#(start + 100)]}, "on", "off"]}"#, [(100, false), (101, false)]),
            (#"{"if": [{"<=": [\#(now), \#(start + 100)]}, "on", "off"]}"#, [(100, true), (101, false)]),
            (#"{"if": [{">": [\#(start + 100), \#(now)]}, "off", "on"]}"#, [(100, true), (101, true)]),
            (#"{"if": [{">=": [\#(now), \#(start + 100).5]}, "on", "off"]}"#, [(101, true)]),
            (#"{"if": [{"==": [\#(now), \#(start + 100)]}, "on", "off"]}"#, [(100, true), (101, false)]),
            (
                #"{"if": [{"<": [\#(start + 50), \#(now), \#(start + 90)]}, "on", "off"]}"#,
                [(50, false), (51, true), (90, false), (91, false)]
            ),
            (#"{"if": [{"and": [true, {"$ref": "late"}]}, "on", "off"]}"#, [(300, true), (301, true)]),
        ]
        for (rule, wakes) in cases {
            let time = VirtualTime(start)
            let definitions = try definitions(rule, timestamp: time.timestamp)
            let provider = DefinitionsProvider(definitions, context: .fixed(user), clock: time.clock)
            var second: Int64 = 0
            for (wake, isOn) in wakes {
                let wait = Duration.seconds(wake - second)
                try await time.clock.waitForSleepers { $0 == [wait] }
                time.clock.advance(by: wait)
                second = wake
                #expect(definitions.evaluate("reservations", for: user).value == .bool(isOn), "\(rule) \(wake)")
            }
            withExtendedLifetime(provider) {}
        }
    }

    @Test("is looked at again once a minute if a rule uses the time in any other way")
    func polling() async throws {
        let rules = [
            #"{"if": [{"%": [{"var": "$flagd.timestamp"}, 7]}, "on", "off"]}"#,
            #"{"if": [{">": [{"var": "$flagd.timestamp"}, {"var": "since"}]}, "on", "off"]}"#,
            #"{"if": [{">": [{"+": [{"var": "$flagd.timestamp"}, 5]}, 1900000000]}, "on", "off"]}"#,
        ]
        for rule in rules {
            let time = VirtualTime(start)
            let provider = DefinitionsProvider(
                try definitions(rule, timestamp: time.timestamp), context: .fixed(user), clock: time.clock)
            for _ in 0..<3 {
                try await time.clock.waitForSleepers { $0 == [.seconds(60)] }
                time.clock.advance(by: .seconds(60))
            }
            withExtendedLifetime(provider) {}
        }
    }

    @Test("changes loaders and streams by itself, within a minute")
    func loaders() async throws {
        let time = VirtualTime(start)
        let rule = #"{"if": [{">": [{"+": [{"var": "$flagd.timestamp"}, 5]}, \#(start + 600)]}, "on", "off"]}"#
        let provider = DefinitionsProvider(
            try definitions(rule, timestamp: time.timestamp), context: .fixed(user), clock: time.clock)
        let flags = FlagsLoader(UserFlags.self, providers: [provider])
        #expect(!flags.reservations)
        var values = flags.$reservations.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == false)
        try await time.clock.waitForSleepers { $0 == [.seconds(60)] }
        time.clock.advance(by: .seconds(600))
        #expect(await values.next(isolation: #isolation) == true)
        #expect(flags.reservations)
    }

    @Test("waits for another second when the document changes, and for none where no rule asks for the time")
    func rescheduling() async throws {
        let time = VirtualTime(start)
        func document(_ seconds: Int64) throws -> FlagDefinitions {
            try definitions(
                #"{"if": [{"<": [{"var": "$flagd.timestamp"}, \#(start + seconds)]}, "on"]}"#, timestamp: time.timestamp
            )
        }
        let provider = DefinitionsProvider(try document(700), context: .fixed(user), clock: time.clock)
        try await time.clock.waitForSleepers { $0 == [.seconds(700)] }
        provider.update(try document(1_400))
        try await time.clock.waitForSleepers { $0 == [.seconds(1_400)] }
        provider.update(try FlagDefinitions(json: #"{"flags": {}}"#))
        try await time.clock.waitForSleepers { $0.isEmpty }
        withExtendedLifetime(provider) {}
    }
}
