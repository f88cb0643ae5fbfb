public import TacklineCore

extension FlagError.Code {
    /// A flag of a document of definitions is wrong, so it has no value, or none if its rule leads to the mistake. If
    /// only a split has nothing to bucket by, the flag gives its default variant.
    public static let invalidDefinition = FlagError.Code("invalid-definition")
    /// The evaluation of a flag failed: its rule names no variant or reached a limit, so it has no value; a split had
    /// nothing to bucket by; or the variant of a sticky flag could not be kept.
    public static let failedEvaluation = FlagError.Code("failed-evaluation")
    /// Something in a context cannot be used, such as a targeting key that is a number.
    public static let invalidContext = FlagError.Code("invalid-context")
    /// An observer of exposures refused some, or exposures were dropped because too many were waiting for it.
    public static let undeliveredExposures = FlagError.Code("undelivered-exposures")
    /// The identifier of this installation can be neither read nor made, or its file was damaged and has a new one.
    public static let lostInstallationID = FlagError.Code("lost-installation-id")
}

extension FlagError {
    static func refusedExposures(_ count: Int, _ error: any Error) -> FlagError {
        FlagError(
            .undeliveredExposures,
            """
            The observer of exposures threw: \(error). It gets the \(count == 1 ? "exposure" : "\(count) exposures") \
            again later. Correct the observer.
            """)
    }

    static func droppedExposures(_ count: Int, _ reason: String) -> FlagError {
        FlagError(
            .undeliveredExposures,
            """
            \(count) exposure\(count == 1 ? " was" : "s were") dropped, because \(reason). Make room for more \
            (maximumWaitingBytes), or correct the observer if it throws or takes too long.
            """)
    }

    static func damagedInstallationFile(_ path: String) -> FlagError {
        FlagError(
            .lostInstallationID,
            """
            The file with the identifier of this installation was damaged, so the installation has a new one, and \
            rollouts may place it elsewhere. Let nothing else write to \(path).
            """)
    }

    static func unavailableInstallationFile(_ reason: String) -> FlagError {
        FlagError(
            .lostInstallationID,
            """
            This installation has no identifier, so rollouts that go by it leave it out: \(reason). Choose a folder \
            that this process may write to, with .persistent(in:).
            """)
    }

    static func invalidContext(_ what: String, value: EncodedFlagValue? = nil) -> FlagError {
        FlagError(.invalidContext, "An evaluation context cannot be used as it is: \(what).", value: value)
    }

    /// Returns an issue for a value under the name `targetingKey`; `nil` for a text and for null.
    static func refusedTargetingKey(_ value: EncodedFlagValue) -> FlagError? {
        switch value {
        case .null, .string, .unparsed: return nil
        default:
            let advice = "make a text of it, as in String(account.id), which rollouts can go by"
            return .invalidContext("its targetingKey is \(value.kind), \(value); \(advice)", value: value)
        }
    }

    /// - Parameter isPartial: Whether the flag still answers for subjects to whom its rule gives another variant.
    static func invalidDefinition(
        _ problem: FlagDefinitionProblem, isPartial: Bool, provider: String
    ) -> FlagError {
        let subject = problem.flagKey.map { "flag \"\($0)\"" } ?? "a flag without a key"
        let place = isPartial ? " where its rule leads there" : ""
        let (consequence, advice) =
            problem.leavesDefault
            ? ("gives the default variant for", "")
            : ("has no value for", " The next provider is asked instead.")
        return FlagError(
            .invalidDefinition,
            """
            Provider "\(provider)" \(consequence) \(subject)\(place), whose definition is wrong at \(problem.place): \
            \(problem.message)\(problem.message.last == "?" ? "" : ".")\(advice)
            """,
            key: problem.flagKey.map { FlagKeyPath($0) }, provider: provider)
    }

    static func failedEvaluation(_ evaluation: EvaluatedFlag, provider: String) -> FlagError {
        let what = evaluation.message ?? "Flag \"\(evaluation.flagKey)\" failed."
        return FlagError(
            .failedEvaluation,
            evaluation.errorCode != nil
                ? "Provider \"\(provider)\" has no value here. \(what) The next provider is asked instead."
                : "Provider \"\(provider)\" gives \(evaluation.reason == .default ? "the default variant" : "what the rest of the rule does"). \(what)",
            key: FlagKeyPath(evaluation.flagKey), provider: provider)
    }
}
