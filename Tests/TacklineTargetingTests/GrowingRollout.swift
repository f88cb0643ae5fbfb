import TacklineCore
import TacklineTargeting

/// A rollout of a flag `reservations` that grows from nobody to everybody between two seconds, as the guide "Rollouts
/// over time" shows it.
struct GrowingRollout {
    let definition: EncodedFlagValue
    private let fractional: FractionalGeneration
    private let start: Int64
    private let end: Int64

    init(from start: Int64, until end: Int64, fractional: FractionalGeneration = .v2) {
        func weight(_ seconds: EncodedFlagValue) -> EncodedFlagValue {
            ["max": [0, ["min": [.integer(Int128(end - start)), seconds]]]]
        }
        let now: EncodedFlagValue = ["var": "$flagd.timestamp"]
        let on = weight(["-": [now, .integer(Int128(start))]])
        let off = weight(["-": [.integer(Int128(end)), now]])
        definition = [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["fractional": [["on", on], ["off", off]]],
        ]
        self.fractional = fractional
        (self.start, self.end) = (start, end)
    }

    /// Returns a document with the rollout.
    func definitions(timestamp: @escaping @Sendable () -> Int64) throws -> FlagDefinitions {
        try FlagDefinitions(["flags": ["reservations": definition]], fractional: fractional, timestamp: timestamp)
    }

    /// Returns whether a user is included at a second.
    func includes(_ user: EvaluationContext, at second: Int64) throws -> Bool {
        try definitions { second }.evaluate("reservations", for: user).variant == "on"
    }

    /// Returns the second at which a user joins.
    func joining(of user: EvaluationContext) throws -> Int64 {
        var (before, after) = (start, end)
        while after - before > 1 {
            let middle = (before + after) / 2
            if try includes(user, at: middle) { after = middle } else { before = middle }
        }
        return after
    }
}
