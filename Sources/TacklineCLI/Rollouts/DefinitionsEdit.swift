#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
    import TacklineTargeting
    import TacklineTerminal

    /// Edits of flag definitions in their text. The rest of the file keeps its layout.
    enum DefinitionsEdit {
        /// A change of one flag.
        enum Change {
            case add([String: EncodedFlagValue], defaultVariant: String?, isEnabled: Bool)
            case state(isEnabled: Bool)
            case defaultVariant(String)
            case variant(String, EncodedFlagValue)
            case remove
        }

        /// Changes flags as ``apply(_:to:)`` does.
        ///
        /// - Returns: A report of the changes, for people or for programs.
        static func report(
            _ changes: [(key: String, change: Change)], to path: String, isJSON: Bool
        ) throws(CommandFailure) -> String {
            let lines = try apply(changes, to: path)
            guard isJSON else { return lines.map { SafeText.line($0, limit: .max) + "\n" }.joined() }
            return try JSONReport.text(
                "flag",
                [
                    "keys": .array(changes.map { .string($0.key) }), "changes": .array(lines.map { .string($0) }),
                ])
        }

        /// Reads variants as the command line gives them, such as `on=true`.
        static func variants(_ texts: [String]) throws(CommandFailure) -> [String: EncodedFlagValue] {
            var variants: [String: EncodedFlagValue] = [:]
            for text in texts {
                guard let (name, value) = text.assignment else {
                    throw CommandFailure("\"\(text)\" is not a variant with a value; say on=true.", status: .usage)
                }
                guard variants[name] == nil else {
                    throw CommandFailure("The variant \"\(name)\" is there twice; name it once.", status: .usage)
                }
                variants[name] = try ValueArgument.value(value, isString: false, for: nil)
            }
            return variants
        }

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
                guard var bytes else {
                    throw CommandFailure("\(path) is not there; check the spelling, or make it: tackline init \(path)")
                }
                lines = []
                for (key, change) in changes {
                    let (new, line) = try edited(try read(bytes, path), key, change)
                    bytes = new
                    lines.append(line)
                }
                // The new text must be readable too.
                _ = try read(bytes, path).definitions()
                return bytes
            }
            return lines
        }

        private static func read(_ bytes: [UInt8], _ path: String) throws(CommandFailure) -> FlagFile {
            let file: FlagFile
            do throws(FlagFileError) {
                let input = InputFile(path: path, bytes: bytes)
                let read = try FlagFile(input)
                // A document without flags is recognized as values.
                if read.content == .values, case .object(let flags)? = read.members["flags"], flags.isEmpty {
                    file = try FlagFile(input, as: .flagd)
                } else {
                    file = read
                }
            } catch {
                throw CommandFailure("\(error.finding.line()). Nothing was written.")
            }
            guard file.format == .json else {
                throw CommandFailure("\(path) is not JSON, as flag definitions are; name another file.")
            }
            return file
        }

        private static func edited(
            _ file: FlagFile, _ key: String, _ change: Change
        ) throws(CommandFailure) -> (bytes: [UInt8], line: String) {
            let definitions = try file.definitions()
            let definition = definitions.flags[key]
            var edit = FlagJSONEdit(file.input.bytes)
            let isDone: Bool
            let line: String
            if case .add(let variants, let chosen, let isEnabled) = change {
                guard definition == nil else {
                    throw CommandFailure("\(file.path) has a flag \"\(key)\" already; tackline flag set changes it.")
                }
                isDone = try add(key, variants, chosen, isEnabled, to: file, &edit)
                line = "\(key): added, \(isEnabled ? "enabled" : "disabled")"
            } else {
                guard let definition else {
                    let advice = KeySuggestion(definitions.flags.keys.sorted())
                        .advice(for: key, otherwise: "tackline flag add adds it")
                    throw CommandFailure("\(file.path) has no flag \"\(key)\"; \(advice)")
                }
                (isDone, line) = try changed(definition, key, change, file, &edit)
            }
            guard isDone else {
                if file.comment != nil { throw CommandFailure.lostComments(file.path) }
                throw CommandFailure("Flag \"\(key)\" could not be changed in \(file.path). Nothing was written.")
            }
            let after = try read(edit.result, file.path).definitions().flags[key]
            if let error = after?.error, definition?.error == nil {
                throw CommandFailure("Flag \"\(key)\": \(error). Nothing was written.")
            }
            if case .defaultVariant = change, let message = after?.unreachedDefault {
                return (edit.result, "\(line), but \(message)")
            }
            return (edit.result, line)
        }

        private static func changed(
            _ definition: FlagDefinition, _ key: String, _ change: Change, _ file: FlagFile, _ edit: inout FlagJSONEdit
        ) throws(CommandFailure) -> (isDone: Bool, line: String) {
            let path = file.path(ofFlag: key)
            func set(_ value: EncodedFlagValue, _ names: String...) -> Bool {
                (try? edit.set(value, at: path + names)) == true
            }
            switch change {
            case .add: return (false, "")
            case .state(let isEnabled):
                let word = isEnabled ? "enabled" : "disabled"
                if definition.isEnabled == isEnabled { return (true, "\(key): \(word), as before") }
                return (set(.string(isEnabled ? "ENABLED" : "DISABLED"), "state"), "\(key): \(word)")
            case .defaultVariant(let name):
                try require(name, of: definition, key)
                let was = definition.defaultVariant.map { " (was \"\($0)\")" } ?? ""
                return (set(.string(name), "defaultVariant"), "\(key): default variant \"\(name)\"\(was)")
            case .variant(let name, let value):
                let was = definition.variants[name].map { " (was \(ValueArgument.json($0)))" } ?? " (new)"
                return (set(value, "variants", name), "\(key): \"\(name)\" = \(ValueArgument.json(value))\(was)")
            case .remove:
                if case .array? = file.members["flags"] {
                    throw CommandFailure("The flags of \(file.path) stand in a list; remove \"\(key)\" by hand.")
                }
                return (edit.removeMember(at: path), "\(key): removed")
            }
        }

        private static func require(
            _ name: String, of definition: FlagDefinition, _ key: String
        ) throws(CommandFailure) {
            guard definition.variants[name] == nil else { return }
            let names = definition.variants.keys.sorted()
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            let advice = KeySuggestion(names).advice(for: name, otherwise: "the variants are \(list)")
            throw CommandFailure("Flag \"\(key)\" has no variant \"\(name)\"; \(advice)")
        }

        private static func add(
            _ key: String, _ variants: [String: EncodedFlagValue], _ chosen: String?, _ isEnabled: Bool,
            to file: FlagFile, _ edit: inout FlagJSONEdit
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
                let list = variants.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
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

    extension BrowsedDefinitions.Content {
        init(_ definitions: FlagDefinitions) {
            flags = definitions.flags.sorted { $0.key < $1.key }.map { key, flag in
                Flag(
                    key: key, isEnabled: flag.isEnabled, defaultVariant: flag.defaultVariant,
                    variants: flag.variants.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
                    rule: flag.targeting)
            }
        }
    }
#endif
