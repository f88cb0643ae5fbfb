import TacklineCore

extension RuleOperator {
    /// The operator that splits subjects, which is flagd's.
    static let splits: [RuleOperator] = [
        RuleOperator(
            "fractional", .shares, flow: .shares,
            change: { evaluator, node throws(RuleFailure) in try evaluator.splitOutlook(node) },
            preparation: { compiler, values, indexes in compiler.addSplit(values, indexes) },
            .value { evaluator, node throws(RuleFailure) in
                node.isPrepared
                    ? try evaluator.split(node) : try evaluator.split(evaluator.evaluateArguments(of: node))
            })
    ]
}

extension RuleArguments {
    /// A key, which may be left out, and shares.
    static let shares = RuleArguments { validator, argument in
        guard let elements = validator.list(argument, counts: 1..<Int.max) else { return }
        for (position, element) in elements.enumerated() {
            validator.at(String(position)) { validator in
                if position == 0, case .object = element {
                    validator.checkOperation(element)
                } else {
                    validator.checkShare(element)
                }
            }
        }
    }
}

extension RuleValidator {
    fileprivate mutating func checkShare(_ share: EncodedFlagValue) {
        guard case .array(let parts) = share, (1...2).contains(parts.count) else {
            return report("a variant with its weight is needed here, as a list of one or two")
        }
        at("0") { $0.checkArgument(parts[0]) }
        guard parts.count == 2 else { return }
        at("1") { $0.checkWeight(parts[1]) }
    }

    private mutating func checkWeight(_ weight: EncodedFlagValue) {
        switch weight {
        case .integer(let number) where number >= 0: break
        case .double(let number) where number >= 0 && number.rounded(.towardZero) == number: break
        case .object: checkOperation(weight)
        default: report("a weight needs to be a whole number that is not negative, or an operation")
        }
    }
}

extension RuleCompiler {
    /// Prepares a split whose variants and weights are known.
    fileprivate mutating func addSplit(_ values: [EncodedFlagValue], _ indexes: [Int32]) -> Int32? {
        guard let first = values.first, let (key, skipped) = splitKey(first, index: indexes[0]),
            let shares = FractionalShares(values.dropFirst(skipped))
        else { return nil }
        let firstShare = parts.splitShares.count
        for (end, variant) in zip(shares.ends, shares.variants) {
            parts.constants.append(variant)
            parts.splitShares.append(SplitShare(end: end, variant: Int32(parts.constants.count - 1)))
        }
        parts.splits.append(
            ConstantSplit(firstShare: firstShare, shareCount: shares.ends.count, total: shares.total, key: key))
        return Int32(parts.splits.count - 1)
    }

    /// Returns the key that a split buckets by, and the number of arguments that state it.
    private mutating func splitKey(_ value: EncodedFlagValue, index: Int32) -> (SplitKey, Int)? {
        switch value {
        case .array: return (.targetingKey, 0)
        case .null: return (.missing, 1)
        case .string: return (joined([.node(index)]), 1)
        case .object(let members) where members.count == 1:
            let node = parts.nodes[Int(index)]
            guard node.isOperation, case .join = node.operator.flow else { return (.node(index), 1) }
            let pieces = parts.arguments[node.argumentRange].map { piece($0) }
            if pieces.count == 2, case .flagKey = pieces[0], case .targetingKey = pieces[1] {
                return (.flagAndTargetingKey, 1)
            }
            return (joined(pieces), 1)
        default: return nil
        }
    }

    private mutating func joined(_ pieces: [SplitPiece]) -> SplitKey {
        let first = Int32(parts.splitPieces.count)
        parts.splitPieces += pieces
        return .joined(first: first, count: Int32(pieces.count))
    }

    private func piece(_ index: Int32) -> SplitPiece {
        switch plainPath(index)?.origin {
        case .flagKey?: .flagKey
        case .targetingKey?: .targetingKey
        default: .node(index)
        }
    }
}
