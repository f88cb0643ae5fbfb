#if CommandLine
    import ArgumentParser
    import TacklineCore

    /// The command that adds, changes and removes flag definitions.
    struct FlagCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "flag",
            abstract: "Adds, enables, disables, changes and removes flag definitions.",
            discussion: """
                Edits a document in flagd's format in place, as one write, and leaves the rest of the file as it is. \
                With - in place of the file it reads standard input and writes the edited document to standard \
                output; add makes a file that is not there. Rules are changed by tackline rollout.

                  tackline flag add rollout.flagd.json reservations
                  tackline flag add rollout.flagd.json theme --variant dark=dark --variant light=light --default light
                  tackline flag enable rollout.flagd.json reservations theme
                  tackline flag default rollout.flagd.json theme dark
                  tackline flag set rollout.flagd.json theme sepia sepia
                  tackline flag remove rollout.flagd.json theme
                """,
            subcommands: [Add.self, Enable.self, Disable.self, Default.self, Set.self, Remove.self]
        )

        /// The options that all subcommands share.
        struct Target: ParsableArguments {
            @Argument(help: "The flag definitions, as JSON.", completion: .file()) var file: String
            @OptionGroup var output: OutputOptions

            func run(_ changes: [(key: String, change: DefinitionsEdit.Change)]) throws {
                let lines = try DefinitionsEdit.apply(changes, to: file)
                let members: [String: EncodedFlagValue] = [
                    "keys": .texts(changes.map(\.key)), "changes": .texts(lines),
                ]
                try output.print("flag", members, of: file) { _ in lines.lines }
            }
        }

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Adds a flag: off and on unless other variants are given, enabled, and off by default.")

            @OptionGroup var target: Target
            @Argument(help: "The key of the flag.") var key: String
            @Option(help: "A variant, such as on=true; several times for several.") var variant: [String] = []
            @Option(name: .customLong("default"), help: "The variant of users for whom no rule chooses one.")
            var chosen: String?
            @ArgumentParser.Flag(help: "Add it disabled: apps then use the default of their code.") var disabled = false

            func run() throws {
                var variants: [String: EncodedFlagValue] = [:]
                for text in variant {
                    guard let (name, value) = text.assignment else {
                        throw CommandFailure("\"\(text)\" is not a variant; write on=true.", status: .usage)
                    }
                    guard variants[name] == nil else {
                        throw CommandFailure("The variant \"\(name)\" is given twice; give it once.", status: .usage)
                    }
                    variants[name] = try ValueArgument.value(value, isString: false, for: nil)
                }
                try target.run([(key, .add(variants, defaultVariant: chosen, isEnabled: !disabled))])
            }
        }

        struct Enable: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Enables flags.")

            @OptionGroup var target: Target
            @Argument(help: "The keys.") var keys: [String]

            func run() throws { try target.run(keys.map { ($0, .state(isEnabled: true)) }) }
        }

        struct Disable: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Disables flags: apps then use the defaults of their code.")

            @OptionGroup var target: Target
            @Argument(help: "The keys.") var keys: [String]

            func run() throws { try target.run(keys.map { ($0, .state(isEnabled: false)) }) }
        }

        struct Default: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Sets the variant of users for whom no rule chooses one.")

            @OptionGroup var target: Target
            @Argument(help: "The key of the flag.") var key: String
            @Argument(help: "The variant.") var variant: String

            func run() throws { try target.run([(key, .defaultVariant(variant))]) }
        }

        struct Set: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Gives a variant a value, and adds the variant if there is none of this name.")

            @OptionGroup var target: Target
            @Argument(help: "The key of the flag.") var key: String
            @Argument(help: "The variant.") var variant: String
            @Argument(help: "The value: JSON or a text; after -- if it begins with a dash.") var value: String

            func run() throws {
                let value = try ValueArgument.value(value, isString: false, for: nil)
                try target.run([(key, .variant(variant, value))])
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Removes flags.")

            @OptionGroup var target: Target
            @Argument(help: "The keys.") var keys: [String]

            func run() throws { try target.run(keys.map { ($0, .remove) }) }
        }
    }
#endif
