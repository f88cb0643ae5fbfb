#if CommandLine
    import TacklineCLibrary
    import TacklineCore

    /// The sets that were tried, in a file, so that a search that was interrupted goes on where it was.
    struct BisectionRecord {
        private let path: String?
        /// The subject of the search. The results of another search do not count.
        private let subject: EncodedFlagValue
        private var results: [[Int]: Bool] = [:]
        /// The number of sets that were tried by this process.
        private(set) var count = 0

        /// Reads the record.
        ///
        /// - Parameter path: The file, which need not exist, or `nil` to keep nothing.
        /// - Throws: If the file belongs to another search or can't be read.
        init(_ path: String?, values: BisectedValues, command: BisectedCommand) throws(CommandFailure) {
            self.path = path
            subject = [
                "differences": .array(values.differences.map { .object($0.members("good", "bad")) }),
                "command": .texts(command.arguments), "runs": .count(command.runs),
                "failures": .count(command.failures),
            ]
            guard let path, access(path, F_OK) == 0 else { return }
            let members = try FlagFile(path: path, as: .values).members
            guard members["subject"] == (try? Self.written(subject)), case .array(let tried)? = members["tried"] else {
                throw CommandFailure("\(path) is the record of another search; name another file, or delete it.")
            }
            for case .object(let entry) in tried {
                guard let set = entry["set"].flatMap({ try? [Int](encoded: $0) }),
                    case .bool(let fails)? = entry["fails"]
                else { throw CommandFailure("\(path) is damaged; delete it, and the search begins anew.") }
                results[set] = fails
            }
        }

        /// Returns a value as it is read back after it was written.
        private static func written(_ value: EncodedFlagValue) throws(CommandFailure) -> EncodedFlagValue {
            do {
                return try FlagJSONReader().read(try FlagJSONWriter().bytes(of: value))
            } catch {
                throw CommandFailure("The record cannot be written: \(error).")
            }
        }

        /// Returns the result of a set, from the record if it has it.
        mutating func result(
            of set: [Int], _ run: () throws(CommandFailure) -> Bool
        ) throws(CommandFailure) -> Bool {
            if let known = results[set] { return known }
            let fails = try run()
            count += 1
            results[set] = fails
            if let path {
                let tried = results.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { set, fails in
                    ["set": .array(set.map { .integer(Int128($0)) }), "fails": .bool(fails)] as EncodedFlagValue
                }
                let members: [String: EncodedFlagValue] = ["subject": subject, "tried": .array(tried)]
                try FileWriting.write(FileWriting.bytes(of: members, format: .json), to: path)
            }
            return fails
        }
    }
#endif
