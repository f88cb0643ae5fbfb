#if CommandLine
    import TacklineCore
    import TacklineTerminal
    import TacklineTargeting

    /// Something that a check found.
    struct Finding: Hashable {
        /// How much it matters. Notes let a check pass, and warnings do unless the check is strict.
        enum Severity: String {
            case error, warning, note
        }

        let severity: Severity
        /// The file, as it was given.
        let path: String
        /// Where in the file; `nil` where that cannot be said.
        var position: TextPosition?
        /// The flag's key; `nil` if it is not about one flag.
        var key: String?
        /// What sort of finding it is, where its command knows several.
        var rule: String?
        /// What is wrong, and after a semicolon what to do about it.
        let message: String

        /// The form that compilers use and editors understand.
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
