#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// Checks flag definitions against flagd's schema, and against what an app declares.
    enum DefinitionsCheck {
        /// Everything that is wrong, in the order of the file.
        ///
        /// - Parameter attributes: What the app's contexts have; `nil` where that is not known.
        static func findings(
            in file: FlagFile, against index: ManifestIndex?, attributes: [String: FlagValueType]?, now: Date
        ) -> [Finding] {
            var marks: [FindingMark] = []
            let definitions = try? FlagDefinitions(.object(file.members))
            for problem in definitions?.validate(attributes: attributes)
                ?? FlagDefinitions.validate(.object(file.members))
            {
                let severity = problem.severity == .error ? Finding.Severity.error : .warning
                marks.append(
                    mark(severity, names(problem.path), problem.flagKey, "\(problem.path): \(problem.message)"))
            }
            var seen: Set<String> = []
            if let index, let definitions {
                for (key, definition) in definitions.flags.sorted(by: { $0.key < $1.key }) {
                    seen.insert(key)
                    guard let flag = index.flag(at: [key]) else {
                        let otherwise = "remove it, or declare the flag"
                        let advice =
                            marks.count < 100 ? index.suggestion.advice(for: key, otherwise: otherwise) : otherwise
                        marks.append(mark(.warning, ["flags", key], key, "no flag has the key \"\(key)\"; \(advice)"))
                        continue
                    }
                    for (variant, value) in definition.variants.sorted(by: { $0.key < $1.key }) {
                        do {
                            _ = try flag.type.normalized(value)
                        } catch {
                            let message = "flag \"\(key)\", variant \"\(variant)\": \(error); correct the value"
                            marks.append(mark(.error, ["flags", key, "variants", variant], key, message))
                        }
                    }
                    if flag.isExpired(at: now), let date = flag.expiryDate {
                        let message =
                            "flag \"\(key)\" expired on \(date.dayText); remove it from the code and from here"
                        marks.append(mark(.warning, ["flags", key], key, message))
                    }
                }
            }
            let findings = FindingMark.findings(marks, in: file)
            guard let index else { return findings }
            return findings + ValueFileCheck.general(index, seen: seen, path: file.path)
        }

        private static func mark(
            _ severity: Finding.Severity, _ path: [String], _ key: String?, _ message: String
        ) -> FindingMark {
            FindingMark(severity: severity, path: path, key: key, message: message)
        }

        /// The names in a JSON Pointer (RFC 6901).
        private static func names(_ pointer: String) -> [String] {
            pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
                String($0).replacing("~1", with: "/").replacing("~0", with: "~")
            }
        }
    }
#endif
