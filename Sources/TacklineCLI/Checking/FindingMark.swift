#if CommandLine
    import TacklineTargeting

    /// Something found at a place in a document, before its line is known.
    struct FindingMark {
        let severity: Finding.Severity
        /// The members and elements that lead there.
        let path: [String]
        /// The flag's key.
        let key: String?
        let message: String

        /// How many findings of one file are kept; more would tell nothing new.
        static let limit = 1_000

        /// The findings in the order of the file, the first ``limit`` of them.
        static func findings(_ marks: [FindingMark], in file: FlagFile) -> [Finding] {
            let shown = marks.prefix(limit)
            let positions = file.locate(shown.map(\.path))
            var findings = zip(shown, positions).map { mark, position in
                Finding(
                    severity: mark.severity, path: file.path, position: position, key: mark.key, message: mark.message)
            }
            let start = TextPosition(line: 0, column: 0)
            findings.sort {
                ($0.position ?? start, $0.severity.rawValue, $0.message)
                    < ($1.position ?? start, $1.severity.rawValue, $1.message)
            }
            if marks.count > limit {
                let message = "\(marks.count - limit) more findings are not shown; correct these first"
                findings.append(Finding(severity: .error, path: file.path, message: message))
            }
            return findings
        }
    }
#endif
