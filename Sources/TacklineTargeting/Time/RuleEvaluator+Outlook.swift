import TacklineCore

/// A value and its change over time, by an amount each second and by an amount at each step, up to the first second at
/// which that may no longer hold.
struct Outlook {
    /// The seconds of a regular jump, as in a rollout in steps, which divides the time by their length.
    struct Stair: Hashable {
        /// The second of the next step.
        var next: Int64
        /// The number of seconds between two steps.
        var period: Int64
    }

    var value: EncodedFlagValue
    /// The amount that is added each second; 0 for a value that is no number.
    var slope = 0.0
    /// The amount that is added at each step.
    var rise = 0.0
    var stair: Stair?
    var until = Int64.max

    /// The outlook without steps, which holds up to the next one.
    var line: Outlook {
        guard let stair else { return self }
        return Outlook(value: value, slope: slope, until: min(until, stair.next))
    }
}

/// The computation of a node's value and of the second up to which it holds.
///
/// Seconds are not tried one by one. A rule uses the time in few ways (it is compared, and weights are computed from
/// it). In these, everything is a line or a stair over time, so the second at which two of them cross can be computed.
/// If a rule does anything else with the time, its value is assumed to change within a second.
extension RuleEvaluator {
    /// The time that the rule sees.
    var now: Int64 { timestamp ?? program.settings.timestamp() }

    /// Returns the value of a node, and the second up to which it stays the same or follows a line.
    mutating func outlook(_ index: Int32) throws(RuleFailure) -> Outlook { try steppedOutlook(index).line }

    /// Returns the value of a node, and the second up to which it stays the same or follows a line or a stair.
    mutating func steppedOutlook(_ index: Int32) throws(RuleFailure) -> Outlook {
        guard program.isTimed(index) else { return Outlook(value: try evaluate(index)) }
        // An outlook takes some ten times as long as an evaluation.
        try charge(8)
        let node = program.parts.nodes[Int(index)]
        if node.kind == .variable, program.parts.paths[Int(node.payload)].origin == .timestamp, scope == nil {
            return Outlook(value: .integer(Int128(now)), slope: 1)
        }
        if node.isOperation, let outlook = try node.operator.change?(&self, node) { return outlook }
        // The node may have another value a second later.
        return Outlook(value: try evaluate(index), until: now + 1)
    }

    /// Returns the first second at which a number that is `value` now changes between below, equal to and above 0.
    ///
    /// - Parameters:
    ///   - slope: The amount that is added each second, or at each step of the stair.
    ///   - stair: The seconds of the steps; `nil` for each second.
    func crossing(_ value: Double, _ slope: Double, _ stair: Outlook.Stair? = nil) -> Int64 {
        guard slope != 0 else { return .max }
        if value == 0 { return moment(1, stair) }
        guard (value > 0) == (slope < 0) else { return .max }
        let count = (-value / slope).rounded(.up)
        return count < 1e15 ? moment(max(1, Int64(count)), stair) : .max
    }

    /// Returns the second after `count` seconds, or of the `count`th step of a stair.
    func moment(_ count: Int64, _ stair: Outlook.Stair?) -> Int64 {
        guard let stair else { return now + count }
        let (seconds, isTooFar) = (count - 1).multipliedReportingOverflow(by: stair.period)
        return isTooFar || seconds > 1 << 50 ? .max : stair.next + seconds
    }
}
