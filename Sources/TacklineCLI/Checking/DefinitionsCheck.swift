#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// Checks of flag definitions against flagd's schema, the flags that an app declares, and the constraints between
    /// flags.
    enum DefinitionsCheck {
        /// Returns all problems, in the order of the file.
        ///
        /// - Parameters:
        ///   - attributes: The types of the attributes of an example context; `nil` if there is no example.
        ///   - generation: The generation of `fractional` that splits users when constraints are tried.
        static func findings(
            in file: FlagFile, against index: ManifestIndex?, attributes: [String: FlagValueType]?,
            generation: FractionalGeneration, now: Date
        ) -> [Finding] {
            var marks: [FindingMark] = []
            let definitions = try? FlagDefinitions(.object(file.members), fractional: generation)
            var problems = definitions?.validate() ?? FlagDefinitions.validate(.object(file.members))
            if let definitions {
                if let attributes = ManifestIndex.attributes(index, attributes) {
                    problems += definitions.unknownAttributes(attributes)
                }
                problems += brokenConstraints(definitions, index).filter { !problems.contains($0) }
            }
            for problem in problems {
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

        /// Returns the constraints of the document and of the manifest that some example context breaks.
        private static func brokenConstraints(
            _ definitions: FlagDefinitions, _ index: ManifestIndex?
        ) -> [FlagDefinitionProblem] {
            // The document may define only some of the app's flags; the others have their declared defaults.
            var defaults: [String: EncodedFlagValue] = [:]
            for flag in index?.manifest.allFlags ?? [] {
                defaults[flag.key] = defaults[flag.key] ?? flag.defaultValue
            }
            let declared = (index?.manifest.constraints ?? []).map { FlagConstraint($0.name, rule: $0.rule) }
                .filter { definitions.hasFlags(of: $0, defaults: defaults) }
            let carried = definitions.constraints
            guard !carried.isEmpty || !declared.isEmpty else { return [] }
            let contexts = definitions.exampleContexts()
            return definitions.validate(carried, contexts: contexts)
                + definitions.validate(declared, contexts: contexts, defaults: defaults)
        }

        private static func mark(
            _ severity: Finding.Severity, _ path: [String], _ key: String?, _ message: String
        ) -> FindingMark {
            FindingMark(severity: severity, path: path, key: key, message: message)
        }

        /// Returns the names in a JSON Pointer (RFC 6901).
        private static func names(_ pointer: String) -> [String] {
            pointer.parts(separatedBy: "/").dropFirst().map {
                $0.parts(separatedBy: "~1").joined(separator: "/").parts(separatedBy: "~0").joined(separator: "~")
            }
        }
    }
#endif
