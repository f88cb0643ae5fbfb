package import TacklineCore

extension BrowserTarget {
    /// Returns the input as the flag's type would encode it.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/invalidValue`` and, for JSON, the position of the
    ///   mistake.
    func value(of input: FlagsBrowserInput) throws(FlagsBrowserError) -> EncodedFlagValue {
        let value: EncodedFlagValue
        switch input {
        case .value(let given): value = given
        case .text(let text): value = try self.value(of: text)
        }
        do throws(FlagValueError) {
            return try entry.handle.normalized(value)
        } catch {
            let error = error.withoutValue(if: isSecret)
            throw invalid(error.reason(for: entry.template.control), path: error.path)
        }
    }

    private func value(of text: String) throws(FlagsBrowserError) -> EncodedFlagValue {
        guard text.utf8.count <= FlagsBrowserValue.fullLimit else {
            throw invalid("the text is longer than \(FlagsBrowserValue.fullLimit >> 20) MiB")
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
                let mistake = isSecret ? "line \(error.line), column \(error.column)" : "\(error)"
                throw invalid(
                    "the JSON has a mistake in \(mistake)", line: error.line, column: error.column, path: error.path)
            }
        }
    }

    private func invalid(
        _ reason: String, line: Int? = nil, column: Int? = nil, path: [String] = []
    ) -> FlagsBrowserError {
        var error = invalid(.invalidValue, reason)
        (error.line, error.column, error.path) = (line, column, path)
        return error
    }
}

extension FlagValueError {
    /// Returns the reason why the input of a control can't be used, as a sentence without a full stop.
    package func reason(for control: FlagsBrowserControl) -> String {
        // A message about a typed text shows the text itself, without calling it an unparsed value.
        guard case .unparsed(let text) = found, path.isEmpty, detail == nil else { return "\(self)" }
        if case .number = control, Double(text) == nil {
            return "\(text.quoted) is not a number; enter one such as 0.5, with a point"
        }
        return "expected \(expected), found \(text.quoted)"
    }
}

extension String {
    /// The text without leading and trailing blanks and line ends.
    fileprivate var withoutOuterBlanks: String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n", "\u{A0}"]
        guard let first = first, let last = last, blanks.contains(first) || blanks.contains(last) else { return self }
        let head = drop { blanks.contains($0) }
        return String(head.prefix(head.count - head.reversed().prefix { blanks.contains($0) }.count))
    }
}
