#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineLaunchGuard

    struct LaunchesCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "launches",
            abstract: "Lists the values that a launch guard holds back.",
            discussion: """
                A launch guard holds back the values under which an app died again and again soon after its start. The folder is \
                the one that LaunchGuard(folder:) was given. The guard keeps hashes, so a value is shown if one of the files has \
                it. Ends with 1 if something is held back.

                  tackline launches ~/app/launches
                  tackline launches ~/app/launches --values remote.json
                  tackline bisect --good good.json --bad remote.json --launches ~/app/launches -- ./check.sh {}
                """
        )

        @Argument(help: "The folder of the launch guard.", completion: .directory) var folder: String
        @Option(help: "A file in which the values may be; can be repeated.", completion: .file()) var values: [String] =
            []
        @OptionGroup var output: OutputOptions

        func run() throws {
            let records = try HeldBackRecord.read(folder)
            var files: [FlagFile] = []
            for path in values {
                let file = try FlagFile(path: path)
                try file.requireValues()
                files.append(file)
            }
            let entries = records.flatMap { record in
                record.values.map { held -> EncodedFlagValue in
                    var members: [String: EncodedFlagValue] = [
                        "executable": .string(record.executable), "key": .string(held.key),
                        "provider": .string(held.provider),
                    ]
                    let file = held.file(among: files)
                    members["value"] = file?.document.value(for: FlagKeyPath(held.key))
                    members["file"] = (file?.path).map { .string($0) }
                    return .object(members)
                }
            }
            try output.print("launches", ["heldBack": .array(entries)]) { style in
                if entries.isEmpty { return ["Nothing is held back in \(folder)."].lines }
                return records.filter { !$0.values.isEmpty }.map { record in
                    let lines = record.values.map { held in
                        let found = held.file(among: files).map { file in
                            ": \(file.document.value(for: FlagKeyPath(held.key)) ?? .null) (\(file.path))"
                        }
                        return "  \(held.key) of provider \"\(held.provider)\"\(found ?? "")"
                    }
                    return style.bold(SafeText.line(record.executable)) + " holds back:\n" + lines.lines
                }.joined()
            }
            if !entries.isEmpty { throw CommandFailure.found }
        }
    }

    extension HeldBackRecord {
        /// Returns the records of the launch guard of a folder.
        static func read(_ folder: String) throws(CommandFailure) -> [HeldBackRecord] {
            do throws(HeldBackRecord.ReadingError) {
                return try HeldBackRecord.all(in: folder)
            } catch {
                throw CommandFailure("Could not \(error); name the folder that LaunchGuard(folder:) was given.")
            }
        }
    }

    extension HeldBackRecord.Value {
        /// Returns the file that has the value that is held back, or `nil` if none does.
        fileprivate func file(among files: [FlagFile]) -> FlagFile? {
            files.first { $0.document.value(for: FlagKeyPath(key)).map(matches) ?? false }
        }
    }
#endif
