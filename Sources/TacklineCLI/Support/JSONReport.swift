#if CommandLine
    import TacklineCore
    import TacklineFormats

    /// The outermost form of what `--json` prints.
    enum JSONReport {
        /// Grows when the meaning of a member changes; members that are added leave it.
        static let version = 1

        static func text(_ command: String, _ members: [String: EncodedFlagValue]) throws(CommandFailure) -> String {
            var members = members
            members["command"] = .string(command)
            members["version"] = .integer(Int128(version))
            var writer = FlagJSONWriter(layout: .pretty)
            // A report has room for the deepest value.
            writer.maximumDepth = EncodedFlagValue.maximumDepth + 16
            do {
                return try writer.text(of: .object(members))
            } catch {
                throw CommandFailure("The result cannot be written as JSON: \(error).")
            }
        }
    }
#endif
