#if CommandLine
    import TacklineCore
    import TacklineFormats

    /// The outermost object of the output of `--json`.
    enum JSONReport {
        /// The version of the output. It grows when the meaning of a member changes, but not when members are added.
        static let version = 1

        static func text(_ command: String, _ members: [String: EncodedFlagValue]) throws(CommandFailure) -> String {
            var members = members
            members["command"] = .string(command)
            members["version"] = .integer(Int128(version))
            var writer = FlagJSONWriter(layout: .pretty)
            // A report encloses values in further objects, so it may be deeper than the deepest value.
            writer.maximumDepth = EncodedFlagValue.maximumDepth + 16
            do {
                return try writer.text(of: .object(members))
            } catch {
                throw CommandFailure("The result cannot be written as JSON: \(error).")
            }
        }
    }
#endif
