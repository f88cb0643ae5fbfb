public import TacklineCore

/// Lets each subject into at most one of several experiments, so that they do not disturb each other.
///
/// ```swift
/// let layer = ExclusionLayer("checkout", ["one_page": 10, "express": 20])
/// document["$evaluators"] = ["checkout": layer.evaluator]
/// flag["targeting"] = layer.targeting("one_page", ["fractional": [["on", 50], ["off", 50]]])
/// ```
///
/// 10 % of all subjects are in one experiment, 20 % in the other, and 70 % in none. What is added at the end takes from those,
/// and moves nobody in the others. In place of one that is over write another name, `"(over)"`, so that those behind it stay
/// where they are.
///
/// Nothing but flagd's format: every evaluator understands it.
public struct ExclusionLayer: Sendable {
    /// Names the layer: under this name its evaluator has to stand in the document. It is part of what is bucketed by, so
    /// layers are independent of each other.
    public let name: String
    /// The experiments with their percentages, in order.
    public let experiments: [(name: String, percentage: Double)]
    private let subject: RolloutSubject
    private let flag: FlagDefinition

    /// Makes a layer.
    ///
    /// - Parameters:
    ///   - name: Names the layer.
    ///   - experiments: How many of a hundred subjects each may have, in order, exact to a thousandth of a percent. What
    ///     exceeds 100 together is cut off at the end.
    ///   - subject: What stays the same for the same subject.
    ///   - fractional: The generation of `fractional`, for ``experiment(for:)``.
    public init(
        _ name: String, _ experiments: KeyValuePairs<String, Double>, by subject: RolloutSubject = .targetingKey,
        fractional: FractionalGeneration = .v2
    ) {
        self.name = name
        self.experiments = experiments.map { ($0.key, $0.value) }
        self.subject = subject
        let names = Dictionary(experiments.map { ($0.key, EncodedFlagValue.string($0.key)) }) { first, _ in first }
        flag = FlagDefinition(
            key: name, variants: names.merging(["": ""]) { first, _ in first },
            rule: subject.rule(
                Self.shares(experiments.map { ($0.key, $0.value) }), salt: .string(name)), fractional: fractional)
    }

    private static func shares(_ experiments: [(String, Double)]) -> [EncodedFlagValue] {
        var free: Int128 = 100_000
        var shares: [EncodedFlagValue] = []
        for (name, percentage) in experiments {
            let weight = min(free, percentage > 0 ? Int128((min(percentage, 100) * 1_000).rounded()) : 0)
            free -= weight
            shares.append([.string(name), .integer(weight)])
        }
        return shares + [["", .integer(free)]]
    }

    /// The experiment that a context's subject may be in; `nil` for none.
    public func experiment(for context: EvaluationContext) -> String? {
        guard let name = flag.evaluate(for: context).variant, !name.isEmpty else { return nil }
        return name
    }

    /// The rule to write under ``name`` in the document's `$evaluators`.
    public var evaluator: EncodedFlagValue { flag.targeting ?? .null }

    /// The rule of a flag that splits only those who are in its experiment; all others get its default variant.
    public func targeting(_ experiment: String, _ rule: EncodedFlagValue) -> EncodedFlagValue {
        ["if": [["==": [["$ref": .string(name)], .string(experiment)]], rule]]
    }
}

/// Keeps a part of all subjects out of everything new, to measure later what all of it together has done.
///
/// ```swift
/// let holdout = Holdout("2027-q1", percentage: 5)
/// document["$evaluators"] = ["2027-q1": holdout.evaluator]
/// flag["targeting"] = holdout.targeting(rule)
/// ```
///
/// Whoever is held out gets the default variant of each flag that is wrapped so, always the same subjects. Nothing but flagd's
/// format: every evaluator understands it.
public struct Holdout: Sendable {
    private let layer: ExclusionLayer

    /// Makes a holdout.
    ///
    /// - Parameters:
    ///   - name: Names it: under this name its evaluator has to stand in the document.
    ///   - percentage: How many of a hundred subjects are held out. A larger one holds out more, and lets nobody back in.
    ///   - subject: What stays the same for the same subject.
    ///   - fractional: The generation of `fractional`, for ``includes(_:)``.
    public init(
        _ name: String, percentage: Double, by subject: RolloutSubject = .targetingKey,
        fractional: FractionalGeneration = .v2
    ) {
        layer = ExclusionLayer(name, ["held out": percentage], by: subject, fractional: fractional)
    }

    /// Whether the subject of a context is held out.
    public func includes(_ context: EvaluationContext) -> Bool { layer.experiment(for: context) != nil }

    /// The rule to write under the holdout's name in the document's `$evaluators`.
    public var evaluator: EncodedFlagValue { layer.evaluator }

    /// The rule of a flag that those who are held out do not get.
    public func targeting(_ rule: EncodedFlagValue) -> EncodedFlagValue {
        ["if": [["!": [["==": [["$ref": .string(layer.name)], "held out"]]]], rule]]
    }
}
