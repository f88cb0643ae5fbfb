import TacklineCore

/// The evaluations of one flag for many subjects. The flag is evaluated again only if the subject differs from the one
/// before in something that the flag's rule reads.
struct FlagTrial {
    private enum KeyKind: UInt8 { case none, empty, some }

    private let flag: FlagDefinition
    private let timestamp: Int64?
    private let use: SubjectUse
    /// The kind of the last subject's key; `nil` for no subject yet.
    private var lastKey: KeyKind?
    private var lastAttributes: [String: EncodedFlagValue] = [:]
    private var lastEvaluation: FlagEvaluation?
    private var lastExpectation: [(String, Double)]?
    /// The split by which alone subjects with the last attributes differ.
    private var lastSplit: TrialSplit?

    /// - Parameter timestamp: The time in seconds since 1970; `nil` for the document's time.
    init(_ flag: FlagDefinition, at timestamp: Int64? = nil) {
        self.flag = flag
        self.timestamp = timestamp
        use = flag.subjectUse
    }

    /// Whether all subjects get the same.
    var isConstant: Bool { use == .constant }

    /// Returns whether both flags hash the targeting key of a subject to the same number.
    func hashesAlike(_ other: FlagTrial) -> Bool {
        flag.key == other.flag.key && flag.program?.settings.fractional == other.flag.program?.settings.fractional
    }

    /// Returns the evaluation for a subject.
    mutating func evaluate(for context: EvaluationContext) -> FlagEvaluation {
        var hash: UInt32?
        return evaluate(for: context, hash: &hash)
    }

    /// Returns the evaluation for a subject.
    ///
    /// - Parameter hash: The hash of the subject's targeting key, if it is known. It is set if the split computes it.
    mutating func evaluate(for context: EvaluationContext, hash: inout UInt32?) -> FlagEvaluation {
        guard use <= .splits else { return flag.evaluate(for: context, at: timestamp) }
        forget(unlessFor: context)
        if let lastEvaluation { return lastEvaluation }
        if let lastSplit, let key = context.targetingKey {
            let known = hash ?? lastSplit.hash(key)
            hash = known
            return lastSplit.evaluation(known)
        }
        let evaluation = flag.evaluate(for: context, at: timestamp)
        if use <= .attributes { lastEvaluation = evaluation }
        return evaluation
    }

    /// Returns the variants that the rule can give a subject, each with its probability.
    mutating func expect(for context: EvaluationContext) -> [(String, Double)] {
        guard use <= .splits else { return flag.expectedVariants(for: context, at: timestamp) }
        forget(unlessFor: context)
        let expectation = lastExpectation ?? flag.expectedVariants(for: context, at: timestamp)
        lastExpectation = expectation
        return expectation
    }

    private mutating func forget(unlessFor context: EvaluationContext) {
        let key: KeyKind = if let key = context.targetingKey { key.isEmpty ? .empty : .some } else { .none }
        if use == .constant, lastKey != nil { return }
        if lastKey == key, lastAttributes == context.attributes { return }
        (lastKey, lastAttributes) = (key, context.attributes)
        (lastEvaluation, lastExpectation) = (nil, nil)
        lastSplit = key == .some && use == .splits ? TrialSplit(of: flag, for: context, at: timestamp) : nil
    }
}

/// A split with constant shares to which the conditions of a rule lead, whatever the targeting key is.
private final class TrialSplit {
    private let fractional: FractionalGeneration
    private let prefix: MurmurHash3
    private let total: UInt32
    /// The running sums of the weights.
    private let ends: [UInt32]
    private let evaluations: [FlagEvaluation]

    /// Finds the split for subjects with the attributes of a context; returns `nil` if something else decides as well.
    init?(of flag: FlagDefinition, for context: EvaluationContext, at timestamp: Int64?) {
        guard flag.isAvailable, flag.prerequisites.isEmpty, let program = flag.program else { return nil }
        let code = program.code
        var evaluator = RuleEvaluator(program: program, context: context)
        evaluator.timestamp = timestamp
        var node = code.parts.nodes[Int(program.root)]
        while node.kind == .branches {
            let conditions = stride(from: 0, to: Int(node.argumentCount) - 1, by: 2).map {
                evaluator.argument($0, of: node)
            }
            guard conditions.allSatisfy({ code.subjectUse($0 ?? program.root) <= .attributes }),
                let branch = try? evaluator.branch(of: node)
            else { return nil }
            node = code.parts.nodes[Int(branch)]
        }
        guard node.kind == .split else { return nil }
        let split = code.parts.splits[Int(node.payload)]
        fractional = code.settings.fractional
        switch split.key {
        case .targetingKey: break
        // The third generation hashes the length first.
        case .flagAndTargetingKey where fractional == .v2: break
        default: return nil
        }
        guard split.total > 0 else { return nil }
        (prefix, total) = (program.splitPrefix, split.total)
        let shares = code.parts.splitShares[split.firstShare..<(split.firstShare + split.shareCount)]
        ends = shares.map(\.end)
        evaluations = shares.compactMap { flag.answers.answer(constant: $0.variant, isSplit: true) }
        guard evaluations.count == ends.count else { return nil }
    }

    func hash(_ targetingKey: String) -> UInt32 { fractional.hash(targetingKey, after: prefix) }

    func evaluation(_ hash: UInt32) -> FlagEvaluation {
        let place = FractionalGeneration.place(of: hash, totalWeight: total)
        return evaluations[ends.firstIndex { place < $0 } ?? ends.count - 1]
    }
}

/// Counts of subjects by the evaluations that they got.
struct EvaluationTally {
    private var known: [(evaluation: FlagEvaluation, count: Int)] = []
    /// The counts by name of evaluations that were made one by one, such as errors.
    private var others: [String: Int] = [:]

    mutating func add(_ evaluation: FlagEvaluation, count: Int = 1) {
        if let place = known.firstIndex(where: { $0.evaluation.isIdentical(to: evaluation) }) {
            known[place].count += count
        } else if known.count < 16 {
            known.append((evaluation, count))
        } else {
            others[RolloutSimulation.name(of: evaluation), default: 0] += count
        }
    }

    /// The counts by the names of the variants.
    var counts: [String: Int] {
        known.reduce(into: others) { $0[RolloutSimulation.name(of: $1.evaluation), default: 0] += $1.count }
    }
}
