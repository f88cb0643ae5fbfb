import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which a value ends.

extension FlagsBrowserFlag {
    /// Updates the values, their source and the reason from an explanation.
    ///
    /// - Parameter limit: The length up to which values are given in full.
    mutating func take(_ explanation: FlagExplanation, overrideLayers: Set<String>, limit: Int) {
        let isSecret = metadata.isSecret
        value = FlagsBrowserValue(explanation.value, limit: limit, isSecret: isSecret)
        source = explanation.source
        reason = explanation.reason
        variant = explanation.evaluation?.variant
        answers = explanation.steps.compactMap { FlagsBrowserAnswer($0, limit: limit, isSecret: isSecret) }
        func shown(_ source: FlagSource) -> FlagsBrowserValue? {
            explanation.unpinnedValue(from: source).map { FlagsBrowserValue($0, limit: limit, isSecret: isSecret) }
        }
        scoped = shown(.scope)
        computed = shown(.computed)
        defaultValue = FlagsBrowserValue(explanation.defaultValue, limit: limit, isSecret: isSecret)
        if source == .default {
            // Only a value that a provider has can be called unusable.
            // Most flags have this reason, and replacing takes time.
            if !isRefused {
                reason =
                    reason == "no provider has a usable value"
                    ? "no provider has a value" : reason.replacing("usable value", with: "value")
            }
            reason = "the default: \(reason)"
        }
        isChangedFromDefault = explanation.value != explanation.defaultValue
        isOverridden = answers.contains { $0.holdsValue && overrideLayers.contains($0.provider) }
    }

    /// Updates the expiry dates of values from a dictionary by the id of their provider and the text of their key.
    mutating func take(expiries: [String: [String: Date]]) {
        for index in answers.indices {
            let end = answers[index].holdsValue ? expiries[answers[index].provider]?[key] : nil
            if answers[index].expires != end { answers[index].expires = end }
        }
    }
}

extension FlagExplanation {
    /// Returns the value of the step from a source, or `nil` if there is no such step or it has no value. Pinned values
    /// are left out.
    fileprivate func unpinnedValue(from source: FlagSource) -> EncodedFlagValue? {
        steps.first { $0.source == source && $0.pinnedSince == nil }?.value
    }
}

extension FlagsBrowserAnswer {
    /// Creates the answer of a provider; `nil` if the step is not that of a provider.
    fileprivate init?(_ step: FlagExplanation.Step, limit: Int, isSecret: Bool) {
        guard let provider = step.provider else { return nil }
        self.init(provider: provider, outcome: .absent)
        if step.isExcluded {
            outcome = .excluded
        } else if let error = step.refusal {
            outcome = .refused
            value = FlagsBrowserValue(error.found, limit: limit, isSecret: isSecret)
            refusal = error.description
            if error.isHeldBack { isHeldBack = true }
        } else if let held = step.value {
            outcome = .value
            value = FlagsBrowserValue(held, limit: limit, isSecret: isSecret)
        }
        guard let evaluation = step.evaluation else { return }
        variant = evaluation.variant
        reason = evaluation.reason?.rawValue
        // It may quote the value.
        errorMessage = isSecret ? nil : evaluation.errorMessage
        guard !evaluation.metadata.isEmpty else { return }
        metadata = evaluation.metadata.mapValues { FlagsBrowserValue($0, limit: limit) }
    }
}
