#if CommandLine
    import TacklineCore
    import TacklineTerminal
    import TacklineTargeting

    /// A problem or a remark that a check found.
    struct Finding: Hashable {
        /// The importance of a finding. Notes let a check pass; warnings do so unless the check is strict.
        enum Severity: String {
            case error, warning, note
        }

        let severity: Severity
        /// The path of the file as the user wrote it.
        let path: String
        /// The place in the file; `nil` if it is not known.
        var position: TextPosition?
        /// The flag's key; `nil` if the finding is not about one flag.
        var key: String?
        /// The rule that found it; `nil` if the command has only one.
        var rule: String?
        /// The problem and, after a semicolon, the remedy.
        let message: String

        /// Returns the line in the form of compiler messages, which editors understand.
        func line(_ style: TextStyle = .plain) -> String {
            let place = position.map { ":\($0.line):\($0.column)" } ?? ""
            let word =
                switch severity {
                case .error: style.red("error")
                case .warning: style.yellow("warning")
                case .note: style.cyan("note")
                }
            return "\(style.bold("\(SafeText.line(path))\(place):")) \(word): \(SafeText.line(message, limit: .max))"
        }

        var json: EncodedFlagValue {
            var members: [String: EncodedFlagValue] = [
                "severity": .string(severity.rawValue), "path": .string(path), "message": .string(message),
            ]
            if let position {
                members["line"] = .integer(Int128(position.line))
                members["column"] = .integer(Int128(position.column))
            }
            if let key { members["key"] = .string(key) }
            return .object(members)
        }
    }
#endif
