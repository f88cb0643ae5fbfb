#if CommandLine
    import TacklineCore

    /// The JSON that commands print.
    enum JSONReport {
        /// The version of the output of `--json`. It grows when the meaning of a member changes, but not when members
        /// are added.
        static let version = 1

        /// Returns the outermost object of the output of `--json`.
        static func text(_ command: String, _ members: [String: EncodedFlagValue]) throws(CommandFailure) -> String {
            try text(of: .object(members.merging(["command": .string(command), "version": .count(version)]) { $1 }))
        }

        /// Returns a value as JSON.
        static func text(of value: EncodedFlagValue) throws(CommandFailure) -> String {
            var writer = FlagJSONWriter(layout: .pretty)
            // A report encloses values in further objects, so it may be deeper than the deepest value.
            writer.maximumDepth = EncodedFlagValue.maximumDepth + 16
            do {
                return try writer.text(of: value)
            } catch {
                throw CommandFailure("The result cannot be written as JSON: \(error).")
            }
        }
    }
#endif
