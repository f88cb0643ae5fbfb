public import TacklineCore

extension FlagIssue.Code {
    /// A flag of a document of definitions is wrong, so it has no value, or none where its rule leads to the mistake. If only a
    /// split has nothing to bucket by, it gives its default variant.
    public static let invalidDefinition = FlagIssue.Code("invalid-definition")
    /// The evaluation of a flag went wrong: its rule names no variant or reached a limit, so it has no value; a split had
    /// nothing to bucket by; or the variant of a sticky flag could not be kept.
    public static let failedEvaluation = FlagIssue.Code("failed-evaluation")
    /// Something in a context cannot be used, such as a targeting key that is a number.
    public static let invalidContext = FlagIssue.Code("invalid-context")
}

extension FlagIssue {
    static func invalidContext(_ what: String, value: EncodedFlagValue? = nil) -> FlagIssue {
        FlagIssue(.invalidContext, message: "An evaluation context cannot be used as it is: \(what).", value: value)
    }

    /// What is wrong with a value under the name `targetingKey`; `nil` for a text and for null.
    static func refusedTargetingKey(_ value: EncodedFlagValue) -> FlagIssue? {
        switch value {
        case .null, .string, .unparsed: return nil
        default:
            let advice = "make a text of it, as in String(account.id), which rollouts can go by"
            return .invalidContext("its targetingKey is \(value.kind), \(value); \(advice)", value: value)
        }
    }

    /// - Parameter isPartial: Whether the flag answers all the same, for whomever its rule gives something else.
    static func invalidDefinition(
        _ problem: FlagDefinitionProblem, isPartial: Bool, provider: String
    ) -> FlagIssue {
        let subject = problem.flagKey.map { "flag \"\($0)\"" } ?? "a flag without a key"
        let place = isPartial ? " where its rule leads there" : ""
        let (consequence, advice) =
            problem.leavesDefault
            ? ("gives the default variant for", "")
            : ("has no value for", " The next provider is asked instead.")
        return FlagIssue(
            .invalidDefinition,
            message: """
                Provider "\(provider)" \(consequence) \(subject)\(place), whose definition is wrong at \(problem.place): \
                \(problem.message)\(problem.message.last == "?" ? "" : ".")\(advice)
                """,
            key: problem.flagKey.map { FlagKeyPath($0) }, provider: provider)
    }

    static func failedEvaluation(_ evaluation: FlagEvaluation, provider: String) -> FlagIssue {
        let what = evaluation.message ?? "Flag \"\(evaluation.flagKey)\" failed."
        return FlagIssue(
            .failedEvaluation,
            message: evaluation.outcome == .error
                ? "Provider \"\(provider)\" has no value here. \(what) The next provider is asked instead."
                : "Provider \"\(provider)\" gives \(evaluation.reason == .default ? "the default variant" : "what the rest of the rule does"). \(what)",
            key: FlagKeyPath(evaluation.flagKey), provider: provider)
    }
}

extension FlagEvaluation {
    /// Whether somebody should be told of the evaluation.
    var needsReport: Bool { outcome == .error || message != nil && errorCode == nil }
}
