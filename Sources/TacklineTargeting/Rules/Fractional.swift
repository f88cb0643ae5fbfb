import TacklineCore

/// The generation of flagd's `fractional`, which places subjects.
///
/// flagd has changed this arithmetic, and each change moves subjects: ``v2`` and ``v3`` put about 18 % of all users on
/// different sides of a rollout at 10 %. An app and its servers must therefore use the same one. Each reader of a
/// document states it; nothing in the document does.
///
/// In both, the place of a subject is `(hash * sum) >> 32`, with the key's MurmurHash3 and the sum of the weights,
/// exactly and without floating point. So 10 of 100 and 100 of 1000 choose the same subjects, and a first share that
/// grows only adds subjects.
public enum FractionalVersion: String, Hashable, Sendable, CaseIterable {
    /// flagd core 0.15 and 0.16: the key is a text, and its UTF-8 is hashed. The default is the flag's key and the
    /// targeting key, joined.
    case v2
    /// flagd's decision "Harden hashing consistency and add support for non-string attributes" of 2025-12: the key may
    /// be any JSON but an array, and its deterministic CBOR is hashed. The default is the array of the flag's key and
    /// the targeting key.
    case v3

    /// Returns whether the first argument is the key, and not a share.
    func isKey(_ first: EncodedFlagValue) -> Bool {
        switch self {
        case .v2: first == .null || first.scriptString != nil
        case .v3: if case .array = first { false } else { true }
        }
    }

    /// Returns a hash that begins with a flag's key, and to which the targeting key is appended.
    func hash(ofFlagKey key: String) -> MurmurHash3 {
        var hash = MurmurHash3()
        if self == .v3 { DeterministicCBOR.appendHead(4, 2, to: &hash) }
        append(key, to: &hash)
        return hash
    }

    func append(_ text: String, to hash: inout MurmurHash3) {
        switch self {
        case .v2: hash.combine(text)
        case .v3: DeterministicCBOR.append(text, to: &hash)
        }
    }
}

/// The shares of a `fractional`, with the checks that all generations since the second make.
final class FractionalShares: Sendable {
    /// The largest weight, and the largest sum of weights.
    static let maximum: Int64 = 2_147_483_647

    let variants: [EncodedFlagValue]
    let ends: [UInt32]

    var total: UInt32 { ends.last ?? 0 }

    /// Reads shares; `nil` for shares that make the whole operation null.
    init?(_ shares: ArraySlice<EncodedFlagValue>) {
        var total: Int64 = 0
        var variants: [EncodedFlagValue] = []
        var ends: [UInt32] = []
        for share in shares {
            guard case .array(let parts) = share, (1...2).contains(parts.count),
                let weight = Self.weight(parts.count > 1 ? parts[1] : .null)
            else { return nil }
            switch parts[0] {
            case .array, .object, .data, .date, .unparsed: return nil
            default: variants.append(parts[0])
            }
            total += weight
            guard total <= Self.maximum else { return nil }
            ends.append(UInt32(total))
        }
        self.variants = variants
        self.ends = ends
    }

    /// Returns the share that a hash falls into. The sum of the weights may not be 0.
    func position(of hash: UInt32) -> Int {
        let place = UInt32(truncatingIfNeeded: (UInt64(hash) &* UInt64(total)) &>> 32)
        // The last share ends at the total, so one is always found.
        return ends.firstIndex { place < $0 } ?? 0
    }

    /// Returns the weight that a value stands for: 1 for null, 0 for a negative number; `nil` for a value that makes
    /// the whole operation null.
    private static func weight(_ value: EncodedFlagValue) -> Int64? {
        if case .null = value { return 1 }
        // NaN, which stands for a value that is no number, equals nothing.
        let number = value.scriptNumber
        guard number.rounded(.towardZero) == number, number <= Double(maximum) else { return nil }
        return number < 0 ? 0 : Int64(number)
    }
}

extension RuleEvaluation {
    mutating func fractional(_ node: Rule) throws -> EncodedFlagValue {
        let version = rule.settings.fractional
        var shares: FractionalShares?
        var key: EncodedFlagValue?
        if case .shares(let known) = node.preparation {
            shares = known
            if node.arguments.count > known.ends.count { key = try argument(0, of: node) }
        }
        // An expression may give what is no key but a share, which no document should do.
        if shares == nil || key.map(version.isKey) == false {
            let values = try values(of: node)
            try charge(values.count)
            key = values.first.flatMap { version.isKey($0) ? .some($0) : nil }
            shares = FractionalShares(values.dropFirst(key == nil ? 0 : 1))
        }
        let hash = if let key { try hash(of: key) } else { shorthandHash }
        guard let shares, let hash, shares.total > 0 else { return .null }
        isSplit = true
        try charge(shares.ends.count / 16)
        return shares.variants[shares.position(of: hash)]
    }

    /// Returns the hash of an evaluated key; `nil` if it is nothing to bucket by.
    mutating func hash(of key: EncodedFlagValue) throws -> UInt32? {
        let version = rule.settings.fractional
        if case .null = key {
            hadNoKey = version == .v3
            return hadNoKey ? nil : shorthandHash
        }
        try checkDepth(of: key)
        var hash = MurmurHash3()
        if version == .v3 {
            DeterministicCBOR.append(key, to: &hash)
        } else {
            guard let text = key.scriptString else { return nil }
            hash.combine(text)
        }
        return hash.finalize()
    }

    /// The hash of the flag's key and the targeting key; `nil` if there is nothing to bucket by.
    var shorthandHash: UInt32? {
        var targetingKey = context.targetingKey
        if targetingKey == nil, case .string(let text)? = context.attributes["targetingKey"] { targetingKey = text }
        guard let targetingKey, !targetingKey.isEmpty else { return nil }
        var hash = rule.keyHash
        rule.settings.fractional.append(targetingKey, to: &hash)
        return hash.finalize()
    }
}
