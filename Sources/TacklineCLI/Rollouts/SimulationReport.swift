#if CommandLine
    import TacklineCore
    import TacklineTargeting
    import TacklineTerminal

    /// How a document's flags split users.
    struct SimulationReport {
        private let simulations: [RolloutSimulation]
        private let generation: FractionalGeneration

        /// Tries one flag, or all of them in the order of their keys.
        private init(
            _ file: FlagFile, _ generation: FractionalGeneration, key: String?, users: Users, progress: ProgressReport
        ) throws(CommandFailure) {
            let definitions = try file.definitions(generation)
            self.generation = generation
            if let key, definitions.flags[key] == nil {
                let advice = KeySuggestion(definitions.flags.keys).advice(
                    for: key, otherwise: "leave the flag out to see all of them")
                throw CommandFailure("\(file.path) has no flag \"\(key)\"; \(advice)")
            }
            let keys = key.map { [$0] } ?? definitions.flags.keys.sorted()
            simulations = keys.map {
                RolloutSimulation(of: $0, in: definitions, contexts: users.contexts(progress))
            }
            progress.finish()
        }

        /// What `simulate` prints, and the picture of the first flag.
        static func run(
            _ path: String, _ generation: FractionalGeneration, key: String?, users: String, isJSON: Bool
        ) throws(CommandFailure) -> (text: String, picture: String) {
            let report = try SimulationReport(
                FlagFile(path: path), generation, key: key, users: Users(users), progress: ProgressReport("Trying"))
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
            return ["fractional": .string(generation.rawValue), "flags": .array(flags)]
        }
    }
#endif
