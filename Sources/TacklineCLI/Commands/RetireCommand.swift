#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineRecording

    struct RetireCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract: "Shows what remains of the code when a flag is fixed to a value.",
            discussion: """
                Prints each place in the sources that names the flag's property or its key, with what remains of the line. \
                It looks at words and conditions in one line, not at Swift as a whole, and changes nothing. Ends with 1 if \
                the usage has other values, which the removal would change.

                  tackline retire new_checkout --value true --manifest manifest.json --sources Sources
                  tackline retire new_checkout --manifest manifest.json --sources Sources --usage usage/
                """
        )

        @Argument(help: "The key of the flag.") var key: String
        @Option(help: "The value that remains; without it, the only one that the usage has.") var value: String?
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String
        @Option(help: "A folder of source files; several times for several.", completion: .directory)
        var sources: [String] = []
        @OptionGroup var usage: UsageOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if sources.isEmpty { throw ValidationError("Name a folder of source files with --sources.") }
        }

        func run() throws {
            let index = try ManifestIndex(path: manifest)
            let flag = try index.require(key)
            let usage = try usage.window(today: FlagUsageRecord.Day(Date()))
            let value = try fixedValue(of: flag, usage)
            let sources = try SourcePlaces(of: [flag], in: sources)
            let places = sources.places[flag.key, default: []].map { ($0, $0.remains(of: value, flag)) }
            let others = usage?.values(of: flag).filter { $0 != ValueArgument.json(value) } ?? []
            var remarks = sources.remarks
            if let usage, !others.isEmpty {
                let list = others.joined(separator: ", ")
                remarks.append(
                    "In the last \(usage.days) days reads were given \(list), too, which the removal changes.")
            }
            let name = SourcePlaces.property(of: flag)
            let other = index.manifest.allFlags.first { $0.key != key && SourcePlaces.property(of: $0) == name }
            if let other {
                remarks.append("\"\(other.key)\" has a property of the same name; its places are among these.")
            }
            for remark in remarks { CommandOutput.error.report("note: \(remark)") }
            let entries = places.map { place, remains -> EncodedFlagValue in
                [
                    "path": .string(place.path), "line": .count(place.line), "column": .count(place.column + 1),
                    "remains": .string(remains), "source": .string(String(decoding: place.text, as: UTF8.self)),
                ]
            }
            let members: [String: EncodedFlagValue] = [
                "key": .string(key), "value": value, "isSafe": .bool(others.isEmpty), "places": .array(entries),
            ]
            try output.print("retire", members) { style in
                let value = ValueArgument.json(value)
                var lines = ["  \(declaration(of: flag))"]
                if let usage {
                    let values = usage.values(of: flag).joined(separator: ", ")
                    let list = values.isEmpty ? "none" : values
                    lines.append("  usage: \(usage.lastReadText(flag)); values in \(usage.days) days: \(list)")
                }
                for (place, remains) in places {
                    let source = String(decoding: place.text, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
                    lines += ["", "\(place.path):\(place.line)", "  \(source)", "  → \(remains)"]
                }
                let files = Set(places.map(\.0.path)).count.of("file")
                let count = "\(places.count.of("place")) in \(files). Nothing was changed."
                lines += ["", places.isEmpty ? "No source file names the flag." : count]
                return style.bold(SafeText.line("\(key) fixed to \(value)")) + "\n" + lines.lines
            }
            if !others.isEmpty { throw CommandFailure.found }
        }

        /// Returns the value that remains: the given one, or the only one of the records.
        private func fixedValue(
            of flag: FlagManifest.Entry, _ usage: FlagUsageWindow?
        ) throws(CommandFailure) -> EncodedFlagValue {
            if let value { return try ValueArgument.value(value, isString: false, for: flag) }
            let seen = usage?.record.flags[flag.key]?.values(since: usage?.start ?? .init(number: 0)) ?? []
            if seen.count == 1, let value = seen[0].value.value { return value }
            let list = seen.map { "\($0.value)" }.joined(separator: ", ")
            throw CommandFailure(
                seen.isEmpty
                    ? "Say with --value what \"\(flag.key)\" is fixed to."
                    : "Say with --value what \"\(flag.key)\" is fixed to: reads were given \(list).")
        }

        private func declaration(of flag: FlagManifest.Entry) -> String {
            var text = flag.property.isEmpty ? "" : "declared as \(flag.property), "
            let value = flag.defaultValue.map { ValueArgument.json($0) } ?? "not known"
            text += "takes \(flag.type.phrase); default \(value)"
            if let owner = flag.owner { text += "; owner \(owner)" }
            if let date = flag.expiryDate { text += "; expires \(date.dayText)" }
            return text
        }
    }

    extension SourcePlaces.Place {
        /// Returns what remains of the line when a flag is fixed to a value.
        fileprivate func remains(of value: EncodedFlagValue, _ flag: FlagManifest.Entry) -> String {
            switch kind {
            case .declaration: return "nothing: the declaration goes"
            case .key: return "nothing: the key goes"
            case .name: break
            }
            var before = text[..<column]
            if before.last == UInt8(ascii: "$") { return "nothing: what follows, explains or writes the flag goes" }
            // `\.flag` and `\Flags.group.flag`.
            while let last = before.last, SourceScanner.isWord(last) || last == UInt8(ascii: ".") {
                before.removeLast()
            }
            if before.last == UInt8(ascii: "\\") { return "nothing: the key path goes" }
            return FixedLine(text, column: column, value: literal(value, of: flag)).remains
        }

        /// Returns a value as Swift.
        private func literal(_ value: EncodedFlagValue, of flag: FlagManifest.Entry) -> String {
            let isEnum = flag.type.cases != nil && !["String", "Int", ""].contains(flag.type.name)
            if isEnum, case .string(let text) = value, text.allSatisfy({ $0.isLetter || $0.isNumber }) {
                return ".\(text)"
            }
            return SwiftLiteral.value(value, of: flag.type) ?? ValueArgument.json(value)
        }
    }
#endif
