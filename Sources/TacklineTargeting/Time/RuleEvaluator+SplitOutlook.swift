import TacklineCore

/// The outlook of splits: weights that depend on the time change the share of a subject.
extension RuleEvaluator {
    /// Returns `nil` if anything but weights changes, or a weight changes by other than a whole number each second or
    /// step.
    mutating func splitOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook? {
        var values: [EncodedFlagValue] = []
        var weights: [Outlook?] = []
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { return nil }
            let part = program.parts.nodes[Int(index)]
            guard program.isTimed(index) else {
                values.append(try evaluate(index))
                weights.append(nil)
                continue
            }
            guard part.kind == .list, part.argumentCount == 2, let name = argument(0, of: part),
                !program.isTimed(name), let weight = argument(1, of: part)
            else { return nil }
            let outlook = try steppedOutlook(weight)
            for change in [outlook.slope, outlook.rise] {
                guard change.rounded() == change, change.magnitude < 0x1p31 else { return nil }
            }
            values.append(.array([try evaluate(name), outlook.value]))
            weights.append(outlook)
        }
        // Either every weight changes by seconds, or every weight by the same steps.
        let stairs = Set(weights.compactMap { $0?.stair })
        let isStepped = stairs.count == 1 && weights.allSatisfy { $0?.slope ?? 0 == 0 }
        if !isStepped { weights = weights.map { $0?.line } }
        let stair = isStepped ? stairs.first : nil
        var until = Int64.max
        var slopes: [Int128] = []
        for weight in weights {
            let slope = (isStepped ? weight?.rise : weight?.slope) ?? 0
            slopes.append(Int128(slope))
            guard let weight else { continue }
            // A weight below 0 counts as 0 and does not move, and one that is too large makes the split null.
            let value = Self.plainNumber(weight.value)
            let excess = value - Double(FractionalShares.maximum)
            until = min(until, weight.until, crossing(value, slope, stair))
            until = min(until, crossing(excess, slope, stair), crossing(excess - 1, slope, stair))
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
                let weight = FractionalShares.weight(parts.count > 1 ? parts[1] : .null)
            else { return (0, 0) }
            let isBelow = parts.count > 1 && Self.plainNumber(parts[1]) < 0
            return (Int128(weight), isBelow ? 0 : slope)
        }
        return Outlook(value: value, until: min(until, Self.nextPlace(hash, shares).map { moment($0, stair) } ?? .max))
    }

    /// Returns the number of seconds, or steps, after which a hash falls into another share, or the weights become
    /// possible or impossible; `nil` for never.
    ///
    /// With S the sum of the weights and R the end of a share, the hash h lies before that end while h·S < R·2³². Both
    /// sides are lines, so the second at which the relation changes is a quotient.
    private static func nextPlace(_ hash: UInt32, _ shares: [(weight: Int128, slope: Int128)]) -> Int64? {
        let total = shares.reduce(0) { $0 + $1.weight }
        let totalSlope = shares.reduce(0) { $0 + $1.slope }
        var first: Int128?
        /// Considers the second at which a line through `value` changes between negative and not negative.
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
        note(total - Int128(FractionalShares.maximum) - 1, totalSlope)
        return first.map { Int64(clamping: max(1, $0)) }.flatMap { $0 < 1 << 50 ? $0 : nil }
    }
}
