#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
    import TacklineTargeting

    /// The work of `fmt` on a file.
    enum FileFormatting {
        /// Formats a file in place, or only checks whether it is formatted.
        ///
        /// - Parameter path: The file; `-` reads standard input and, unless this is a trial, writes to standard output.
        /// - Returns: Whether the formatted text differs from the file's.
        static func run(_ path: String, isTrial: Bool) throws(CommandFailure) -> Bool {
            if isTrial {
                let input = try InputFile(path: path)
                return try formatted(input) != input.bytes
            }
            var isChanged = false
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                guard let bytes else { throw CommandFailure("\(path) is not there; check the spelling.") }
                let new = try formatted(InputFile(path: path, bytes: bytes))
                isChanged = new != bytes
                return new
            }
            return isChanged
        }

        /// Returns the text of a file in the stable form.
        static func formatted(_ input: InputFile) throws(CommandFailure) -> [UInt8] {
            let file: FlagFile
            do throws(FlagFileError) {
                file = try FlagFile(input)
            } catch {
                throw CommandFailure("\(error.finding.line()). Nothing was written.")
            }
            guard file.format == .json else {
                throw CommandFailure(
                    "\(input.path) is a property list; tackline convert --to plist writes one in a stable form.")
            }
            let formatted = FlagJSONFormatter(input.bytes).formatted
            let new = input.bytes.endsLinesWithCRLF ? formatted.withCRLF : formatted
            // Nothing may be lost: not a value, and not a comment.
            let (before, after) = (FlagJSONOutline(input.bytes), FlagJSONOutline(new))
            guard before.comments.count == after.comments.count,
                let read = try? FlagFile(InputFile(path: input.path, bytes: new)),
                read.members == file.members
            else {
                throw CommandFailure("\(input.path) cannot be formatted without a loss. Nothing was written.")
            }
            return new
        }
    }
#endif
