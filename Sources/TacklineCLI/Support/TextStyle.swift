#if CommandLine
    import Foundation

    /// Whether and how text is set off for people.
    struct TextStyle: Sendable, Hashable {
        /// Whether escape sequences may be used.
        let isColored: Bool

        /// Text as it is.
        static let plain = TextStyle(isColored: false)

        init(isColored: Bool) {
            self.isColored = isColored
        }

        /// The style for an output: plain unless it is a terminal that knows escape sequences and `NO_COLOR` is not set
        /// (https://no-color.org: to anything but the empty text).
        init(for output: CommandOutput) {
            self.init(isTerminal: output.isTerminal, environment: ProcessInfo.processInfo.environment)
        }

        /// The style for an output in an environment.
        init(isTerminal: Bool, environment: [String: String]) {
            isColored = isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        }

        func bold(_ text: String) -> String { styled(text, 1) }
        func dim(_ text: String) -> String { styled(text, 2) }
        func red(_ text: String) -> String { styled(text, 31) }
        func green(_ text: String) -> String { styled(text, 32) }
        func yellow(_ text: String) -> String { styled(text, 33) }
        func cyan(_ text: String) -> String { styled(text, 36) }

        private func styled(_ text: String, _ code: Int) -> String {
            isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
#endif
