#if CommandLine
    import ArgumentParser

    /// The command-line tool. Its entry point is ``TacklineTool``.
    ///
    /// Files that declare commands import ArgumentParser and not the core, since both have a type `Flag`: what a command
    /// means stands in plain types in other files.
    struct TacklineCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tackline",
            abstract: "Looks after files of feature flags.",
            discussion: """
                Value files hold values by key, as JSON (.json) or as a property list (.plist, .xml). Flag definitions \
                in flagd's format hold flags with variants and targeting rules, as JSON. A manifest lists the flags \
                that an app declares; the app exports it with loader.manifest().

                Exit status: 0 if all is well; 1 if something was found or could not be done, which is then said; \
                64 if the command line itself is wrong; 74 if the output could not be written.
                """,
            subcommands: [
                ValidateCommand.self, GetCommand.self, SetCommand.self, UnsetCommand.self, ExplainCommand.self,
                DiffCommand.self, ConvertCommand.self, MigrateCommand.self, RolloutCommand.self, SimulateCommand.self,
                ManifestCommand.self,
                LintCommand.self, KeygenCommand.self, SignCommand.self, VerifyCommand.self,
                // With a server or a terminal.
                ServeCommand.self, WatchCommand.self, BrowseCommand.self,
            ]
        )
    }
#endif
