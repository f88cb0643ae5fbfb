import TacklineCore

extension RuleEvaluator {
    // MARK: Constant variants and weights

    /// Evaluates a `fractional` with constant variants and weights.
    mutating func split(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let split = program.parts.splits[Int(node.payload)]
        guard case .node(let index) = split.key else {
            guard let constant = try constant(of: split) else { return .null }
            return program.parts.constants[Int(constant)]
        }
        let key = try evaluate(index)
        if case .array = key {
            // The list is not the key but a share, which no document should make by an expression.
            return try self.split([key] + evaluateArguments(of: node).dropFirst())
        }
        guard let hash = try hash(of: key), split.total > 0 else { return .null }
        return program.parts.constants[Int(variant(hash, of: split))]
    }

    /// Returns the index of the constant that names a split's variant; `nil` if the split gives null. Don't call it for
    /// a split whose key is an expression.
    @inline(__always)
    mutating func constant(of split: ConstantSplit) throws(RuleFailure) -> Int32? {
        let hash: UInt32?
        switch split.key {
        case .targetingKey, .node: hash = shorthandHash
        case .missing: hash = try self.hash(of: .null)
        case .flagAndTargetingKey:
            if scope == nil, let key = context.targetingKey, !key.isEmpty, !flag.flagKey.isEmpty {
                hash = joinedHash(flag.flagKey, key)
            } else {
                hash = try self.hash(of: [.flagKey, .targetingKey])
            }
        case .joined(let first, let count):
            hash = try self.hash(of: program.parts.splitPieces[Int(first)..<Int(first + count)])
        }
        guard let hash, split.total > 0 else { return nil }
        return variant(hash, of: split)
    }

    @inline(__always)
    private mutating func variant(_ hash: UInt32, of split: ConstantSplit) -> Int32 {
        let place = FractionalGeneration.place(of: hash, totalWeight: split.total)
        // The last share ends at the total, so a share is always found.
        var (position, last) = (0, split.shareCount - 1)
        while position < last {
            let middle = (position + last) / 2
            if place < program.parts.splitShares[split.firstShare + middle].end {
                last = middle
            } else {
                position = middle + 1
            }
        }
        isSplit = true
        return program.parts.splitShares[split.firstShare + position].variant
    }

    // MARK: Variants or weights that are only known now

    /// Evaluates a `fractional` whose arguments have been evaluated.
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
        guard let shares = FractionalShares(shares), shares.total > 0 else { return .null }
        isSplit = true
        return shares.variants[shares.position(of: hash)]
    }

    /// Returns whether the first argument is the key, and not a share.
    func takes(_ first: EncodedFlagValue) -> Bool {
        switch program.settings.fractional {
        case .v2: if case .null = first { true } else { first.scriptString != nil }
        case .v3: if case .array = first { false } else { true }
        }
    }

    // MARK: What is bucketed by

    /// Returns the hash of an evaluated key; `nil` if it is nothing to bucket by.
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

    /// The hash of the flag's key and the targeting key; `nil` if there is nothing to bucket by.
    @inline(__always)
    var shorthandHash: UInt32? {
        if !flag.flagKey.isEmpty, let key = context.targetingKey {
            return key.isEmpty ? nil : program.settings.fractional.hash(key, after: flag.splitPrefix)
        }
        return shorthandHashOfData
    }

    /// The same hash for a rule of its own, which takes the flag's key from its data, or for an attribute that is named
    /// `targetingKey`.
    @inline(never)
    private var shorthandHashOfData: UInt32? {
        var key = context.targetingKey
        if key == nil, case .string(let text)? = context.attributes["targetingKey"] { key = text }
        guard let key, !key.isEmpty else { return nil }
        var flagKey = flag.flagKey
        if flagKey.isEmpty, case .object(let flagd)? = context.attributes["$flagd"],
            case .string(let text)? = flagd["flagKey"]
        {
            flagKey = text
        }
        return program.settings.fractional.hash(key, after: program.settings.fractional.prefix(flagKey))
    }

    /// Returns the hash of two texts, joined.
    @inline(__always)
    private func joinedHash(_ first: String, _ second: String) -> UInt32 {
        var hash = MurmurHash3()
        if program.settings.fractional == .v3 {
            DeterministicCBOR.appendHead(3, UInt64(first.utf8.count + second.utf8.count), to: &hash)
            hash.combine(first)
        } else {
            // In the second generation this is the hash of the flag's key, which has been computed.
            hash = flag.splitPrefix
        }
        hash.combine(second)
        return hash.finalize()
    }

    /// Returns the hash of several texts, joined, without joining them in memory.
    private mutating func hash(of pieces: ArraySlice<SplitPiece>) throws(RuleFailure) -> UInt32 {
        var length = 0
        var hash = MurmurHash3()
        // The third generation hashes the length first.
        var texts: [String] = []
        let isThird = program.settings.fractional == .v3
        for piece in pieces {
            let text = try text(of: piece)
            length += text.utf8.count
            try charge(1 + text.utf8.count / 16)
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
            if scope == nil { return flag.flagKey }
            value = try lookUp(.flagKey) ?? .null
        case .targetingKey:
            if scope == nil, let key = context.targetingKey { return key }
            value = try lookUp(.targetingKey) ?? .null
        case .node(let index): value = try evaluate(index)
        }
        if case .string(let text) = value { return text }
        var text = ""
        try append(value, to: &text, depth: 0)
        return text
    }
}
