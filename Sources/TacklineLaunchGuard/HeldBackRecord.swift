package import TacklineCore

/// The values that one executable holds back, as the folder of a ``LaunchGuard`` has them, for tools.
package struct HeldBackRecord: Sendable {
    /// The name of the executable's folder: the identifier of its bundle, if any, and the name of the file.
    package let executable: String
    /// The values, sorted by key and provider.
    package let values: [Value]

    /// A value that is held back.
    package struct Value: Sendable {
        /// The key of the flag, as text. A very long one is shortened.
        package let key: String
        /// The id of the provider. A very long one is shortened.
        package let provider: String
        private let hash: UInt64

        fileprivate init(_ value: LaunchValue) { (key, provider, hash) = (value.key, value.provider, value.hash) }

        /// Returns whether this is the value of the flag. The guard keeps only its hash.
        package func matches(_ value: EncodedFlagValue) -> Bool {
            ValueHash.value(value, at: ValueHash.slot(FlagKeyPath(key), provider)) == hash
        }
    }

    /// An error for a folder that can't be read.
    package struct ReadingError: Error, CustomStringConvertible {
        /// The operation and its failure, as it reads after "could not".
        package let description: String
    }

    /// Reads the records of all executables in a folder, sorted by name. No launch begins, and nothing is changed.
    ///
    /// - Throws: ``ReadingError`` if the folder, or a record in it, can't be read.
    package static func all(in path: String) throws(ReadingError) -> [HeldBackRecord] {
        do throws(LaunchFileError) {
            var records: [HeldBackRecord] = []
            for name in try LaunchFolder(path: path).names().names.sorted() where name != "." && name != ".." {
                let folder = LaunchFolder(path: "\(path)/\(name)")
                // Something else may be beside the folders.
                guard (try? folder.names()) != nil else { continue }
                let values = try folder.readRecord().heldBack
                    .sorted { ($0.key, $0.provider, $0.hash) < ($1.key, $1.provider, $1.hash) }
                records.append(HeldBackRecord(executable: name, values: values.map(Value.init)))
            }
            return records
        } catch {
            throw ReadingError(description: error.description)
        }
    }
}
