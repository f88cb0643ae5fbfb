import TacklineCore

extension RuleEvaluator {
    mutating func flagdOperation(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        if node.operation == .semanticVersion { return try versionComparison(node) }
        return try split(evaluateArguments(of: node))
    }

    /// The operators whose constant argument was prepared when the rule was compiled.
    mutating func test(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        if node.kind == .affixTest { return try hasAffix(node).map { .bool($0) } ?? .null }
        let value = try evaluate(argument: 0, of: node)
        if node.kind == .containsConstant {
            guard let text = value.scriptString else { return .bool(false) }
            try charge(text.utf8.count / 16)
            return .bool(program.sets[Int(node.payload)].contains(ExactText(text: text)))
        }
        let test = program.versionTests[Int(node.payload)]
        guard let version = try version(value) else { return .null }
        return .bool(test.comparison.holds(version, test.target))
    }

    /// `sem_ver` with an operator or a target that is only known now.
    private mutating func versionComparison(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let values = try evaluateArguments(of: node)
        guard values.count == 3, case .string(let name) = values[1],
            let comparison = VersionComparison(rawValue: name),
            let left = try version(values[0]), let right = try version(values[2])
        else { return .null }
        return .bool(comparison.holds(left, right))
    }

    /// The version that a text or a number stands for.
    private mutating func version(_ value: EncodedFlagValue) throws(RuleFailure) -> SemanticVersion? {
        switch value {
        case .string, .unparsed, .integer, .double: break
        default: return nil
        }
        let text = try text(value)
        try charge(text.utf8.count / 4)
        return SemanticVersion(text)
    }

    /// `fractional` with constant variants and weights.
    mutating func split(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let split = program.splits[Int(node.payload)]
        guard case .node(let index) = split.key else {
            guard let constant = try constant(of: split) else { return .null }
            return program.constants[Int(constant)]
        }
        let key = try evaluate(index)
        if case .array = key {
            // Not what is bucketed by but a weighted variant, which no document should make by an expression.
            return try self.split([key] + evaluateArguments(of: node).dropFirst())
        }
        guard split.total > 0, let place = try place(of: key, split.total) else { return .null }
        return program.constants[Int(variant(at: place, of: split))]
    }

    /// Where among the constants the variant is that a split gives; `nil` where it gives null. Not for a split whose key is
    /// an expression.
    @inline(__always)
    mutating func constant(of split: ConstantSplit) throws(RuleFailure) -> Int32? {
        guard split.total > 0 else { return nil }
        let place: UInt32?
        switch split.key {
        case .targetingKey, .node: place = defaultPlace(split.total)
        case .flagAndTargetingKey:
            if scope == nil, let usual = defaultPlace(split.total) {
                place = usual
            } else {
                place = try self.place(of: Self.flagAndTargetingKey, split.total)
            }
        case .joined(let first, let count):
            place = try self.place(of: program.splitPieces[Int(first)..<Int(first + count)], split.total)
        }
        guard let place else { return nil }
        return variant(at: place, of: split)
    }

    private static let flagAndTargetingKey: ArraySlice<SplitPiece> = [.flagKey, .targetingKey]

    @inline(__always)
    private mutating func variant(at place: UInt32, of split: ConstantSplit) -> Int32 {
        var position = 0
        // The last share ends at the total, so one is found.
        while position < split.shareCount - 1, place >= program.splitShares[split.firstShare + position].end {
            position += 1
        }
        if let decisions {
            let shares = program.splitShares[split.firstShare..<(split.firstShare + split.shareCount)]
            position = decisions.choose(shares.map(\.end))
        }
        isSplit = true
        return program.splitShares[split.firstShare + position].variant
    }

    /// The place of an evaluated key; `nil` where it is nothing to bucket by.
    private mutating func place(
        of key: EncodedFlagValue, _ totalWeight: UInt32
    ) throws(RuleFailure) -> UInt32? {
        if case .null = key { return defaultPlace(totalWeight) }
        guard let text = key.scriptString else { return nil }
        try charge(text.utf8.count / 16)
        return program.settings.bucketing.place(of: BucketingKey(text), totalWeight: totalWeight)
    }

    /// The place of the flag's key and the targeting key; `nil` where there is none to bucket by.
    @inline(__always)
    private func defaultPlace(_ totalWeight: UInt32) -> UInt32? {
        if program.settings.usesSecondGeneration, !program.flagKey.isEmpty, let key = context.targetingKey, !key.isEmpty
        {
            var hash = program.flagKeyHash
            hash.combine(key)
            return SecondGenerationBucketing.place(of: hash.finalize(), totalWeight: totalWeight)
        }
        return defaultBucketingKey.map { program.settings.bucketing.place(of: $0, totalWeight: totalWeight) }
    }

    /// The place of several texts together.
    @inline(__always)
    private mutating func place(of pieces: ArraySlice<SplitPiece>, _ totalWeight: UInt32) throws(RuleFailure) -> UInt32
    {
        guard program.settings.usesSecondGeneration, scope == nil else {
            return try program.settings.bucketing.place(of: joinedKey(pieces), totalWeight: totalWeight)
        }
        var hash = MurmurHash3()
        var length = 0
        for (position, source) in pieces.enumerated() {
            if position == 0, case .flagKey = source {
                hash = program.flagKeyHash
                continue
            }
            if case .targetingKey = source, let key = context.targetingKey {
                hash.combine(key)
                continue
            }
            let piece = try text(of: source)
            length += piece.utf8.count
            try charge(piece.utf8.count / 16)
            if length > program.settings.limits.maximumTextLength { throw .textTooLong }
            hash.combine(piece)
        }
        return SecondGenerationBucketing.place(of: hash.finalize(), totalWeight: totalWeight)
    }

    /// The flag's key; a rule of its own finds it in its data.
    private var flagKey: String {
        guard program.flagKey.isEmpty, case .object(let flagd)? = context.attributes["$flagd"],
            case .string(let key)? = flagd["flagKey"]
        else { return program.flagKey }
        return key
    }

    /// The flag's key and the targeting key; `nil` where there is none to bucket by.
    private var defaultBucketingKey: BucketingKey? {
        if let key = context.targetingKey { return key.isEmpty ? nil : BucketingKey(flagKey, key) }
        guard case .string(let key)? = context.attributes["targetingKey"], !key.isEmpty else { return nil }
        return BucketingKey(flagKey, key)
    }

    /// The texts of several nodes as one key, which is never put together in memory.
    private mutating func joinedKey(_ pieces: ArraySlice<SplitPiece>) throws(RuleFailure) -> BucketingKey {
        var key = BucketingKey("")
        var length = 0
        for (position, source) in pieces.enumerated() {
            let piece = try text(of: source)
            length += piece.utf8.count
            try charge(piece.utf8.count / 16)
            if length > program.settings.limits.maximumTextLength { throw .textTooLong }
            switch position {
            case 0: key.first = piece
            case 1: key.second = piece
            default: key.others.append(piece)
            }
        }
        return key
    }

    private mutating func text(of piece: SplitPiece) throws(RuleFailure) -> String {
        let value: EncodedFlagValue
        switch piece {
        case .flagKey:
            if scope == nil { return program.flagKey }
            value = lookUp(.flagKey) ?? .null
        case .targetingKey:
            if scope == nil, let key = context.targetingKey { return key }
            value = lookUp(.targetingKey) ?? .null
        case .node(let index): value = try evaluate(index)
        }
        if case .string(let text) = value { return text }
        var text = ""
        try append(value, to: &text, depth: 0)
        return text
    }

    /// `fractional` with its arguments evaluated.
    mutating func split(_ values: [EncodedFlagValue]) throws(RuleFailure) -> EncodedFlagValue {
        var shares = values[...]
        let key: BucketingKey?
        if let text = shares.first?.scriptString {
            key = BucketingKey(text)
            shares = shares.dropFirst()
        } else {
            if case .null? = shares.first { shares = shares.dropFirst() }
            key = defaultBucketingKey
        }
        guard let key else { return .null }
        try charge(shares.count)
        var ends: [UInt32] = []
        var total: Int64 = 0
        for share in shares {
            guard case .array(let parts) = share, (1...2).contains(parts.count), Self.isVariant(parts[0]),
                let weight = FractionalWeights.weight(parts.count > 1 ? parts[1] : .null)
            else { return .null }
            total += weight
            guard total <= FractionalWeights.maximum else { return .null }
            ends.append(UInt32(total))
        }
        guard total > 0 else { return .null }
        let place = program.settings.bucketing.place(of: key, totalWeight: UInt32(total))
        let position = decisions?.choose(ends) ?? ends.firstIndex { place < $0 } ?? ends.count - 1
        guard case .array(let parts) = shares[shares.startIndex + position] else { return .null }
        isSplit = true
        return parts[0]
    }

    /// Whether `fractional` can give the value as a variant.
    static func isVariant(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .string, .bool, .integer, .double, .null: true
        default: false
        }
    }
}
