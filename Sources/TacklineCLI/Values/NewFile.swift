#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
    import TacklineTerminal

    /// The work of `init`: it creates a file of flags.
    enum NewFile {
        /// Creates a file.
        ///
        /// - Parameters:
        ///   - path: The path of the file; `-` is standard output.
        ///   - content: The content of the file; `nil` to choose it by the name.
        ///   - manifest: The path of the manifest whose defaults the file takes; `nil` for none.
        /// - Returns: A report that names the next step.
        /// - Throws: If the file exists, or cannot be written.
        static func make(_ path: String, as content: ContentName?, manifest: String?) throws(CommandFailure) -> String {
            let index = try manifest.map { path throws(CommandFailure) in try ManifestIndex(path: path) }
            let isDefinitions = content == .flagd || content == nil && path.lowercased().hasSuffix(".flagd.json")
            var values: [String: EncodedFlagValue] = [:]
            var losses: [String] = []
            for flag in index?.manifest.allFlags ?? [] {
                guard let value = flag.defaultValue, value != .null else {
                    losses.append(flag.key)
                    continue
                }
                values[flag.key] = isDefinitions ? FileConversion.definition(of: value, cases: flag.type.cases) : value
            }
            let count = values.count
            if isDefinitions {
                values = ["$schema": "https://flagd.dev/schema/v0/flags.json", "flags": .object(values)]
            }
            let format = isDefinitions ? .json : FileWriting.format(ofNewFile: path)
            var bytes = try FileWriting.bytes(of: values, format: format)
            if format == .json { bytes = FlagJSONFormatter(bytes).formatted }
            try write(bytes, to: path)
            let name = SafeText.line(path)
            let noun = isDefinitions ? "flag definition" : "value"
            var lines = ["\(name): made, with \(count) \(noun)\(count == 1 ? "" : "s")."]
            if !losses.isEmpty {
                lines.append("Without a default, and so left out: \(SafeText.line(losses.joined(separator: ", "))).")
            }
            lines.append(isDefinitions ? "Next: tackline flag add \(name) KEY" : "Next: tackline set \(name) KEY VALUE")
            return lines.map { $0 + "\n" }.joined()
        }

        private static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
            if path == "-" { return try CommandOutput.standard.write(bytes) }
            try FileWriting.rewrite(path) { old throws(CommandFailure) in
                guard old == nil else {
                    throw CommandFailure("\(path) is there already, and stays as it is; name a new file.")
                }
                return bytes
            }
        }
    }
#endif
