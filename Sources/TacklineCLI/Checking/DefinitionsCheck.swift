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
            var marks = FindingMarks()
            let definitions = try? FlagDefinitions(.object(file.members), fractional: generation)
            var problems = definitions?.validate() ?? FlagDefinitions.validate(.object(file.members))
            if let definitions {
                if let attributes = ManifestIndex.attributes(index, attributes) {
                    problems += definitions.unknownAttributes(attributes)
                }
                problems += brokenConstraints(definitions, index).filter { !problems.contains($0) }
            }
            for problem in problems {
                marks.add(
                    problem.severity == .error ? .error : .warning, JSONPointer.components(problem.path),
                    problem.flagKey, "\(problem.path): \(problem.message)")
            }
            guard let index, let definitions else { return marks.findings(in: file) }
            return ManifestCheck.findings(inDefinitionsOf: file, definitions, against: index, now: now, marks)
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
    }
#endif
