#if CommandLine
    import TacklineCore
    import TacklineTargeting

    /// An edit of flag definitions in their text. The rest of the file keeps its layout.
    struct DefinitionsEdit {
        /// A change of one flag.
        enum Change {
            case add([String: EncodedFlagValue], defaultVariant: String?, isEnabled: Bool)
            case state(isEnabled: Bool)
            case defaultVariant(String)
            case variant(String, EncodedFlagValue)
            case remove

            var isAddition: Bool { if case .add = self { true } else { false } }
        }

        private var file: FlagFile
        private var definitions: FlagDefinitions

        /// The text of a document without flags.
        private static let newDocument = """
            {
              "$schema": "https://flagd.dev/schema/v0/flags.json",
              "flags": {}
            }

            """

        /// Changes either all of the flags or none. A file that is not there is made if flags are added to it.
        ///
        /// - Parameter path: The file; `-` reads standard input and writes the new text to standard output.
        /// - Returns: A line for each change.
        /// - Throws: The reason for the failure. The file is then unchanged.
        static func apply(
            _ changes: [(key: String, change: Change)], to path: String
        ) throws(CommandFailure) -> [String] {
            var lines: [String] = []
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                lines = bytes == nil ? ["\(path): made"] : []
                guard bytes != nil || changes.allSatisfy(\.change.isAddition) else {
                    throw CommandFailure(
                        "\(path) is not there; check the spelling, or make it with tackline flag add.")
                }
                var edit = try DefinitionsEdit(InputFile(path: path, bytes: bytes ?? Array(newDocument.utf8)))
                for (key, change) in changes { lines.append(try edit.apply(change, to: key)) }
                return edit.file.input.bytes
            }
            return lines
        }

        private init(_ input: InputFile) throws(CommandFailure) {
            file = try FlagFile(input)
            definitions = try file.definitions()
            try file.requireEditableFlags()
        }

        /// Makes a change, and returns a line about it.
        private mutating func apply(_ change: Change, to key: String) throws(CommandFailure) -> String {
            let former = definitions.flags[key]
            let (value, names, line) = try apply(change, to: key, former)
            var members = EncodedFlagValue.object(file.members)
            members.set(value, at: ["flags", key] + names)
            guard case .object(let new) = members else { return line }
            let text = try file.text(holding: new)
            // The new text must be readable too.
            self = try DefinitionsEdit(InputFile(path: file.path, bytes: text.bytes))
            if let error = definitions.flags[key]?.error, former?.error == nil {
                throw CommandFailure("Flag \"\(key)\": \(error). Nothing was written.")
            }
            return text.keepsLayout ? line : line + "; \(file.path) was rewritten, sorted by key"
        }

        /// Returns the value of the part of the flag's definition that changes, the names that lead to it, and a line.
        private func apply(
            _ change: Change, to key: String, _ former: FlagDefinition?
        ) throws(CommandFailure) -> (EncodedFlagValue?, [String], String) {
            if case .add(let variants, let chosen, let isEnabled) = change {
                guard former == nil else {
                    throw CommandFailure("\(file.path) has a flag \"\(key)\" already; tackline flag set changes it.")
                }
                let flag = try Self.definition(key, variants, chosen, isEnabled)
                return (flag, [], "\(key): added, \(isEnabled ? "enabled" : "disabled")")
            }
            let former = try definitions.require(key, in: file.path)
            switch change {
            case .add, .remove: return (nil, [], "\(key): removed")
            case .state(let isEnabled):
                let word = (isEnabled ? "enabled" : "disabled") + (former.isEnabled == isEnabled ? ", as before" : "")
                return (.string(isEnabled ? "ENABLED" : "DISABLED"), ["state"], "\(key): \(word)")
            case .defaultVariant(let name):
                let names = former.variants.keys.sorted()
                guard names.contains(name) else {
                    let advice = KeySuggestion(names).advice(
                        for: name, otherwise: "the variants are \(Self.list(names))")
                    throw CommandFailure("Flag \"\(key)\" has no variant \"\(name)\"; \(advice)")
                }
                let was = former.defaultVariant.map { " (was \"\($0)\")" } ?? ""
                return (.string(name), ["defaultVariant"], "\(key): default variant \"\(name)\"\(was)")
            case .variant(let name, let value):
                let was = former.variants[name].map { " (was \(ValueArgument.json($0)))" } ?? " (new)"
                return (value, ["variants", name], "\(key): \"\(name)\" = \(ValueArgument.json(value))\(was)")
            }
        }

        private static func definition(
            _ key: String, _ variants: [String: EncodedFlagValue], _ chosen: String?, _ isEnabled: Bool
        ) throws(CommandFailure) -> EncodedFlagValue {
            let variants = variants.isEmpty ? ["on": true, "off": false] : variants
            let chosen = chosen ?? (variants.count == 1 ? variants.keys.first : variants["off"] == nil ? nil : "off")
            guard let chosen else {
                throw CommandFailure(
                    "Say which variant flag \"\(key)\" gives by default, with --default.", status: .usage)
            }
            guard variants[chosen] != nil else {
                let list = list(variants.keys.sorted())
                throw CommandFailure("There is no variant \"\(chosen)\" for the default; the variants are \(list).")
            }
            return [
                "state": .string(isEnabled ? "ENABLED" : "DISABLED"), "variants": .object(variants),
                "defaultVariant": .string(chosen),
            ]
        }

        /// Returns names in quotes, separated by commas.
        static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    }

    extension FlagFile {
        /// Throws an error for definitions in a list, a form that only flagd itself reads.
        func requireEditableFlags() throws(CommandFailure) {
            if case .array? = members["flags"] {
                throw CommandFailure(
                    "The flags of \(path) are in a list, which this command does not edit; make it an object.")
            }
        }
    }

    extension FlagDefinitions {
        /// Returns a flag, or throws an error that suggests a similar key.
        func require(_ key: String, in path: String) throws(CommandFailure) -> FlagDefinition {
            if let flag = flags[key] { return flag }
            let advice = KeySuggestion(flags.keys.sorted()).advice(for: key, otherwise: "tackline flag add adds it")
            throw CommandFailure("\(path) has no flag \"\(key)\"; \(advice)")
        }
    }
#endif
