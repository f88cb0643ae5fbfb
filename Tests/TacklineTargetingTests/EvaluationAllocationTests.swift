import CAllocationCounter
import TacklineCore
import TacklineTargeting
import Testing

@Suite(
    "Evaluating a typical rule",
    .enabled(if: tackline_allocation_count() >= 0, "allocations can be counted with glibc only"))
struct EvaluationAllocationTests {
    /// Only the optimiser keeps closures and temporary values off the heap.
    private var allowedForEach: Int64 {
        #if DEBUG
            30
        #else
            0
        #endif
    }

    @Test("allocates nothing in an optimised build, and little in any other")
    func typicalRule() throws {
        let definitions = try FlagDefinitions(
            json(
                #"""
                {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
                "defaultVariant": "off", "targeting": {"if": [
                {"ends_with": [{"var": "email"}, "@example.com"]}, "on",
                {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["on", 10], ["off", 90]]}
                ]}}}}
                """#))
        let users = (0..<100).map { number in
            EvaluationContext(
                targetingKey: "5c3d8535-f81a-4478-a6d3-\(number)",
                attributes: ["email": .string("somebody-\(number)@company.example"), "country": "DE"])
        }
        let rollout = PercentageRollout(10, of: "reservations")
        func evaluateAll() -> Int {
            var count = 0
            for user in users {
                if definitions.evaluate("reservations", for: user).reason == .split { count += 1 }
                if rollout.includes(user) { count += 1 }
            }
            return count
        }
        _ = evaluateAll()
        let before = tackline_allocation_count()
        let count = evaluateAll()
        let made = tackline_allocation_count() - before
        #expect(made <= allowedForEach * Int64(users.count))
        #expect(count > 100)
    }
}
