import TacklineCore

extension RuleEvaluator {
    // MARK: Constant variants and weights

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
        guard let hash = try hash(of: key), split.total > 0 else { return .null }
        return program.constants[Int(variant(hash, of: split))]
    }

    /// Where among the constants the variant is that a split gives; `nil` where it gives null. Not for a split whose key is
    /// an expression.
    @inline(__always)
    mutating func constant(of split: ConstantSplit) throws(RuleFailure) -> Int32? {
        let hash: UInt32?
        switch split.key {
        case .targetingKey, .node: hash = shorthandHash
        case .missing: hash = try self.hash(of: .null)
        case .flagAndTargetingKey:
            if scope == nil, let key = context.targetingKey, !key.isEmpty, !program.flagKey.isEmpty {
                hash = joinedHash(program.flagKey, key)
            } else {
                hash = try self.hash(of: [.flagKey, .targetingKey])
            }
        case .joined(let first, let count):
            hash = try self.hash(of: program.splitPieces[Int(first)..<Int(first + count)])
        }
        guard let hash, split.total > 0 else { return nil }
        return variant(hash, of: split)
    }

    @inline(__always)
    private mutating func variant(_ hash: UInt32, of split: ConstantSplit) -> Int32 {
        let place = FractionalGeneration.place(of: hash, totalWeight: split.total)
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

    // MARK: Variants or weights that are only known now

    /// `fractional` with its arguments evaluated.
    mutating func split(_ values: [EncodedFlagValue]) throws(RuleFailure) -> EncodedFlagValue {
        var shares = values[...]
        let hash: UInt32?
        if let first = values.first, takes(first) {
            hash = try self.hash(of: first)
            shares = shares.dropFirst()
        } else {
            hash = shorthandHash
        }
        guard let hash else { return .null }
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
        let place = FractionalGeneration.place(of: hash, totalWeight: UInt32(total))
        let position = decisions?.choose(ends) ?? ends.firstIndex { place < $0 } ?? ends.count - 1
        guard case .array(let parts) = shares[shares.startIndex + position] else { return .null }
        isSplit = true
        return parts[0]
    }

    /// Whether the first argument is what is bucketed by, and no share.
    func takes(_ first: EncodedFlagValue) -> Bool {
        switch program.settings.fractional {
        case .v2: if case .null = first { true } else { first.scriptString != nil }
        case .v3: if case .array = first { false } else { true }
        }
    }

    /// Whether `fractional` can give the value as a variant.
    static func isVariant(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .string, .bool, .integer, .double, .decimal, .null: true
        default: false
        }
    }

    // MARK: What is bucketed by

    /// The hash of an evaluated key; `nil` where it is nothing to bucket by.
    mutating func hash(of key: EncodedFlagValue) throws(RuleFailure) -> UInt32? {
        let generation = program.settings.fractional
        if let text = key.scriptString {
            try charge(text.utf8.count / 16)
            return generation.hash(text)
        }
        switch generation {
        case .v2:
            if case .null = key { return shorthandHash }
            return nil
        case .v3:
            if case .null = key {
                hadNoKey = true
                return nil
            }
            try checkDepth(of: key)
            var hash = MurmurHash3()
            DeterministicCBOR.append(key, .wholeAsIntegers, to: &hash)
            return hash.finalize()
        }
    }

    /// The hash of the flag's key and the targeting key; `nil` where there is none to bucket by.
    @inline(__always)
    var shorthandHash: UInt32? {
        if !program.flagKey.isEmpty, let key = context.targetingKey {
            return key.isEmpty ? nil : program.settings.fractional.hash(key, after: program.splitPrefix)
        }
        return shorthandHashOfData
    }

    /// The same for a rule of its own, which finds the flag's key in its data, or an attribute that is named `targetingKey`.
    @inline(never)
    private var shorthandHashOfData: UInt32? {
        var key = context.targetingKey
        if key == nil, case .string(let text)? = context.attributes["targetingKey"] { key = text }
        guard let key, !key.isEmpty else { return nil }
        var flagKey = program.flagKey
        if flagKey.isEmpty, case .object(let flagd)? = context.attributes["$flagd"],
            case .string(let text)? = flagd["flagKey"]
        {
            flagKey = text
        }
        return program.settings.fractional.hash(key, after: program.settings.fractional.prefix(flagKey))
    }

    /// The hash of two texts as one.
    @inline(__always)
    private func joinedHash(_ first: String, _ second: String) -> UInt32 {
        var hash = MurmurHash3()
        if program.settings.fractional == .v3 {
            DeterministicCBOR.appendHead(3, UInt64(first.utf8.count + second.utf8.count), to: &hash)
            hash.combine(first)
        } else {
            // Of the second generation this is the hash of the flag's key, which is at hand.
            hash = program.splitPrefix
        }
        hash.combine(second)
        return hash.finalize()
    }

    /// The hash of several texts as one, which is never put together in memory.
    private mutating func hash(of pieces: ArraySlice<SplitPiece>) throws(RuleFailure) -> UInt32 {
        var length = 0
        var hash = MurmurHash3()
        // The third generation hashes the length first.
        var texts: [String] = []
        let isThird = program.settings.fractional == .v3
        for piece in pieces {
            let text = try text(of: piece)
            length += text.utf8.count
            try charge(text.utf8.count / 16)
            if length > program.settings.limits.maximumTextLength { throw .textTooLong }
            if isThird { texts.append(text) } else { hash.combine(text) }
        }
        if isThird {
            DeterministicCBOR.appendHead(3, UInt64(length), to: &hash)
            for text in texts { hash.combine(text) }
        }
        return hash.finalize()
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
}
