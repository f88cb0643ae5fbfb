package import TacklineBrowser
import TacklineCore

extension FlagsBrowserFlag {
    /// What is unusual about the flag, in a few words; `nil` if nothing is.
    package var mark: String? {
        var words: [String] = []
        if isOverridden { words.append("overridden") }
        if isExpired { words.append("expired") }
        if metadata.isLocked { words.append("locked") }
        if answers.contains(where: { $0.outcome == .refused }) { words.append("a value is refused") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The value as it is read aloud.
    package var spokenValue: String {
        let spoken =
            switch (value.kind, value.input) {
            case (.bool, "true"?): "on"
            case (.bool, _): "off"
            case (.null, _): "no value"
            case (.string, let input?) where input.count <= 80: input
            default: value.text
            }
        return ([spoken] + (mark.map { [$0] } ?? [])).joined(separator: ", ")
    }

    /// Where the value comes from, for people.
    package var origin: String {
        switch source {
        case .scope: "the current task"
        case .computed: "the flag itself, which computes it"
        case .provider(let id): id
        case .default: "the default"
        }
    }
}

extension FlagsBrowserAnswer {
    /// What the provider answered, for people.
    package var text: String {
        switch outcome {
        case .value: value?.text ?? ""
        case .absent: "no value"
        case .excluded: "not asked"
        case .refused: "refused: \(refusal ?? "")"
        }
    }

    /// What it says about that, for people; `nil` if it says nothing.
    package var remark: String? {
        let words = [variant.map { "variant \($0)" }, reason, errorMessage].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension FlagsBrowserControl.Kind {
    /// The kind's name in a menu.
    package var title: String {
        switch self {
        case .toggle: "Switches"
        case .integer: "Integers"
        case .number: "Numbers"
        case .text: "Texts"
        case .choice: "Choices"
        case .date: "Dates"
        case .json: "JSON"
        }
    }
}
