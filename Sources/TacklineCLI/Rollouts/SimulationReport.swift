#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTargeting
    import TacklineTerminal

    /// The split of users by the flags of a document.
    struct SimulationReport {
        private let simulations: [RolloutSimulation]
        private let generation: FractionalGeneration
        /// The moment of the evaluation; `nil` for now.
        private let date: Date?

        /// Evaluates one flag, or all of them in the order of their keys.
        private init(
            _ file: FlagFile, _ generation: FractionalGeneration, key: String?, at date: Date?, users: Users,
            progress: ProgressReport
        ) throws(CommandFailure) {
            let definitions = try file.definitions(generation)
            self.generation = generation
            self.date = date
            if let key, definitions.flags[key] == nil { throw SimulationReport.unknown(key, definitions, file) }
            let keys = key.map { [$0] } ?? definitions.flags.keys.sorted()
            simulations = keys.map {
                RolloutSimulation(of: $0, in: definitions, at: date, contexts: users.contexts(progress))
            }
            progress.finish()
        }

        /// Returns the error for an unknown flag, at the place of the most similar one.
        private static func unknown(
            _ key: String, _ definitions: FlagDefinitions, _ file: FlagFile
        ) -> CommandFailure {
            let suggestion = KeySuggestion(definitions.flags.keys.sorted())
            guard let nearest = suggestion.nearest(to: key), let flag = definitions.flags[nearest] else {
                return CommandFailure(
                    "\(file.path) has no flag \"\(key)\"; leave the flag out to see all of them")
            }
            let finding = Finding(
                severity: .error, path: file.path, position: file.locate([flag.path])[0], key: key,
                message: "there is no flag \"\(key)\"; did you mean \"\(nearest)\"?")
            return CommandFailure(finding.line())
        }

        /// Returns the output of `simulate`, and a picture of the first flag's split as SVG.
        ///
        /// - Parameter moment: The moment of the evaluation in the form of RFC 3339, or a day; `nil` for now.
        static func run(
            _ path: String, _ generation: FractionalGeneration, key: String?, at moment: String?, users: String,
            isJSON: Bool
        ) throws(CommandFailure) -> (text: String, picture: String) {
            var date: Date?
            if let moment {
                date = FlagTimestamp.date(from: moment) ?? FlagTimestamp.date(from: moment + "T00:00:00Z")
                guard date != nil else {
                    throw CommandFailure(
                        "\"\(moment)\" is not a moment; say 2027-01-31T12:00:00Z, or 2027-01-31 for its beginning in UTC.",
                        status: .usage)
                }
            }
            let report = try SimulationReport(
                FlagFile(path: path), generation, key: key, at: date, users: Users(users),
                progress: ProgressReport("Trying"))
            let text = isJSON ? try JSONReport.text("simulate", report.json) : report.text
            return (text, report.simulations.first?.svg ?? "")
        }

        private var text: String {
            let text = simulations.map(\.table).joined(separator: "\n")
            return SafeText.lines(text, limit: .max).joined(separator: "\n")
        }

        private var json: [String: EncodedFlagValue] {
            let flags = simulations.map { simulation -> EncodedFlagValue in
                [
                    "key": .string(simulation.flagKey), "users": .integer(Int128(simulation.subjectCount)),
                    "shares": .array(
                        simulation.shares.map { share in
                            [
                                "variant": .string(share.variant), "count": .integer(Int128(share.count)),
                                "expected": .double((share.expectedCount * 100).rounded() / 100),
                            ]
                        }),
                ]
            }
            var members: [String: EncodedFlagValue] = [
                "fractional": .string(generation.rawValue), "flags": .array(flags),
            ]
            members["at"] = date.map { .date($0) }
            return members
        }
    }
#endif
