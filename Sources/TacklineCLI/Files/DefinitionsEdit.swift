#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
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
        }

        private var file: FlagFile
        private var definitions: FlagDefinitions

        /// Changes either all of the flags or none.
        ///
        /// - Parameter path: The file; `-` reads standard input and writes the new text to standard output.
        /// - Returns: A line for each change.
        /// - Throws: The reason for the failure. The file is then unchanged.
        static func apply(
            _ changes: [(key: String, change: Change)], to path: String
        ) throws(CommandFailure) -> [String] {
            var lines: [String] = []
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                guard let bytes else {
                    throw CommandFailure("\(path) is not there; check the spelling, or make it: tackline init \(path)")
                }
                lines = []
                var edit = try DefinitionsEdit(InputFile(path: path, bytes: bytes))
                for (key, change) in changes { lines.append(try edit.apply(change, to: key)) }
                return edit.file.input.bytes
            }
            return lines
        }

        private init(_ input: InputFile) throws(CommandFailure) {
            file = try FlagFile(input)
            // A document without flags is recognized as values.
            if file.content == .values, case .object(let flags)? = file.members["flags"], flags.isEmpty {
                file = try FlagFile(input, as: .flagd)
            }
            guard file.format == .json else {
                throw CommandFailure("\(file.path) is not JSON, as flag definitions are; name another file.")
            }
            definitions = try file.definitions()
        }

        /// Makes a change, and returns a line about it.
        private mutating func apply(_ change: Change, to key: String) throws(CommandFailure) -> String {
            let former = definitions.flags[key]
            var edit = FlagJSONEdit(file.input.bytes)
            let (isDone, line) = try apply(change, to: key, former, &edit)
            guard isDone else {
                if file.comment != nil { throw CommandFailure.lostComments(file.path) }
                throw CommandFailure("Flag \"\(key)\" could not be changed in \(file.path). Nothing was written.")
            }
            // The new text must be readable too.
            self = try DefinitionsEdit(InputFile(path: file.path, bytes: edit.result))
            if let error = definitions.flags[key]?.error, former?.error == nil {
                throw CommandFailure("Flag \"\(key)\": \(error). Nothing was written.")
            }
            return line
        }

        private func apply(
            _ change: Change, to key: String, _ former: FlagDefinition?, _ edit: inout FlagJSONEdit
        ) throws(CommandFailure) -> (isDone: Bool, line: String) {
            if case .add(let variants, let chosen, let isEnabled) = change {
                guard former == nil else {
                    throw CommandFailure("\(file.path) has a flag \"\(key)\" already; tackline flag set changes it.")
                }
                let isDone = try add(key, variants, chosen, isEnabled, &edit)
                return (isDone, "\(key): added, \(isEnabled ? "enabled" : "disabled")")
            }
            guard let former else {
                let advice = KeySuggestion(definitions.flags.keys.sorted())
                    .advice(for: key, otherwise: "tackline flag add adds it")
                throw CommandFailure("\(file.path) has no flag \"\(key)\"; \(advice)")
            }
            let path = file.path(ofFlag: key)
            func set(_ value: EncodedFlagValue, _ names: String...) -> Bool {
                (try? edit.set(value, at: path + names)) == true
            }
            switch change {
            case .add: return (false, "")
            case .state(let isEnabled):
                let word = isEnabled ? "enabled" : "disabled"
                if former.isEnabled == isEnabled { return (true, "\(key): \(word), as before") }
                return (set(.string(isEnabled ? "ENABLED" : "DISABLED"), "state"), "\(key): \(word)")
            case .defaultVariant(let name):
                let names = former.variants.keys.sorted()
                guard names.contains(name) else {
                    let list = "the variants are \(Self.list(names))"
                    let advice = KeySuggestion(names).advice(for: name, otherwise: list)
                    throw CommandFailure("Flag \"\(key)\" has no variant \"\(name)\"; \(advice)")
                }
                let was = former.defaultVariant.map { " (was \"\($0)\")" } ?? ""
                return (set(.string(name), "defaultVariant"), "\(key): default variant \"\(name)\"\(was)")
            case .variant(let name, let value):
                let was = former.variants[name].map { " (was \(ValueArgument.json($0)))" } ?? " (new)"
                return (set(value, "variants", name), "\(key): \"\(name)\" = \(ValueArgument.json(value))\(was)")
            case .remove:
                if case .array? = file.members["flags"] {
                    throw CommandFailure("The flags of \(file.path) stand in a list; remove \"\(key)\" by hand.")
                }
                return (edit.removeMember(at: path), "\(key): removed")
            }
        }

        private func add(
            _ key: String, _ variants: [String: EncodedFlagValue], _ chosen: String?, _ isEnabled: Bool,
            _ edit: inout FlagJSONEdit
        ) throws(CommandFailure) -> Bool {
            if case .array? = file.members["flags"] {
                throw CommandFailure("The flags of \(file.path) stand in a list; add \"\(key)\" by hand.")
            }
            let variants = variants.isEmpty ? ["on": true, "off": false] : variants
            let chosen = chosen ?? (variants.count == 1 ? variants.keys.first : variants["off"] == nil ? nil : "off")
            guard let chosen else {
                throw CommandFailure(
                    "Say which variant flag \"\(key)\" gives by default, with --default.", status: .usage)
            }
            guard variants[chosen] != nil else {
                let list = Self.list(variants.keys.sorted())
                throw CommandFailure("There is no variant \"\(chosen)\" for the default; the variants are \(list).")
            }
            let flag: EncodedFlagValue = [
                "state": .string(isEnabled ? "ENABLED" : "DISABLED"), "variants": .object(variants),
                "defaultVariant": .string(chosen),
            ]
            guard file.members["flags"] != nil else {
                return (try? edit.set([key: flag] as EncodedFlagValue, at: ["flags"])) == true
            }
            return (try? edit.set(flag, at: ["flags", key])) == true
        }

        /// Returns names in quotes, separated by commas.
        static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    }

    extension FlagFile {
        /// Returns the path of a flag. Flags are members of an object or, in a form that only flagd itself reads,
        /// elements of a list.
        func path(ofFlag key: String) -> [String] {
            if case .array(let flags)? = members["flags"] {
                for (position, flag) in flags.enumerated() {
                    if case .object(let members) = flag, members["key"] == .string(key) {
                        return ["flags", String(position)]
                    }
                }
            }
            return ["flags", key]
        }
    }
#endif
