import TacklineCore

extension RuleEvaluator {
    mutating func flagdOperation(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        if node.operation == .semanticVersion { return try versionComparison(node) }
        return try split(evaluateArguments(of: node))
    }

    /// The operators whose constant argument was prepared when the rule was compiled.
    mutating func test(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
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
        var key: BucketingKey?
        switch split.key {
        case .targetingKey: key = defaultBucketingKey
        case .joined(let pieces): key = try joinedKey(pieces)
        case .node(let index):
            switch try evaluate(index) {
            case .string(let text): key = BucketingKey(text)
            case .null: key = defaultBucketingKey
            case .array:
                // Not what is bucketed by but a weighted variant, which no document should make by an expression.
                return try self.split(evaluateArguments(of: node))
            case let value: key = value.scriptString.map { BucketingKey($0) }
            }
        }
        guard let key, split.total > 0 else { return .null }
        let place = environment.settings.bucketing.place(of: key, totalWeight: split.total)
        for (position, end) in split.ends.enumerated() where place < end {
            isSplit = true
            return program.constants[Int(split.variants[position])]
        }
        return .null
    }

    /// The flag's key and the targeting key; `nil` where there is none to bucket by.
    private var defaultBucketingKey: BucketingKey? {
        if let key = environment.targetingKey { return key.isEmpty ? nil : BucketingKey(environment.flagKey, key) }
        guard case .string(let key)? = environment.attributes["targetingKey"], !key.isEmpty else { return nil }
        return BucketingKey(environment.flagKey, key)
    }

    /// The texts of several nodes as one key, which is never put together in memory.
    private mutating func joinedKey(_ pieces: [Int32]) throws(RuleFailure) -> BucketingKey {
        var key = BucketingKey("")
        var length = 0
        for (position, index) in pieces.enumerated() {
            var piece = ""
            switch try evaluate(index) {
            case .string(let text): piece = text
            case let value: try append(value, to: &piece, depth: 0)
            }
            length += piece.utf8.count
            try charge(piece.utf8.count / 16)
            if length > environment.settings.limits.maximumTextLength { throw .textTooLong }
            switch position {
            case 0: key.first = piece
            case 1: key.second = piece
            default: key.others.append(piece)
            }
        }
        return key
    }

    /// `fractional` with its arguments evaluated.
    private mutating func split(_ values: [EncodedFlagValue]) throws(RuleFailure) -> EncodedFlagValue {
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
        let place = environment.settings.bucketing.place(of: key, totalWeight: UInt32(total))
        for (share, end) in zip(shares, ends) where place < end {
            guard case .array(let parts) = share else { return .null }
            isSplit = true
            return parts[0]
        }
        return .null
    }

    /// Whether `fractional` can give the value as a variant.
    static func isVariant(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .string, .bool, .integer, .double, .null: true
        default: false
        }
    }
}
