import TacklineCore

/// A value now and how it changes, by so much a second and so much at each step, up to the first second at which that may no
/// longer hold.
struct Outlook {
    /// When something jumps again and again: a rollout in steps does, since it divides the time by their length.
    struct Stair: Hashable {
        /// The second of the next step.
        var next: Int64
        /// How many seconds lie between two steps.
        var period: Int64
    }

    var value: EncodedFlagValue
    /// What is added each second; 0 for what is no number.
    var slope = 0.0
    /// What is added at each step.
    var rise = 0.0
    var stair: Stair?
    var until = Int64.max

    /// The same without steps: it holds up to the next one.
    var line: Outlook {
        guard let stair else { return self }
        return Outlook(value: value, slope: slope, until: min(until, stair.next))
    }
}

/// Looks ahead: what a node is now, and until when.
///
/// Nothing is tried second by second. A rule asks for the time in few ways (it is compared, and weights are computed from it),
/// and in those everything is a line or a stair over time, so the second at which something crosses something else can be
/// computed. Where a rule does anything else with the time, it is taken to change within a second.
extension RuleEvaluator {
    private var now: Int64 { timestamp ?? program.settings.timestamp() }

    /// What a node is now, and until when it is that or goes on by a line.
    mutating func outlook(_ index: Int32) throws(RuleFailure) -> Outlook { try steppedOutlook(index).line }

    mutating func steppedOutlook(_ index: Int32) throws(RuleFailure) -> Outlook {
        guard program.isTimed[Int(index)] else { return Outlook(value: try evaluate(index)) }
        try charge(1)
        let node = program.nodes[Int(index)]
        if node.kind == .variable, program.paths[Int(node.payload)].origin == .timestamp, scope == nil {
            return Outlook(value: .integer(Int128(now)), slope: 1)
        }
        guard node.kind == .operation else { return try opaque(index) }
        switch node.operation {
        case .condition, .ternary: return try conditionOutlook(node)
        case .and, .or: return try junctionOutlook(node)
        case .not, .truth:
            let (isTrue, until) = try truth(argument(0, of: node))
            return Outlook(value: .bool(isTrue == (node.operation == .truth)), until: until)
        case .plus, .minus, .times, .divide, .remainder, .maximum, .minimum:
            if let outlook = try arithmeticOutlook(node) { return outlook }
            return try opaque(index)
        case .equal, .identical, .notEqual, .notIdentical, .greater, .greaterOrEqual, .less, .lessOrEqual:
            return try comparisonOutlook(index, node)
        case .fractional:
            if let outlook = try splitOutlook(node) { return outlook }
            return try opaque(index)
        default: return try opaque(index)
        }
    }

    /// What may be another value a second later.
    private mutating func opaque(_ index: Int32) throws(RuleFailure) -> Outlook {
        Outlook(value: try evaluate(index), until: now + 1)
    }

    /// Whether a node is truthy, and until when.
    private mutating func truth(_ index: Int32?) throws(RuleFailure) -> (Bool, Int64) {
        guard let index else { return (false, .max) }
        let outlook = try outlook(index)
        let until = min(outlook.until, crossing(Self.plainNumber(outlook.value), outlook.slope))
        return (outlook.value.isTruthy, until)
    }

    /// The first second at which something that is at `value` now stands otherwise towards 0: below it, at it or above it.
    ///
    /// - Parameters:
    ///   - slope: What is added each second, or at each step of the stair.
    ///   - stair: When that is; `nil` for each second.
    func crossing(_ value: Double, _ slope: Double, _ stair: Outlook.Stair? = nil) -> Int64 {
        guard slope != 0 else { return .max }
        if value == 0 { return moment(1, stair) }
        guard (value > 0) == (slope < 0) else { return .max }
        let count = (-value / slope).rounded(.up)
        return count < 1e15 ? moment(max(1, Int64(count)), stair) : .max
    }

    /// The second after so many seconds, or of the step after so many steps; one is the next.
    func moment(_ count: Int64, _ stair: Outlook.Stair?) -> Int64 {
        guard let stair else { return now + count }
        let (seconds, isTooFar) = (count - 1).multipliedReportingOverflow(by: stair.period)
        return isTooFar || seconds > 1 << 50 ? .max : stair.next + seconds
    }

    private func later(_ seconds: Double) -> Int64 {
        seconds < 1e15 ? now + max(1, Int64(seconds)) : .max
    }

    // MARK: Logic

    private mutating func conditionOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook {
        var until = Int64.max
        var position = 0
        let count = Int(node.argumentCount)
        while position < count {
            let isLast = position + 1 == count
            if !isLast {
                let (isTrue, untilThen) = try truth(argument(position, of: node))
                until = min(until, untilThen)
                guard isTrue else {
                    position += 2
                    continue
                }
            }
            guard let index = argument(isLast ? position : position + 1, of: node) else { break }
            var outlook = try outlook(index)
            outlook.until = min(outlook.until, until)
            return outlook
        }
        return Outlook(value: .null, until: until)
    }

    private mutating func junctionOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook {
        var result = Outlook(value: .null)
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { break }
            let outlook = try outlook(index)
            let untilThen = crossing(Self.plainNumber(outlook.value), outlook.slope)
            result = Outlook(
                value: outlook.value, slope: outlook.slope, until: min(result.until, outlook.until, untilThen))
            if outlook.value.isTruthy == (node.operation == .or) { break }
        }
        return result
    }

    private mutating func comparisonOutlook(_ index: Int32, _ node: RuleNode) throws(RuleFailure) -> Outlook {
        let value = try evaluate(index)
        var until = Int64.max
        var sides: [Outlook] = []
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { break }
            let side = try steppedOutlook(index)
            until = min(until, side.until)
            if let before = sides.last {
                // A text counts as the number that it is. Where a side is no number, time does not change the relation.
                let difference = try number(side.value) - number(before.value)
                let stairs = Set([side.stair, before.stair].compactMap(\.self))
                let slope = side.slope - before.slope
                if stairs.count == 1, slope == 0 {
                    let turn = crossing(difference, side.rise - before.rise, stairs.first)
                    until = min(until, difference.isFinite ? turn : .max)
                } else {
                    for stair in stairs { until = min(until, stair.next) }
                    if difference.isFinite { until = min(until, crossing(difference, slope)) }
                }
            }
            sides.append(side)
        }
        return Outlook(value: value, until: until)
    }

    // MARK: Arithmetic

    /// A number over time.
    private struct Course {
        var value: Double
        var slope: Double
        var rise: Double
        var isConstant: Bool { slope == 0 && rise == 0 }

        static func + (left: Course, right: Course) -> Course {
            Course(value: left.value + right.value, slope: left.slope + right.slope, rise: left.rise + right.rise)
        }

        static func * (course: Course, factor: Double) -> Course {
            Course(value: course.value * factor, slope: course.slope * factor, rise: course.rise * factor)
        }
    }

    /// `nil` where the result is neither line nor stair.
    private mutating func arithmeticOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook? {
        var courses: [Course] = []
        var stairs: [Outlook.Stair] = []
        var until = Int64.max
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { return nil }
            let outlook = try steppedOutlook(index)
            let value = try number(outlook.value)
            guard value.isFinite else { return nil }
            courses.append(Course(value: value, slope: outlook.slope, rise: outlook.rise))
            if let stair = outlook.stair { stairs.append(stair) }
            until = min(until, outlook.until)
        }
        let isLinear = [.plus, .minus, .times, .divide].contains(node.operation)
        if !isLinear || Set(stairs).count > 1 {
            // Steps at different times, or something that is done to them, are looked at one by one.
            for stair in stairs { until = min(until, stair.next) }
            for position in courses.indices { courses[position].rise = 0 }
            stairs = []
        }
        guard var result = courses.first else { return nil }
        if courses.count == 1, node.operation == .minus { result = result * -1 }
        for course in courses.dropFirst() {
            switch node.operation {
            case .plus: result = result + course
            case .minus: result = result + course * -1
            case .times:
                guard result.isConstant || course.isConstant else { return nil }
                result = result.isConstant ? course * result.value : result * course.value
            case .divide:
                guard course.isConstant, course.value != 0 else { return nil }
                result = Course(
                    value: result.value / course.value, slope: result.slope / course.value,
                    rise: result.rise / course.value)
            case .maximum, .minimum:
                until = min(until, crossing(course.value - result.value, course.slope - result.slope))
                let isOther = node.operation == .maximum ? course.value > result.value : course.value < result.value
                if isOther { result = course }
            default:
                guard course.isConstant, course.value > 0, result.value >= 0 else { return nil }
                let rest = result.value.truncatingRemainder(dividingBy: course.value)
                let isWhole = rest.rounded() == rest && course.value.rounded() == course.value
                if result.slope == 1, isWhole, course.value < 0x1p50, courses.count == 2 {
                    // A saw: each time that it reaches the divisor, it falls by it.
                    stairs = [Outlook.Stair(next: now + Int64(course.value - rest), period: Int64(course.value))]
                    result.rise = -course.value
                } else {
                    // Where the step ends, from which the rest is counted.
                    if result.slope > 0 {
                        until = min(until, later(((course.value - rest) / result.slope).rounded(.up)))
                    }
                    if result.slope < 0 { until = min(until, later((rest / -result.slope).rounded(.down) + 1)) }
                }
                result.value = rest
            }
        }
        let stair = result.rise == 0 ? nil : stairs.first
        return Outlook(
            value: .scriptNumber(result.value), slope: result.slope, rise: result.rise, stair: stair, until: until)
    }
}
