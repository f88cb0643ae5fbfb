public import TacklineCore

extension FlagEvaluation {
    /// Variant, reason, metadata and error in the form in which a flag's resolution and explanation show them.
    public var details: FlagResolutionDetails {
        FlagResolutionDetails(
            variant: variant, reason: reason, metadata: metadata, errorCode: errorCode, errorMessage: message)
    }
}
