import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which a value ends.

extension FlagsBrowserFlag {
    /// Takes over what a flag's providers say at present.
    ///
    /// - Parameter limit: The length up to which values are given in full.
    mutating func take(_ explanation: FlagExplanation, overrideLayers: Set<String>, limit: Int) {
        value = FlagsBrowserValue(explanation.value, limit: limit)
        source = explanation.source
        reason = explanation.reason
        variant = explanation.details?.variant
        answers = explanation.answers.map { FlagsBrowserAnswer($0, limit: limit) }
        scoped = explanation.scoped.map { FlagsBrowserValue($0, limit: limit) }
        computed = explanation.computed.map { FlagsBrowserValue($0, limit: limit) }
        defaultValue = FlagsBrowserValue(explanation.defaultValue, limit: limit)
        isChangedFromDefault = explanation.value != explanation.defaultValue
        isOverridden = answers.contains { $0.holdsValue && overrideLayers.contains($0.provider) }
    }

    /// Takes over when values end, by the id of their provider and the text of their key.
    mutating func take(expiries: [String: [String: Date]]) {
        for index in answers.indices {
            let end = answers[index].holdsValue ? expiries[answers[index].provider]?[key] : nil
            if answers[index].expires != end { answers[index].expires = end }
        }
    }
}

extension FlagsBrowserAnswer {
    fileprivate init(_ answer: FlagExplanation.Answer, limit: Int) {
        self.init(provider: answer.provider, outcome: .absent)
        switch answer.outcome {
        case .value(let value):
            outcome = .value
            self.value = FlagsBrowserValue(value, limit: limit)
        case .absent: break
        case .excluded: outcome = .excluded
        case .mismatch(let error):
            outcome = .refused
            value = FlagsBrowserValue(error.found, limit: limit)
            refusal = error.description
        }
        guard let details = answer.details else { return }
        variant = details.variant
        reason = details.reason.rawValue
        errorMessage = details.errorMessage
        guard !details.metadata.isEmpty else { return }
        metadata = details.metadata.mapValues { FlagsBrowserValue($0, limit: limit) }
    }
}
