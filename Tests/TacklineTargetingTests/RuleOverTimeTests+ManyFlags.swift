import Foundation
import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

/// A document in which a thousand flags change with the time, in a provider that follows them.
extension RuleOverTimeTests {
    private static let firstSecond: Int64 = 1_800_000_000

    /// Definitions that grow in thousands of steps, end at a moment, or depend on another flag that does.
    private static func definition(_ number: Int) -> EncodedFlagValue {
        if number.isMultiple(of: 2) {
            let end = firstSecond + 86_400 * Int64(900 + number)
            return GrowingRollout(from: firstSecond, until: end, step: 3_600).definition
        }
        let moment = EncodedFlagValue.integer(Int128(firstSecond) + Int128(number * 7_919 % 86_400))
        let rule: EncodedFlagValue = ["if": [["<": [["var": "$flagd.timestamp"], moment]], "on", "off"]]
        var members: [String: EncodedFlagValue] = [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off", "targeting": rule,
        ]
        if number.isMultiple(of: 3), number > 2 {
            members["metadata"] = ["tackline.requires": .string("flag-\(number - 2)=on")]
        }
        return .object(members)
    }

    @Test("beside a thousand flags that change with the time costs one timer, which waits for the first change exactly")
    func oneTimer() async throws {
        let clock = ManualClock()
        let timestamp: @Sendable () -> Int64 = { Self.firstSecond + Int64(clock.now.offset.components.seconds) }
        let flags = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("flag-\($0)", Self.definition($0)) })
        let definitions = try FlagDefinitions(["flags": .object(flags)], timestamp: timestamp)
        let user = EvaluationContext(targetingKey: "user-7")
        let moment = Mutex<Int64>(0)
        let anytime = try FlagDefinitions(["flags": .object(flags)], timestamp: { moment.withLock { $0 } })
        func values(at second: Int64) -> [String: EncodedFlagValue?] {
            moment.withLock { $0 = second }
            return flags.keys.reduce(into: [:]) { $0[$1] = anytime.evaluate($1, for: user).value }
        }
        // Computed without a provider: the first second at which each of the flags alone changes.
        func nextChange(_ key: String, after second: Int64) throws -> Int64 {
            let flag = flags[key]
            var part = [key: flag ?? [:]]
            if case .object(let members)? = flag, case .object(let metadata)? = members["metadata"],
                case .string(let text)? = metadata["tackline.requires"]
            {
                let required = String(text.dropLast("=on".count))
                part[required] = flags[required]
            }
            return try FlagDefinitions(["flags": .object(part)]).nextChange(for: user, after: second) ?? .max
        }
        let provider = DefinitionsProvider(definitions, context: .fixed(user), clock: clock)
        var now = Self.firstSecond
        var changes = [String: Int64]()
        for key in flags.keys { changes[key] = try nextChange(key, after: now) }
        var current = values(at: now)
        for _ in 0..<6 {
            let next = try #require(changes.values.min())
            let wait = Duration.seconds(next - now)
            try await clock.waitForSleepers { $0 == [wait] }
            let changed = values(at: next)
            #expect(values(at: next - 1) == current && changed != current)
            clock.advance(by: wait)
            (now, current) = (next, changed)
            for (key, change) in changes where change <= now { changes[key] = try nextChange(key, after: now) }
        }
        withExtendedLifetime(provider) {}
    }
}
