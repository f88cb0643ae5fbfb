package import TacklineBrowser
import TacklineCore

extension FlagsBrowserFlag {
    /// A few words about the flag's unusual state, or `nil` if there is nothing unusual.
    package var mark: String? {
        let words = ((isOverridden ? [.isOverridden] : []) + marks).map(\.rawValue)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The value as VoiceOver reads it.
    package var spokenValue: String {
        let spoken =
            switch (value.kind, value.input) {
            case (.bool, "true"?): "on"
            case (.bool, _): "off"
            case (.null, _): FlagsBrowserText.noValue.rawValue
            case (.string, let input?) where input.count <= 80: input
            default: value.text
            }
        return ([spoken] + (mark.map { [$0] } ?? [])).joined(separator: ", ")
    }

    /// The source of the value, for people.
    package var origin: String {
        source.title
    }
}

extension FlagsBrowserAnswer {
    /// The provider's answer, for people.
    package var text: String {
        switch outcome {
        case .value: value?.text ?? ""
        case .absent: FlagsBrowserText.noValue.rawValue
        case .excluded: FlagsBrowserText.notAsked.rawValue
        case .refused: "refused: \(refusal ?? "")"
        }
    }

    /// The variant, the reason and the error of the answer, for people, or `nil` if it has none.
    package var remark: String? {
        let words = [variant.map { "variant \($0)" }, reason, errorMessage].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
