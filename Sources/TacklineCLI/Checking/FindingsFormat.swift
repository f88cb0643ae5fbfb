#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineTargeting

    /// The options of commands that report findings.
    struct FindingsOptions: ParsableArguments {
        /// The name of a format for findings on the command line.
        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, json, github
        }

        @Option(help: "How findings are printed: text, json or github (annotations).")
        var format: Format?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if output.isJSON, let format, format != .json { throw ValidationError("Use --json or --format, not both.") }
        }

        /// Prints findings in the requested format.
        ///
        /// - Parameters:
        ///   - members: The members of the object for `--json`.
        ///   - text: Returns the text for people.
        /// - Throws: Also if a file is not good.
        func print(
            _ findings: FindingsFormat, _ members: [String: EncodedFlagValue], _ text: (TextStyle) -> String
        ) throws(CommandFailure) {
            switch format ?? (output.isJSON ? .json : .text) {
            case .text: try CommandOutput.standard.write(text(TextStyle(for: .standard)))
            case .json: try CommandOutput.standard.write(JSONReport.text(findings.command, members))
            case .github: try CommandOutput.standard.write(findings.github)
            }
            if !findings.files.allSatisfy(\.isGood) { throw CommandFailure.found }
        }
    }

    /// The findings of a command, in the form that GitHub Actions reads.
    struct FindingsFormat {
        /// The findings in a file, and whether the file passes despite them.
        struct File {
            let findings: [Finding]
            let isGood: Bool
        }

        /// The command that checked the files.
        let command: String
        let files: [File]

        /// Annotations of GitHub Actions: a workflow command for each finding, `::error file=…,line=…::…`.
        var github: String {
            files.flatMap(\.findings).map { finding in
                var properties = ["file=\(Self.property(finding.path))"]
                if let position = finding.position {
                    properties += ["line=\(position.line)", "col=\(position.column)"]
                }
                properties.append("title=tackline \(command)")
                let word = finding.severity == .note ? "notice" : finding.severity.rawValue
                return "::\(word) \(properties.joined(separator: ","))::\(Self.escaped(finding.message))\n"
            }.joined()
        }

        /// Returns the text escaped as the toolkit of GitHub Actions escapes the message of a workflow command.
        private static func escaped(_ text: String) -> String {
            SafeText.line(text, limit: .max).replacing("%", with: "%25")
        }

        private static func property(_ text: String) -> String {
            escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
        }
    }
#endif
