import TacklineCore
import TacklineTargeting

/// A rollout of a flag `reservations` that grows from nobody to everybody between two seconds, as the guide "Rollouts
/// over time" shows it.
struct GrowingRollout {
    let definition: EncodedFlagValue
    private let fractional: FractionalGeneration

    /// - Parameter step: The number of seconds after each of which it grows.
    init(from start: Int64, until end: Int64, step: Int64 = 1, fractional: FractionalGeneration = .v2) {
        func weight(_ seconds: EncodedFlagValue) -> EncodedFlagValue {
            let bounded: EncodedFlagValue = ["max": [0, ["min": [.integer(Int128(end - start)), seconds]]]]
            let length = EncodedFlagValue.integer(Int128(step))
            return step == 1 ? bounded : ["/": [["-": [bounded, ["%": [bounded, length]]]], length]]
        }
        let now: EncodedFlagValue = ["var": "$flagd.timestamp"]
        let on = weight(["-": [now, .integer(Int128(start))]])
        let off: EncodedFlagValue =
            step == 1
            ? weight(["-": [.integer(Int128(end)), now]]) : ["-": [.integer(Int128((end - start) / step)), on]]
        definition = [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["fractional": [["on", on], ["off", off]]],
        ]
        self.fractional = fractional
    }

    /// Returns a document with the rollout.
    func definitions(timestamp: @escaping @Sendable () -> Int64) throws -> FlagDefinitions {
        try FlagDefinitions(["flags": ["reservations": definition]], fractional: fractional, timestamp: timestamp)
    }

    /// Returns whether a user is included at a second.
    func includes(_ user: EvaluationContext, at second: Int64) throws -> Bool {
        try definitions { second }.evaluate("reservations", for: user).variant == "on"
    }

    /// Returns the second after another one at which a user joins; `nil` for never.
    func nextChange(for user: EvaluationContext, after second: Int64) throws -> Int64? {
        try definitions { second }.nextChange(for: user, after: second)
    }
}
