#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTargeting

    /// Checks flag definitions against flagd's schema, and against what an app declares.
    enum DefinitionsCheck {
        /// Everything that is wrong, in the order of the file.
        static func findings(in file: FlagFile, against index: ManifestIndex?, now: Date) -> [Finding] {
            var marks: [(severity: Finding.Severity, path: [String], key: String?, message: String)] = []
            for problem in FlagDefinitions.validate(.object(file.members)) {
                let severity = problem.severity == .error ? Finding.Severity.error : .warning
                marks.append((severity, names(problem.path), problem.flagKey, "\(problem.path): \(problem.message)"))
            }
            var seen: Set<String> = []
            if let index, let definitions = try? FlagDefinitions(.object(file.members)) {
                for (key, definition) in definitions.flags {
                    seen.insert(key)
                    guard let flag = index.flag(at: [key]) else {
                        let advice = index.suggestion.advice(for: key, otherwise: "remove it, or declare the flag")
                        marks.append((.warning, ["flags", key], key, "no flag has the key \"\(key)\"; \(advice)"))
                        continue
                    }
                    for (variant, value) in definition.variants {
                        do {
                            _ = try flag.type.normalized(value)
                        } catch {
                            let message = "flag \"\(key)\", variant \"\(variant)\": \(error); correct the value"
                            marks.append((.error, ["flags", key, "variants", variant], key, message))
                        }
                    }
                    if flag.isExpired(at: now), let date = flag.expiryDate {
                        let message =
                            "flag \"\(key)\" expired on \(date.dayText); remove it from the code and from here"
                        marks.append((.warning, ["flags", key], key, message))
                    }
                }
            }
            let positions = file.locate(marks.map(\.path))
            let findings = zip(marks, positions).map { mark, position in
                Finding(
                    severity: mark.severity, path: file.path, position: position, key: mark.key, message: mark.message)
            }.sorted {
                ($0.position ?? TextPosition(line: 0, column: 0), $0.message)
                    < ($1.position ?? TextPosition(line: 0, column: 0), $1.message)
            }
            guard let index else { return findings }
            return findings + ValueFileCheck.general(index, seen: seen, path: file.path)
        }

        /// The names in a JSON Pointer (RFC 6901).
        private static func names(_ pointer: String) -> [String] {
            pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
                String($0).replacing("~1", with: "/").replacing("~0", with: "~")
            }
        }
    }
#endif
