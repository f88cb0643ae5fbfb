#if CommandLine
    import TacklineCore
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

        /// The finding for programs.
        var encoded: EncodedFlagValue {
            var members: [String: EncodedFlagValue] = [
                "severity": .string(severity.rawValue), "path": .string(path), "message": .string(message),
            ]
            members["line"] = position.map { .count($0.line) }
            members["column"] = position.map { .count($0.column) }
            members["key"] = key.map { .string($0) }
            return .object(members)
        }
    }

    /// The findings at places in a document whose lines are not yet known.
    struct FindingMarks {
        /// The number of findings of one file that are kept.
        static let limit = 1_000

        private var marks: [(severity: Finding.Severity, path: [String], key: String?, message: String)] = []

        /// Adds a finding.
        ///
        /// - Parameter path: The names and positions that lead to the place from the root.
        mutating func add(_ severity: Finding.Severity, _ path: [String], _ key: String?, _ message: String) {
            marks.append((severity, path, key, message))
        }

        /// Returns the first ``limit`` findings in the order of the file, and one that counts the others.
        func findings(in file: FlagFile) -> [Finding] {
            let shown = marks.prefix(Self.limit)
            var findings = zip(shown, file.locate(shown.map(\.path))).map { mark, position in
                Finding(
                    severity: mark.severity, path: file.path, position: position, key: mark.key, message: mark.message)
            }
            findings.sort {
                ($0.position ?? .start, $0.severity.rawValue, $0.message)
                    < ($1.position ?? .start, $1.severity.rawValue, $1.message)
            }
            if marks.count > Self.limit {
                let message = "\(marks.count - Self.limit) more findings are not shown; correct these first"
                findings.append(Finding(severity: .error, path: file.path, message: message))
            }
            return findings
        }
    }
#endif
