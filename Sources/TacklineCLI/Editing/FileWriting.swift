#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineLocal

    /// Writes files whole.
    enum FileWriting {
        /// The format that the name of a new file asks for.
        static func format(ofNewFile path: String) -> FlagFile.Format {
            switch path.split(separator: ".").last?.lowercased() {
            case "plist", "xml": .xmlPropertyList
            case "bplist": .binaryPropertyList
            default: .json
            }
        }

        static func bytes(
            of members: [String: EncodedFlagValue], format: FlagFile.Format
        ) throws(CommandFailure) -> [UInt8] {
            do throws(FlagValueError) {
                return switch format {
                case .json: try FlagJSONWriter(layout: .pretty).bytes(of: .object(members))
                case .xmlPropertyList: try FlagPropertyListWriter(format: .xml).bytes(of: .object(members))
                case .binaryPropertyList: try FlagPropertyListWriter(format: .binary).bytes(of: .object(members))
                }
            } catch {
                throw CommandFailure("The values cannot be written: \(error).")
            }
        }

        /// Replaces a file, durably and in one step; `-` is standard output.
        static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
            if path == "-" { return try CommandOutput.standard.write(bytes) }
            try rewrite(path) { _ in bytes }
        }

        /// Changes a file, durably and in one step.
        ///
        /// - Parameters:
        ///   - path: The file; with `-` standard input is read, and the new text goes to standard output.
        ///   - change: Gets the bytes, or `nil` if there is no file, and returns the new ones.
        /// - Throws: What went wrong. The file is then as it was.
        static func rewrite(
            _ path: String, _ change: ([UInt8]?) throws(CommandFailure) -> [UInt8]
        ) throws(CommandFailure) {
            if path == "-" {
                return try CommandOutput.standard.write(try change(InputFile(path: path).bytes))
            }
            do {
                try LocalFileRewriting.rewrite(URL(filePath: path)) { bytes in try change(bytes) }
            } catch {
                throw failure(error)
            }
        }

        /// Prints what a command says about a file that it has written: where standard output is the file itself, on
        /// standard error.
        static func tell(_ text: String, of path: String) throws(CommandFailure) {
            try (path == "-" ? CommandOutput.error : CommandOutput.standard).write(text)
        }

        /// The message of an error that came out of a rewriting.
        static func failure(_ error: any Error) -> CommandFailure {
            switch error {
            case let error as CommandFailure: error
            case let error as FlagProviderError:
                CommandFailure("\(error.reason).\(error.advice.map { " \($0)." } ?? "")")
            default: CommandFailure("\(error)")
            }
        }
    }
#endif
