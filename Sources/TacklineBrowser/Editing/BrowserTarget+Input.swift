import TacklineCore
import TacklineFormats

extension BrowserTarget {
    /// Returns what somebody entered as the flag's type would write it.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/invalidValue`` and, for JSON, the place.
    func value(of input: FlagsBrowserInput) throws(FlagsBrowserError) -> EncodedFlagValue {
        let value: EncodedFlagValue
        switch input {
        case .value(let given): value = given
        case .text(let text): value = try self.value(of: text)
        }
        do throws(FlagValueError) {
            return try entry.handle.normalized(value)
        } catch {
            // People know what they typed as what they typed, and not as a text without a type.
            if case .unparsed(let text) = error.found, error.path.isEmpty, error.detail == nil {
                throw invalid("expected \(error.expected), found \(text.quoted)")
            }
            throw invalid("\(error)", path: error.path)
        }
    }

    private func value(of text: String) throws(FlagsBrowserError) -> EncodedFlagValue {
        guard text.utf8.count <= FlagsBrowserValue.fullLimit else {
            throw invalid("the text has \(text.utf8.count) bytes, and at most \(FlagsBrowserValue.fullLimit) are taken")
        }
        switch entry.template.control {
        case .text(.plain): return .unparsed(text)
        case .toggle, .integer, .number, .date, .text: return .unparsed(text.withoutOuterBlanks)
        case .choice(let options):
            let wanted = text.withoutOuterBlanks
            let option =
                options.first { $0.value.input == text || $0.value.input == wanted }
                ?? options.first { $0.label == wanted }
            return option?.value.encoded ?? .unparsed(text)
        case .json:
            do throws(FlagJSONError) {
                return try FlagJSONReader(limits: FlagsBrowserValue.jsonLimits).read(text)
            } catch {
                throw invalid(
                    "the JSON has a mistake in \(error)", line: error.line, column: error.column, path: error.path)
            }
        }
    }

    private func invalid(
        _ reason: String, line: Int? = nil, column: Int? = nil, path: [String] = []
    ) -> FlagsBrowserError {
        FlagsBrowserError(
            .invalidValue, "Flag \(quotedKey) was not written: \(reason). Nothing has changed.", flag: id,
            key: key.text, line: line, column: column, path: path)
    }
}

extension String {
    /// The text without blanks and line ends around it.
    fileprivate var withoutOuterBlanks: String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n", "\u{A0}"]
        guard let first = first, let last = last, blanks.contains(first) || blanks.contains(last) else { return self }
        let head = drop { blanks.contains($0) }
        return String(head.prefix(head.count - head.reversed().prefix { blanks.contains($0) }.count))
    }
}
