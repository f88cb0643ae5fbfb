public import TacklineCore

extension FlagIssue.Code {
    /// A flag of a document of definitions is wrong, so it has no value.
    public static let invalidDefinition = FlagIssue.Code("invalid-definition")
    /// A flag of a document could not be evaluated, so it has no value: its rule names no variant, or reached a limit.
    public static let failedEvaluation = FlagIssue.Code("failed-evaluation")
}

extension FlagIssue {
    static func invalidDefinition(_ problem: FlagDefinitionProblem, provider: String) -> FlagIssue {
        let subject = problem.flagKey.map { "flag \"\($0)\"" } ?? "a flag without a key"
        return FlagIssue(
            .invalidDefinition,
            message: """
                Provider "\(provider)" has no value for \(subject), whose definition is wrong at \(problem.path): \
                \(problem.message). The next provider is asked instead.
                """,
            key: problem.flagKey.map { FlagKeyPath($0) }, provider: provider)
    }

    static func failedEvaluation(_ evaluation: FlagEvaluation, provider: String) -> FlagIssue {
        FlagIssue(
            .failedEvaluation,
            message: """
                Provider "\(provider)" has no value here. \(evaluation.message ?? "Flag \"\(evaluation.flagKey)\" failed.") \
                The next provider is asked instead.
                """,
            key: FlagKeyPath(evaluation.flagKey), provider: provider)
    }
}
