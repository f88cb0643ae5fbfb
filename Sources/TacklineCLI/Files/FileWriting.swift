#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles

    /// Functions that replace whole files.
    enum FileWriting {
        /// Returns the format that the name of a new file implies.
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
                case .xmlPropertyList: try FlagPropertyList.encode(.object(members), as: .xml)
                case .binaryPropertyList: try FlagPropertyList.encode(.object(members), as: .binary)
                }
            } catch {
                throw CommandFailure("The values cannot be written: \(error).")
            }
        }

        /// Replaces a file durably and in one step; `-` writes to standard output.
        static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
            if path == "-" { return try CommandOutput.standard.write(bytes) }
            try rewrite(path) { _ in bytes }
        }

        /// Changes a file durably and in one step.
        ///
        /// - Parameters:
        ///   - path: The file; `-` reads standard input and writes the new text to standard output.
        ///   - change: Receives the bytes, or `nil` if there is no file, and returns the new ones.
        /// - Throws: The reason for the failure. The file is then unchanged.
        static func rewrite(
            _ path: String, _ change: ([UInt8]?) throws(CommandFailure) -> [UInt8]
        ) throws(CommandFailure) {
            if path == "-" {
                return try CommandOutput.standard.write(try change(InputFile(path: path).bytes))
            }
            let count = linkCount(path)
            do {
                try StoredFile(path, maximumBytes: 16 << 20).rewrite { bytes in try change(bytes) }
            } catch {
                throw failure(error)
            }
            // Replacing a file in one step gives it a new inode, so its other hard links keep the old text.
            if count > 1, linkCount(path) == 1 {
                CommandOutput.error.report(
                    """
                    tackline: \(path) was a hard link: \(count == 2 ? "another name" : "\(count - 1) other names") of the \
                    file still \(count == 2 ? "has" : "have") the old text. Link again, or use a symbolic link, which is \
                    kept.
                    """)
            }
        }

        /// Returns the number of hard links to a file; 0 if there is no file.
        private static func linkCount(_ path: String) -> Int {
            let file = URL(filePath: path).resolvingSymlinksInPath().path
            return (try? FileManager.default.attributesOfItem(atPath: file)[.referenceCount] as? Int) ?? 0
        }

        /// Prints a remark about a file that was written. If the file itself went to standard output, the remark goes
        /// to standard error.
        static func tell(_ text: String, of path: String) throws(CommandFailure) {
            try (path == "-" ? CommandOutput.error : CommandOutput.standard).write(text)
        }

        /// Returns the failure for an error that `rewrite` caught.
        static func failure(_ error: any Error) -> CommandFailure {
            switch error {
            case let error as CommandFailure where error.finding != nil:
                CommandFailure("\(error.message). Nothing was written.")
            case let error as CommandFailure: error
            case let error as FileFailure:
                CommandFailure("Nothing was written: \(error). Check the file and its folder.")
            default: CommandFailure("\(error)")
            }
        }
    }
#endif
