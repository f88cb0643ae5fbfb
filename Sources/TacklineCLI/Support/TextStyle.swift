#if CommandLine
    import Foundation

    /// The style of text for people: with colors or plain.
    struct TextStyle: Sendable, Hashable {
        /// Whether escape sequences may be used.
        let isColored: Bool

        /// The style without escape sequences.
        static let plain = TextStyle(isTerminal: false, environment: [:])

        /// Creates the style for an output: plain unless it is a terminal that understands escape sequences and
        /// `NO_COLOR` is unset or empty (https://no-color.org).
        init(for output: CommandOutput) {
            self.init(isTerminal: output.isTerminal, environment: ProcessInfo.processInfo.environment)
        }

        /// Creates the style for an output and an environment.
        init(isTerminal: Bool, environment: [String: String]) {
            isColored = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        }

        func bold(_ text: String) -> String { styled(text, 1) }
        func red(_ text: String) -> String { styled(text, 31) }
        func green(_ text: String) -> String { styled(text, 32) }
        func yellow(_ text: String) -> String { styled(text, 33) }
        func cyan(_ text: String) -> String { styled(text, 36) }

        private func styled(_ text: String, _ code: Int) -> String {
            isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
#endif
