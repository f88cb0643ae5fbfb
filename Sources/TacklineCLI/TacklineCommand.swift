#if CommandLine
    import ArgumentParser

    /// The command-line tool. Its entry point is ``TacklineTool``.
    ///
    /// Files that declare commands import ArgumentParser but not the core, since both have a type `Flag`. The work of a
    /// command is done by plain types in other files.
    struct TacklineCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tackline",
            abstract: "Checks, changes and compares files of feature flags.",
            discussion: """
                Value files hold values by key, as JSON (.json) or as a property list (.plist, .xml). Flag definitions \
                in flagd's format hold flags with variants and targeting rules, as JSON. A manifest lists the flags \
                that an app declares; the app exports it with FlagManifest(loader).

                Exit status:
                \(CommandStatus.allCases.map { "  \($0.rawValue)\($0.rawValue < 10 ? " " : "")  \($0.meaning)" }.joined(separator: "\n"))
                """,
            version: TacklineTool.version,
            subcommands: [
                ValidateCommand.self, GetCommand.self, SetCommand.self, UnsetCommand.self, ExplainCommand.self,
                DiffCommand.self, FlagCommand.self, RolloutCommand.self, ManifestCommand.self, GenerateCommand.self,
                LintCommand.self, KeygenCommand.self, SignCommand.self, VerifyCommand.self, ServeCommand.self,
            ]
        )
    }
#endif
