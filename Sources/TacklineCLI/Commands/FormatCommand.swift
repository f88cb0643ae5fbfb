#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineFiles
    import TacklineManifest
    import TacklineTerminal

    struct FormatCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fmt",
            abstract: "Lays JSON files out in one stable way.",
            discussion: """
                Members are sorted by key, between blank lines, and indented by two blanks; what fits into 64 characters stays \
                in one line. Comments are kept with what they stand in front of or behind; numbers and strings stay as they are written. With \
                --check nothing is written, and it ends with 1 if a file is not formatted. With - it reads standard input \
                and writes to standard output.

                  tackline fmt flags.json rollout.flagd.json
                  tackline fmt --check flags.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String]
        @ArgumentParser.Flag(help: "Only say which files are not formatted.") var check = false

        func run() throws {
            var areFormatted = true
            for file in files where try !isFormatted(file) {
                areFormatted = false
                let name = SafeText.line(file)
                let text = check ? "\(name): not formatted; tackline fmt does it\n" : "\(name): formatted\n"
                try check ? CommandOutput.standard.write(text) : FileWriting.tell(text, of: file)
            }
            if check, !areFormatted { throw CommandFailure.found }
        }

        /// Formats a file in place, or only checks it.
        ///
        /// - Returns: Whether the file was formatted before.
        private func isFormatted(_ path: String) throws(CommandFailure) -> Bool {
            if check {
                let input = try InputFile(path: path)
                return try FormatCommand.formatted(input) == input.bytes
            }
            var isFormatted = true
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                guard let bytes else { throw CommandFailure("\(path) is not there; check the spelling.") }
                let new = try FormatCommand.formatted(InputFile(path: path, bytes: bytes))
                isFormatted = new == bytes
                return new
            }
            return isFormatted
        }

        /// Returns the text of a file in the stable form.
        static func formatted(_ input: InputFile) throws(CommandFailure) -> [UInt8] {
            let file = try FlagFile(input)
            guard file.format == .json else {
                throw CommandFailure(
                    "\(input.path) is a property list; tackline convert --to plist writes one in a stable form.")
            }
            let formatted = FlagJSONFormatter(input.bytes).formatted
            let new = input.bytes.endsLinesWithCRLF ? formatted.withCRLF : formatted
            // Nothing may be lost: not a value, and not a comment.
            guard FlagJSONOutline(input.bytes).comments.count == FlagJSONOutline(new).comments.count,
                let read = try? FlagFile(InputFile(path: input.path, bytes: new)), read.members == file.members
            else {
                throw CommandFailure("\(input.path) cannot be formatted without a loss. Nothing was written.")
            }
            return new
        }
    }
#endif
