public import TacklineCore

/// A layer that lets each subject into at most one of several experiments, so that they do not affect each other.
///
/// ```swift
/// let layer = ExclusionLayer("checkout", ["one_page": 10, "express": 20], fractional: .v2)
/// document["$evaluators"] = ["checkout": layer.evaluator]
/// flag["targeting"] = layer.targeting("one_page", ["fractional": [["on", 50], ["off", 50]]])
/// ```
///
/// 10 % of all subjects are in one experiment, 20 % in the other, and 70 % in none. An experiment that is added at the
/// end takes subjects from those 70 % and moves none of the others. When an experiment is over, replace its name, for
/// example by `"(over)"`, so that the subjects of the experiments after it stay.
///
/// It uses only flagd's format, so every evaluator understands it.
public struct ExclusionLayer: Sendable {
    /// The name of the layer, under which its evaluator must be in the document. It is part of the key that the layer
    /// buckets by, so layers are independent of each other.
    public let name: String
    /// The experiments with their percentages, in order.
    public let experiments: [(name: String, percentage: Double)]
    private let flag: FlagDefinition

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - name: The name of the layer.
    ///   - experiments: The percentage of subjects that each may have, in order, exact to a thousandth of a percent. A
    ///     sum beyond 100 is cut off at the end.
    ///   - attribute: The attribute of the context that identifies a subject, as for ``PercentageRollout``; `nil` for the
    ///     targeting key.
    ///   - fractional: The generation by which the document is read that the evaluator is put into. Another one puts
    ///     other subjects into the experiments, so ``experiment(for:)`` would be wrong.
    public init(
        _ name: String, _ experiments: KeyValuePairs<String, Double>, by attribute: String? = nil,
        fractional: FractionalVersion
    ) {
        self.name = name
        self.experiments = experiments.map { ($0.key, $0.value) }
        let names = Dictionary(experiments.map { ($0.key, EncodedFlagValue.string($0.key)) }) { first, _ in first }
        flag = FlagDefinition(
            key: name, variants: names.merging(["": ""]) { first, _ in first },
            rule: FlagDefinition.rule(Self.shares(self.experiments), by: attribute, salt: .string(name)),
            fractional: fractional)
    }

    private static func shares(_ experiments: [(name: String, percentage: Double)]) -> [EncodedFlagValue] {
        var free: Int128 = 100_000
        var shares: [EncodedFlagValue] = []
        for (name, percentage) in experiments {
            let weight = min(free, percentage > 0 ? Int128((min(percentage, 100) * 1_000).rounded()) : 0)
            free -= weight
            shares.append([.string(name), .integer(weight)])
        }
        return shares + [["", .integer(free)]]
    }

    /// Returns the experiment that a context's subject may be in; `nil` for none.
    public func experiment(for context: EvaluationContext) -> String? {
        guard let name = flag.evaluate(for: context).variant, !name.isEmpty else { return nil }
        return name
    }

    /// The rule to write under ``name`` in the document's `$evaluators`.
    public var evaluator: EncodedFlagValue { flag.targeting ?? .null }

    /// Returns the rule of a flag that splits only the subjects in its experiment; all others get its default variant.
    public func targeting(_ experiment: String, _ rule: EncodedFlagValue) -> EncodedFlagValue {
        ["if": [["==": [["$ref": .string(name)], .string(experiment)]], rule]]
    }
}

/// A part of all subjects that is kept out of all new features, so that their total effect can be measured later.
///
/// ```swift
/// let holdout = Holdout("2027-q1", percentage: 5, fractional: .v2)
/// document["$evaluators"] = ["2027-q1": holdout.evaluator]
/// flag["targeting"] = holdout.targeting(rule)
/// ```
///
/// The same subjects are always held out. They get the default variant of each flag whose rule is wrapped in this way.
/// It uses only flagd's format, so every evaluator understands it.
public struct Holdout: Sendable {
    private let layer: ExclusionLayer

    /// Makes a holdout.
    ///
    /// - Parameters:
    ///   - name: The name of the holdout, under which its evaluator must be in the document.
    ///   - percentage: The percentage of subjects that are held out. A larger one holds out more subjects, and still
    ///     all of the former ones.
    ///   - attribute: The attribute of the context that identifies a subject, as for ``PercentageRollout``; `nil` for the
    ///     targeting key.
    ///   - fractional: The generation by which the document is read that the evaluator is put into. Another one holds
    ///     other subjects out, so ``includes(_:)`` would be wrong.
    public init(
        _ name: String, percentage: Double, by attribute: String? = nil, fractional: FractionalVersion
    ) {
        layer = ExclusionLayer(name, ["held out": percentage], by: attribute, fractional: fractional)
    }

    /// Returns whether the subject of a context is held out.
    public func includes(_ context: EvaluationContext) -> Bool { layer.experiment(for: context) != nil }

    /// The rule to write under the holdout's name in the document's `$evaluators`.
    public var evaluator: EncodedFlagValue { layer.evaluator }

    /// Returns the rule of a flag that applies only to subjects who are not held out.
    public func targeting(_ rule: EncodedFlagValue) -> EncodedFlagValue {
        ["if": [["!": [["==": [["$ref": .string(layer.name)], "held out"]]]], rule]]
    }
}
