public import TacklineCore

extension FlagError.Code {
    /// A flag of a document of definitions is wrong, so it has no value, or none if its rule leads to the mistake.
    public static let invalidDefinition = FlagError.Code("invalid-definition")
    /// The evaluation of a flag failed: its rule names no variant or reached a limit, so it has no value; a split had
    /// nothing to bucket by; or the variant of a sticky flag could not be kept.
    public static let failedEvaluation = FlagError.Code("failed-evaluation")
    /// Something in a context cannot be used, such as a targeting key that is a number.
    public static let invalidContext = FlagError.Code("invalid-context")
    /// Exposures were dropped, because too many were waiting to be taken.
    public static let undeliveredExposures = FlagError.Code("undelivered-exposures")
    /// The identifier of this installation can be neither read nor made, or its file was damaged and has a new one.
    public static let lostInstallationID = FlagError.Code("lost-installation-id")
}

extension FlagError {
    static func droppedExposures(capacity: Int) -> FlagError {
        FlagError(
            .undeliveredExposures,
            """
            Exposures are dropped, because \(capacity) wait to be taken; droppedCount has their number. Take them from \
            the stream sooner, or raise the recorder's capacity.
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
        return FlagError(
            .invalidDefinition,
            """
            Provider "\(provider)" has no value for \(subject)\(place), whose definition is wrong at \(problem.place): \
            \(problem.message)\(problem.message.last == "?" ? "" : ".") The next provider is asked instead. \
            Correct the definition.
            """,
            key: problem.flagKey.map { FlagKeyPath($0) }, provider: provider)
    }

    static func failedEvaluation(_ evaluation: FlagEvaluation, of key: String, provider: String) -> FlagError {
        let what = evaluation.errorMessage ?? "Flag \(key.quoted) failed."
        return FlagError(
            .failedEvaluation,
            evaluation.errorCode == nil
                ? "Provider \"\(provider)\" gives what the rest of the rule does. \(what)"
                : "Provider \"\(provider)\" has no value here. \(what) The next provider is asked instead.",
            key: FlagKeyPath(key), provider: provider)
    }
}
