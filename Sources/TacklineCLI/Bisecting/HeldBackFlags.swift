#if CommandLine
    import TacklineCore
    import TacklineLaunchGuard
    import TacklineTerminal

    /// The flags that the launch guard of a folder holds back.
    struct HeldBackFlags {
        private let folder: String
        private let records: [HeldBackRecord]
        /// The files in which a held-back value may be.
        private let files: [FlagFile]

        init(folder: String, values paths: [String] = []) throws(CommandFailure) {
            self.folder = folder
            do throws(HeldBackRecord.ReadingError) {
                records = try HeldBackRecord.all(in: folder)
            } catch {
                throw CommandFailure("Could not \(error); name the folder that LaunchGuard(folder:) was given.")
            }
            var files: [FlagFile] = []
            for path in paths {
                let file = try FlagFile(path: path)
                try file.requireValues()
                files.append(file)
            }
            self.files = files
        }

        /// The keys, sorted, each once.
        var keys: [String] { Set(records.flatMap { $0.values.map(\.key) }).sorted() }

        var isEmpty: Bool { records.allSatisfy(\.values.isEmpty) }

        /// Returns the value that is held back and the file that has it, or `nil` if no file does.
        private func value(of held: HeldBackRecord.Value) -> (value: EncodedFlagValue, path: String)? {
            for file in files {
                if let value = file.document.value(for: FlagKeyPath(held.key)), held.matches(value) {
                    return (value, file.path)
                }
            }
            return nil
        }

        func text(_ style: TextStyle) -> String {
            guard !isEmpty else { return "Nothing is held back in \(SafeText.line(folder)).\n" }
            var lines: [String] = []
            for record in records where !record.values.isEmpty {
                lines.append("\(style.bold(SafeText.line(record.executable))) holds back:")
                for held in record.values {
                    let place = "\(SafeText.line(held.key)) of provider \"\(SafeText.line(held.provider))\""
                    let found = value(of: held).map { ": \($0.value) (\(SafeText.line($0.path)))" }
                    lines.append("  \(place)\(found ?? "")")
                }
            }
            return lines.joined(separator: "\n") + "\n"
        }

        var json: [String: EncodedFlagValue] {
            let entries = records.flatMap { record in
                record.values.map { held -> EncodedFlagValue in
                    var members: [String: EncodedFlagValue] = [
                        "executable": .string(record.executable), "key": .string(held.key),
                        "provider": .string(held.provider),
                    ]
                    if let found = value(of: held) {
                        members["value"] = found.value
                        members["file"] = .string(found.path)
                    }
                    return .object(members)
                }
            }
            return ["heldBack": .array(entries)]
        }
    }
#endif
