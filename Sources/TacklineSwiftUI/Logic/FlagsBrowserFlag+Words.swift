package import TacklineBrowser
import TacklineCore

/// The words of the browser about its flags, in the user's language. `%@` in a text is replaced by a name.
extension FlagsBrowserFlag {
    /// A few words about the flag's unusual state, or `nil` if there is nothing unusual.
    package var mark: String? {
        var words: [String] = []
        if isOverridden { words.append(browserText("overridden")) }
        if isExpired { words.append(browserText("expired")) }
        if isRefused { words.append(browserText("refused value")) }
        if metadata.isLocked { words.append(browserText("locked")) }
        if metadata.isInternal { words.append(browserText("internal")) }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The value as VoiceOver reads it.
    package var spokenValue: String {
        let spoken =
            switch (value.kind, value.input) {
            case (.bool, "true"?): browserText("on")
            case (.bool, _): browserText("off")
            case (.null, _): browserText("no value")
            case (.string, let input?) where input.count <= 80: input
            default: value.text
            }
        return ([spoken] + (mark.map { [$0] } ?? [])).joined(separator: ", ")
    }

    /// The source of the value, for people.
    package var origin: String { source.title }
}

extension FlagSource {
    /// The source's name for people.
    package var title: String {
        switch self {
        case .scope: browserText("current task")
        case .computed: browserText("computed")
        case .provider(let id): id
        case .default: browserText("default")
        }
    }
}

extension FlagsBrowserAnswer {
    /// The provider's answer, for people.
    package var text: String {
        switch outcome {
        case .value: value?.text ?? ""
        case .absent: browserText("no value")
        case .excluded: browserText("not asked")
        case .refused: browserText("refused: %@", refusal ?? "")
        }
    }

    /// The variant, the reason and the error of the answer, for people, or `nil` if it has none.
    package var remark: String? {
        let words = [variant.map { browserText("variant %@", $0) }, reason, errorMessage].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
