import TacklineCore

/// The operators of which something can be prepared.
extension RuleCompiler {
    mutating func addVariable(_ values: [EncodedFlagValue], _ indexes: [Int32]) -> Int32 {
        let name: String?
        switch values.first {
        case nil, .null?: name = ""
        case .string(let text)?: name = text
        case .integer(let number)?: name = ScriptNumber.text(Double(number))
        case .double(let number)?: name = ScriptNumber.text(number)
        case .decimal(let number)?: name = ScriptNumber.text(number.nearestDouble)
        case .bool(let flag)?: name = flag ? "true" : "false"
        default: name = nil
        }
        guard let name else { return add(RuleNode(kind: .variableByName), arguments: indexes) }
        paths.append(VariablePath(name))
        let node = RuleNode(kind: .variable, payload: Int32(paths.count - 1))
        return add(node, arguments: Array(indexes.dropFirst().prefix(1)))
    }

    mutating func addContains(_ indexes: [Int32]) -> Int32 {
        let plain = RuleNode(kind: .operation, operation: .contains)
        guard indexes.count >= 2, case .array(let elements)? = constant(indexes[1]), elements.count > 4 else {
            return add(plain, arguments: indexes)
        }
        var texts: Set<ExactText> = []
        for element in elements {
            guard case .string(let text) = element else { return add(plain, arguments: indexes) }
            texts.insert(ExactText(text: text))
        }
        sets.append(texts)
        let node = RuleNode(kind: .containsConstant, payload: Int32(sets.count - 1))
        return add(node, arguments: [indexes[0]])
    }

    mutating func addVersionTest(_ indexes: [Int32]) -> Int32 {
        guard indexes.count == 3, case .string(let name)? = constant(indexes[1]),
            let comparison = VersionComparison(rawValue: name),
            case .string(let text)? = constant(indexes[2]), let target = SemanticVersion(text)
        else { return add(RuleNode(kind: .operation, operation: .semanticVersion), arguments: indexes) }
        versionTests.append(VersionTest(comparison: comparison, target: target))
        let node = RuleNode(kind: .versionTest, payload: Int32(versionTests.count - 1))
        return add(node, arguments: [indexes[0]])
    }

    mutating func addAffixTest(_ operation: RuleOperator, _ indexes: [Int32]) -> Int32 {
        guard indexes.count == 2, case .string(let affix)? = constant(indexes[1]) else {
            return add(RuleNode(kind: .operation, operation: operation), arguments: indexes)
        }
        affixTests.append(AffixTest(affix: affix, isPrefix: operation == .startsWith, attribute: attribute(indexes[0])))
        return add(RuleNode(kind: .affixTest, payload: Int32(affixTests.count - 1)), arguments: [indexes[0]])
    }

    mutating func addFractional(_ values: [EncodedFlagValue], _ indexes: [Int32]) -> Int32 {
        let plain = RuleNode(kind: .operation, operation: .fractional)
        guard let first = values.first, let (key, skipped) = splitKey(first, index: indexes[0]),
            let split = constantSplit(values.dropFirst(skipped), key: key)
        else { return add(plain, arguments: indexes) }
        splits.append(split)
        return add(RuleNode(kind: .constantSplit, payload: Int32(splits.count - 1)), arguments: indexes)
    }

    /// What a split buckets by, and how many arguments say so.
    private mutating func splitKey(_ value: EncodedFlagValue, index: Int32) -> (SplitKey, Int)? {
        switch value {
        case .array: return (.targetingKey, 0)
        case .null: return (.missing, 1)
        case .string: return (joined([.node(index)]), 1)
        case .object(let members) where members.count == 1:
            let node = nodes[Int(index)]
            guard node.kind == .operation, node.operation == .join else { return (.node(index), 1) }
            let first = Int(node.firstArgument)
            let pieces = arguments[first..<(first + Int(node.argumentCount))].map { piece($0) }
            if pieces.count == 2, case .flagKey = pieces[0], case .targetingKey = pieces[1] {
                return (.flagAndTargetingKey, 1)
            }
            return (joined(pieces), 1)
        default: return nil
        }
    }

    private mutating func joined(_ pieces: [SplitPiece]) -> SplitKey {
        let first = Int32(splitPieces.count)
        splitPieces += pieces
        return .joined(first: first, count: Int32(pieces.count))
    }

    /// The name of the attribute that a node asks for, where it asks for one and nothing else.
    private func attribute(_ index: Int32) -> String? {
        let node = nodes[Int(index)]
        guard node.kind == .variable, node.argumentCount == 0 else { return nil }
        let path = paths[Int(node.payload)]
        return path.isAttribute ? path.first.name : nil
    }

    private func piece(_ index: Int32) -> SplitPiece {
        let node = nodes[Int(index)]
        guard node.kind == .variable, node.argumentCount == 0 else { return .node(index) }
        switch paths[Int(node.payload)].origin {
        case .flagKey: return .flagKey
        case .targetingKey: return .targetingKey
        default: return .node(index)
        }
    }

    private mutating func constantSplit(_ shares: ArraySlice<EncodedFlagValue>, key: SplitKey) -> ConstantSplit? {
        var ends: [UInt32] = []
        var names: [EncodedFlagValue] = []
        var total: Int64 = 0
        for share in shares {
            guard case .array(let parts) = share, (1...2).contains(parts.count), RuleEvaluator.isVariant(parts[0]),
                let weight = FractionalWeights.weight(parts.count > 1 ? parts[1] : .null)
            else { return nil }
            total += weight
            guard total <= FractionalWeights.maximum else { return nil }
            ends.append(UInt32(total))
            names.append(parts[0])
        }
        let firstShare = splitShares.count
        for (end, name) in zip(ends, names) {
            constants.append(name)
            splitShares.append(SplitShare(end: end, variant: Int32(constants.count - 1)))
        }
        return ConstantSplit(
            firstShare: firstShare, shareCount: ends.count, total: UInt32(total), key: key)
    }
}
