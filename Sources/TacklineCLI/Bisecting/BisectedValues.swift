#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineRecording

    /// The values with which a command passes, those with which it fails, and the differences between them.
    struct BisectedValues {
        let good: FlagDocument
        let differences: [FlagProviderChange]

        init(good: String, bad: String) throws(CommandFailure) {
            let (good, bad) = (try Self.document(good), try Self.document(bad))
            self.good = good
            differences = FlagDocument.differences(from: good, to: bad)
        }

        /// Returns the values of a file of values, a snapshot, a crash record, or a recording of a session, whose last
        /// values count.
        private static func document(_ path: String) throws(CommandFailure) -> FlagDocument {
            if path != "-", let report = try? FlagCrashReport(contentsOf: URL(filePath: path)) {
                return report.document
            }
            let file = try FlagFile(path: path)
            let data = Data(file.input.bytes)
            if case .array? = file.members["entries"], file.members["separator"] != nil {
                guard let snapshot = try? JSONDecoder().decode(FlagSnapshot.self, from: data) else {
                    throw CommandFailure("\(path) looks like a snapshot, and can't be read as one; make it again.")
                }
                let entries = snapshot.entries.sorted { $0.key.text < $1.key.text }
                return FlagDocument(of: entries.map { ($0.key, $0.value.value) })
            }
            if case .array? = file.members["steps"], file.members["version"] == 1 {
                do throws(SessionRecordingError) {
                    let recording = try SessionRecording(json: data)
                    return FlagDocument(of: recording.steps.compactMap { step in step.value.map { (step.key, $0) } })
                } catch {
                    throw CommandFailure("\(path): \(error)")
                }
            }
            try file.requireValues()
            return file.document
        }

        /// The keys of the good values and of the differences.
        var keys: [FlagKeyPath] { good.leafKeys.map { FlagKeyPath($0) } + differences.map(\.key) }

        /// Returns the good values with some of the differences.
        func document(with set: [Int]) -> FlagDocument {
            var document = good
            for number in set { document.setValue(differences[number].new, for: differences[number].key) }
            return document
        }

        /// Returns those of some keys whose values differ.
        func differing(_ keys: [String]) -> [String] {
            let changed = Set(differences.map(\.key.text))
            return keys.filter(changed.contains)
        }

        /// Returns the numbers of the differences of given keys.
        ///
        /// - Throws: If a key has no difference.
        func numbers(of keys: [String]) throws(CommandFailure) -> [Int] {
            var numbers: [Int] = []
            for key in keys {
                guard let number = differences.firstIndex(where: { $0.key.text == key }) else {
                    throw CommandFailure("\"\(key)\" is a suspect, and has the same value in both files; leave it out.")
                }
                numbers.append(number)
            }
            return numbers
        }
    }

    extension FlagDocument {
        fileprivate init(of values: [(FlagKeyPath, EncodedFlagValue)]) {
            self.init()
            for (key, value) in values { setValue(value, for: key) }
        }
    }
#endif
