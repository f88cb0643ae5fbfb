#if CommandLine
    import TacklineTargeting

    /// A finding at a place in a document whose line is not yet known.
    struct FindingMark {
        let severity: Finding.Severity
        /// The names and positions that lead to the place from the root.
        let path: [String]
        let key: String?
        let message: String

        /// The number of findings of one file that are kept.
        static let limit = 1_000

        /// Returns the findings for the first ``limit`` marks in the order of the file, and one that counts the others.
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
