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

        /// Replaces a file, durably and in one step.
        static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
            do {
                try LocalFileRewriting.rewrite(URL(filePath: path)) { _ in bytes }
            } catch {
                throw failure(error)
            }
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
