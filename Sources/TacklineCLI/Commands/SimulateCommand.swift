#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineTargeting

    struct SimulateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulate",
            abstract: "Tries flag definitions on many users, and shows the split beside the one to be expected.",
            discussion: """
                A file of users is a JSON list of targeting keys, or of objects with a targetingKey and attributes. What \
                grows over time is tried as of now, or as of the moment that --at says.

                  tackline simulate rollout.flagd.json reservations
                  tackline simulate rollout.flagd.json reservations --users users.json --svg split.svg
                  tackline simulate rollout.flagd.json reservations --at 2027-01-31T12:00:00Z
                """
        )

        @Argument(help: "The flag definitions.", completion: .file()) var file: String
        @Argument(help: "The key of the flag; all of them otherwise.", completion: .flagKeys) var flag: String?
        @Option(help: "How many synthetic users, user-1 and on, or a file that lists users.", completion: .file())
        var users = "10000"
        @Option(help: "The moment that rules see, such as 2027-01-31T12:00:00Z, or the day alone; now otherwise.")
        var at: String?
        @Option(help: "A file for a picture of one flag's split.", completion: .file()) var svg: String?
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            if svg == "-" { throw ValidationError("--svg needs a file; standard output has the table.") }
            if svg != nil, flag == nil { throw ValidationError("--svg needs the key of one flag.") }
            let date = try at.map(moment)
            let file = try FlagFile(path: file)
            let users = try Users(users)
            let definitions = try file.definitions(fractional.generation)
            if let flag, definitions.flags[flag] == nil { throw unknown(flag, definitions, file) }
            let progress = ProgressReport("Trying")
            let simulations = (flag.map { [$0] } ?? definitions.flags.keys.sorted()).map {
                RolloutSimulation(of: $0, in: definitions, at: date, contexts: users.contexts(progress))
            }
            progress.finish()
            if let svg { try FileWriting.write(Array((simulations.first?.svg ?? "").utf8), to: svg) }
            var members: [String: EncodedFlagValue] = [
                "fractional": .string(fractional.generation.rawValue), "flags": .array(simulations.map(\.encoded)),
            ]
            members["at"] = date.map { .date($0) }
            try output.print("simulate", members) { _ in
                SafeText.lines(simulations.map(\.table).joined(separator: "\n"), limit: .max).joined(separator: "\n")
            }
        }

        /// Returns a moment that is written in the form of RFC 3339, or as a day.
        private func moment(_ text: String) throws(CommandFailure) -> Date {
            if let date = FlagTimestamp.date(from: text) ?? FlagTimestamp.date(from: text + "T00:00:00Z") {
                return date
            }
            throw CommandFailure(
                "\"\(text)\" is not a moment; say 2027-01-31T12:00:00Z, or 2027-01-31 for its beginning in UTC.",
                status: .usage)
        }

        /// Returns the error for an unknown flag, at the place of the most similar one.
        private func unknown(_ key: String, _ definitions: FlagDefinitions, _ file: FlagFile) -> CommandFailure {
            let suggestion = KeySuggestion(definitions.flags.keys.sorted())
            guard let nearest = suggestion.nearest(to: key), let flag = definitions.flags[nearest] else {
                return CommandFailure("\(file.path) has no flag \"\(key)\"; leave the flag out to see all of them")
            }
            return file.input.failure(
                "there is no flag \"\(key)\"; did you mean \"\(nearest)\"?", at: file.locate([flag.path])[0])
        }
    }

    extension RolloutSimulation {
        /// The simulation as an object.
        fileprivate var encoded: EncodedFlagValue {
            let shares = shares.map { share -> EncodedFlagValue in
                [
                    "variant": .string(share.variant), "count": .count(share.count),
                    "expected": .double((share.expectedCount * 100).rounded() / 100),
                ]
            }
            return ["key": .string(flagKey), "users": .count(subjectCount), "shares": .array(shares)]
        }
    }
#endif
