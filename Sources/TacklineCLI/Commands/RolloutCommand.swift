#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineTargeting

    struct RolloutCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollout",
            abstract: "Sets how many users get a variant.",
            discussion: """
                Changes the weights of the flag's split in place and leaves the rest of the file as it is. A flag without a \
                rule gets one. Says who gains and who loses what, for 10,000 synthetic users. Users who have the variant \
                keep it when its share grows, as long as it stands first in the split.

                  tackline rollout rollout.flagd.json reservations 25
                  tackline rollout rollout.flagd.json reservations 12.5 --variant on --dry-run
                """
        )

        @Argument(help: "The flag definitions, as JSON.", completion: .file()) var file: String
        @Argument(help: "The key of the flag.", completion: .flagKeys) var flag: String
        @Argument(help: "From 0 to 100, with at most five digits behind the point.") var percent: String
        @Option(help: "The variant that gets the share; the first of the split otherwise.") var variant: String?
        @ArgumentParser.Flag(help: "Replace a rule that is more than a split.") var replaceRule = false
        @ArgumentParser.Flag(help: "Only say what would happen.") var dryRun = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            guard let share = RolloutShare(percentage: percent) else {
                throw CommandFailure(
                    "\"\(percent)\" is not a percentage; say a number from 0 to 100, such as 12.5.", status: .usage)
            }
            guard !dryRun else { return try report(edit(InputFile(path: file), share), share, of: "") }
            var done: RolloutEdit?
            try FileWriting.rewrite(file) { bytes throws(CommandFailure) in
                guard let bytes else { throw CommandFailure("\(file) is not there; check the spelling.") }
                let edit = try edit(InputFile(path: file, bytes: bytes), share)
                done = edit
                return edit.bytes
            }
            if let done { try report(done, share, of: file) }
        }

        private func edit(_ input: InputFile, _ share: RolloutShare) throws(CommandFailure) -> RolloutEdit {
            try RolloutEdit(FlagFile(input), key: flag, share: share, variant: variant, replacesRule: replaceRule)
        }

        private func report(_ edit: RolloutEdit, _ share: RolloutShare, of path: String) throws {
            let users = 10_000
            let (before, after) = (
                try edit.file.definitions(fractional.generation), try edit.result.definitions(fractional.generation)
            )
            let comparison = RolloutComparison(of: flag, from: before, to: after, users: users)
            let (joining, leaving) = (comparison.joining(edit.variant), comparison.leaving(edit.variant))
            let members: [String: EncodedFlagValue] = [
                "key": .string(flag), "variant": .string(edit.variant), "percentage": .string("\(share)"),
                "isWritten": .bool(!dryRun), "fractional": .string(fractional.generation.rawValue),
                "users": .count(users), "joining": .count(joining), "leaving": .count(leaving),
                "remarks": .texts(edit.remarks),
            ]
            try output.print("rollout", members, of: path) { _ in
                let lines = [
                    "\(flag): \(share) % get \"\(edit.variant)\"\(dryRun ? " (nothing was written)" : "")",
                    "Of \(users) synthetic users, \(joining) gain it and \(leaving) lose it.",
                ]
                return (lines + edit.remarks).lines
            }
        }
    }
#endif
