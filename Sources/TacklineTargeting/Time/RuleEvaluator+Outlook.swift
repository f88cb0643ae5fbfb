import TacklineCore

/// A value now, and how it goes on: by so much a second, up to the first second at which that may no longer hold.
struct Outlook {
    var value: EncodedFlagValue
    /// What is added each second; 0 for what is no number.
    var slope = 0.0
    var until = Int64.max
}

/// Looks ahead: what a node is now, and until when.
///
/// Nothing is tried second by second. A rule asks for the time in few ways (it is compared, and weights are computed from it),
/// and in those everything is a line over time, so the second at which something crosses something else can be computed.
/// Where a rule does anything else with the time, it is taken to change within a second.
extension RuleEvaluator {
    private var now: Int64 { timestamp ?? program.settings.timestamp() }

    mutating func outlook(_ index: Int32) throws(RuleFailure) -> Outlook {
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

    /// The first second at which a line that is at `value` now stands otherwise towards 0: below it, at it or above it.
    private func crossing(_ value: Double, _ slope: Double) -> Int64 {
        guard slope != 0 else { return .max }
        if value == 0 { return now + 1 }
        guard (value > 0) == (slope < 0) else { return .max }
        return later((-value / slope).rounded(.up))
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
            let side = try outlook(index)
            until = min(until, side.until)
            if let before = sides.last {
                // What is no number stands in no relation to time, or a number in it stands for one.
                let difference = try number(side.value) - number(before.value)
                if difference.isFinite { until = min(until, crossing(difference, side.slope - before.slope)) }
            }
            sides.append(side)
        }
        return Outlook(value: value, until: until)
    }

    // MARK: Arithmetic

    /// `nil` where the result is no line.
    private mutating func arithmeticOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook? {
        var lines: [(value: Double, slope: Double)] = []
        var until = Int64.max
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { return nil }
            let outlook = try outlook(index)
            let value = try number(outlook.value)
            guard value.isFinite else { return nil }
            lines.append((value, outlook.slope))
            until = min(until, outlook.until)
        }
        guard var result = lines.first else { return nil }
        if lines.count == 1, node.operation == .minus { result = (-result.value, -result.slope) }
        for line in lines.dropFirst() {
            switch node.operation {
            case .plus: result = (result.value + line.value, result.slope + line.slope)
            case .minus: result = (result.value - line.value, result.slope - line.slope)
            case .times:
                guard result.slope == 0 || line.slope == 0 else { return nil }
                result = (result.value * line.value, result.slope * line.value + line.slope * result.value)
            case .divide:
                guard line.slope == 0, line.value != 0 else { return nil }
                result = (result.value / line.value, result.slope / line.value)
            case .maximum, .minimum:
                until = min(until, crossing(line.value - result.value, line.slope - result.slope))
                let isOther = node.operation == .maximum ? line.value > result.value : line.value < result.value
                if isOther { result = line }
            default:
                guard line.slope == 0, line.value > 0, result.value >= 0 else { return nil }
                let rest = result.value.truncatingRemainder(dividingBy: line.value)
                // Where the step ends, from which the rest is counted.
                if result.slope > 0 { until = min(until, later(((line.value - rest) / result.slope).rounded(.up))) }
                if result.slope < 0 { until = min(until, later((rest / -result.slope).rounded(.down) + 1)) }
                result.value = rest
            }
        }
        return Outlook(value: .scriptNumber(result.value), slope: result.slope, until: until)
    }

    // MARK: Splits

    /// `nil` where weights go by other than whole numbers a second.
    private mutating func splitOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook? {
        var values: [EncodedFlagValue] = []
        var slopes: [Int128] = []
        var until = Int64.max
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { return nil }
            let part = program.nodes[Int(index)]
            guard program.isTimed[Int(index)] else {
                values.append(try evaluate(index))
                slopes.append(0)
                continue
            }
            guard part.kind == .list, part.argumentCount == 2, let name = argument(0, of: part),
                !program.isTimed[Int(name)], let weight = argument(1, of: part)
            else { return nil }
            let outlook = try outlook(weight)
            guard outlook.slope.rounded() == outlook.slope, outlook.slope.magnitude < 0x1p31 else { return nil }
            values.append(.array([try evaluate(name), outlook.value]))
            slopes.append(Int128(outlook.slope))
            // A weight below 0 counts as 0 and does not move, and one that is too large makes the split null.
            until = min(until, outlook.until, crossing(Self.plainNumber(outlook.value), outlook.slope))
            let excess = Self.plainNumber(outlook.value) - Double(FractionalWeights.maximum)
            until = min(until, crossing(excess, outlook.slope), crossing(excess - 1, outlook.slope))
        }
        let value = try split(values)
        guard let first = values.first else { return Outlook(value: value, until: until) }
        let isKey = takes(first)
        if isKey { (values, slopes) = (Array(values.dropFirst()), Array(slopes.dropFirst())) }
        guard let hash = try isKey ? self.hash(of: first) : shorthandHash else {
            return Outlook(value: value, until: until)
        }
        let shares = zip(values, slopes).map { share, slope -> (weight: Int128, slope: Int128) in
            guard case .array(let parts) = share,
                let weight = FractionalWeights.weight(parts.count > 1 ? parts[1] : .null)
            else { return (0, 0) }
            let isBelow = parts.count > 1 && Self.plainNumber(parts[1]) < 0
            return (Int128(weight), isBelow ? 0 : slope)
        }
        return Outlook(value: value, until: min(until, Self.nextPlace(hash, shares).map { now + $0 } ?? .max))
    }

    /// In how many seconds a hash falls to another share, or the weights change between possible and impossible; `nil` for
    /// never.
    ///
    /// With S the sum of the weights and R where a share ends, the hash h lies before that end while h·S < R·2³². Both sides
    /// are lines, so the second at which the relation turns is a quotient.
    private static func nextPlace(_ hash: UInt32, _ shares: [(weight: Int128, slope: Int128)]) -> Int64? {
        let total = shares.reduce(0) { $0 + $1.weight }
        let totalSlope = shares.reduce(0) { $0 + $1.slope }
        var first: Int128?
        /// Notes when a line through `value` turns from negative to not, or back.
        func note(_ value: Int128, _ slope: Int128) {
            let seconds: Int128
            if value < 0, slope > 0 {
                seconds = (-value + slope - 1) / slope
            } else if value >= 0, slope < 0 {
                seconds = value / -slope + 1
            } else {
                return
            }
            first = min(first ?? seconds, seconds)
        }
        var (end, endSlope): (Int128, Int128) = (0, 0)
        for share in shares {
            end += share.weight
            endSlope += share.slope
            note(Int128(hash) * total - end << 32, Int128(hash) * totalSlope - endSlope << 32)
        }
        note(total - 1, totalSlope)
        note(total - Int128(FractionalWeights.maximum) - 1, totalSlope)
        return first.map { Int64(clamping: max(1, $0)) }.flatMap { $0 < 1 << 50 ? $0 : nil }
    }
}
