package import TacklineFoundation
package import TacklineCore

// Foundation: `Date`.

/// A flag in the browser, with its value and the reason for it.
package struct FlagsBrowserFlag: Sendable, Hashable, Codable, Identifiable {
    /// The section's id and the flag's key, as in `AppFlags:secrets/boom_feature`. It is unique, and remains the same
    /// from launch to launch while the key does.
    package var id: String
    /// The id of the section that contains the flag.
    package var section: String
    /// The id of the nested collection that contains the flag, or `nil` if the root collection contains it directly.
    package var group: String?
    /// The name for people.
    package var name: String
    /// The key that providers are asked for.
    package var key: String
    /// The path of the flag's property in the source code, such as `secrets.boomFeature`.
    package var property: String
    /// The description of the flag; may be empty.
    package var description: String
    /// The name of the flag's type, for people.
    package var type: String
    /// The control that edits the flag.
    package var control: FlagsBrowserControl
    /// The values that the flag's declaration allows, as a phrase such as "a value from 1 to 10"; `nil` if it has no
    /// bounds.
    package var rule: String?
    /// Whether "no value" (`null`) is a value of the flag.
    package var isOptional: Bool
    /// The owner, the expiry date and the other metadata.
    package var metadata: Metadata
    /// The default in the source code.
    package var declaredDefault: FlagsBrowserValue

    /// The value that a read returns.
    package var value: FlagsBrowserValue
    /// The source of that value.
    package var source = FlagSource.default
    /// The reason for the value, as a sentence without a full stop.
    package var reason = ""
    /// The variant that the winning provider served, or `nil` if there is none.
    package var variant: String?
    /// The providers' answers, in the order of the chain.
    package var answers: [FlagsBrowserAnswer] = []
    /// The value that holds for the task that made the snapshot, or `nil` if there is none.
    package var scoped: FlagsBrowserValue?
    /// The flag's computed value, or `nil` if there is none at present.
    package var computed: FlagsBrowserValue?
    /// The default in force.
    package var defaultValue: FlagsBrowserValue

    /// Whether an override layer holds a value for the flag.
    package var isOverridden = false
    /// Whether the value differs from the default in force.
    package var isChangedFromDefault = false
    /// Whether the expiry date has passed.
    package var isExpired = false
    /// The reason why the flag can't be edited, or `nil` if it can.
    package var refusal: FlagsBrowserError?

    /// The metadata of a flag, beyond its name and description.
    package struct Metadata: Sendable, Hashable, Codable {
        /// The person or team responsible for the flag, or `nil` if none is given.
        package var owner: String?
        /// The date by which the flag should be removed from the code, or `nil` if there is none.
        package var expiryDate: Date?
        /// The ticket that added the flag or will remove it: an identifier or a URL.
        package var ticket: String?
        /// Words by which a search finds the flag.
        package var tags: [String]
        /// Whether the flag, or a collection around it, is only for its developers.
        package var isInternal: Bool
        /// Whether the flag, or a collection around it, can't be edited.
        package var isLocked: Bool
        /// Whether the flag's values are kept out of messages and of what is printed (`FlagMetadata.isSecret`).
        package var isSecret: Bool
    }
}

extension FlagsBrowserFlag {
    /// Whether the flag can be edited.
    package var isEditable: Bool { refusal == nil }

    /// Whether a provider holds a value that the flag's type refuses.
    package var isRefused: Bool { answers.contains { $0.outcome == .refused } }

    /// Whether the launch guard holds back a value that can be released.
    package var canBeReleased: Bool { isEditable && answers.contains { $0.isHeldBack == true } }

    /// Returns the answer of a provider, or `nil` if the chain has no provider with this id.
    package func answer(of provider: String) -> FlagsBrowserAnswer? { answers.first { $0.provider == provider } }
}

/// The answer of one provider for one flag.
package struct FlagsBrowserAnswer: Sendable, Hashable, Codable {
    /// The kind of answer.
    package enum Outcome: String, Sendable, Hashable, Codable {
        /// The provider holds a value that the flag's type accepts.
        case value
        /// The provider holds no value.
        case absent
        /// The provider was not asked, because the flag excludes it or because it is inactive in the present mode.
        case excluded
        /// The provider holds a value that the flag's type refuses.
        case refused
    }

    /// The provider's id in the chain.
    package var provider: String
    /// The kind of answer.
    package var outcome = Outcome.absent
    /// The provider's value, usable or not, or `nil` if it holds none or was not asked.
    package var value: FlagsBrowserValue?
    /// The time at which the value expires, or `nil` if it never does or there is no value.
    package var expires: Date?
    /// The reason why the flag's type refuses the value, or `nil` if it doesn't.
    package var refusal: String?
    /// `true` if the launch guard holds the value back, so that it can be released; otherwise `nil`.
    package var isHeldBack: Bool?
    /// The variant that the provider served, or `nil` if there is none.
    package var variant: String?
    /// The reason for the answer in the terms of OpenFeature, such as `TARGETING_MATCH`, or `nil` if the provider gives
    /// none.
    package var reason: String?
    /// A description of an error in the provider and of what to do about it, or `nil` if there was none.
    package var errorMessage: String?
}

// MARK: Taking an explanation

extension FlagsBrowserFlag {
    /// Updates the values, their source and the reason from an explanation.
    ///
    /// - Parameter expiries: The expiry dates of values, by the id of their provider and the text of their key.
    mutating func take(_ explanation: FlagExplanation, overrideLayers: Set<String>, expiries: [String: [String: Date]])
    {
        func shown(_ value: EncodedFlagValue) -> FlagsBrowserValue {
            FlagsBrowserValue(value, isSecret: metadata.isSecret)
        }
        func unpinned(_ source: FlagSource) -> FlagsBrowserValue? {
            explanation.steps.first { $0.source == source && $0.pinnedSince == nil }?.value.map(shown)
        }
        value = shown(explanation.value)
        source = explanation.source
        reason = explanation.reason
        variant = explanation.evaluation?.variant
        answers = explanation.steps.compactMap { FlagsBrowserAnswer($0, isSecret: metadata.isSecret) }
        for index in answers.indices where answers[index].value != nil {
            answers[index].expires = expiries[answers[index].provider]?[key]
        }
        scoped = unpinned(.scope)
        computed = unpinned(.computed)
        defaultValue = shown(explanation.defaultValue)
        if source == .default {
            // Only a value that a provider has can be called unusable.
            reason = "the default: " + (isRefused ? reason : reason.replacing("usable value", with: "value"))
        }
        isChangedFromDefault = explanation.value != explanation.defaultValue
        isOverridden = answers.contains { $0.value != nil && overrideLayers.contains($0.provider) }
    }
}

extension FlagsBrowserAnswer {
    /// Creates the answer of a provider; `nil` if the step is not that of a provider.
    fileprivate init?(_ step: FlagExplanation.Step, isSecret: Bool) {
        guard let provider = step.provider else { return nil }
        self.init(provider: provider)
        if step.isExcluded {
            outcome = .excluded
        } else if let error = step.refusal {
            outcome = .refused
            value = error.found.map { FlagsBrowserValue($0, isSecret: isSecret) }
            refusal = error.description
            isHeldBack = error.isHeldBack ? true : nil
        } else if let held = step.value {
            outcome = .value
            value = FlagsBrowserValue(held, isSecret: isSecret)
        }
        guard let evaluation = step.evaluation else { return }
        variant = evaluation.variant
        reason = evaluation.reason?.rawValue
        // It may quote the value.
        errorMessage = isSecret ? nil : evaluation.errorMessage
    }
}
