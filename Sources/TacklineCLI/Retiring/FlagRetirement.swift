#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineRecording
    import TacklineTerminal

    /// The places of a flag in the sources, and what remains of each when the flag is fixed to a value.
    struct FlagRetirement {
        /// The files that a retirement is made from.
        struct Input {
            var key: String
            /// The value as it was typed, or `nil` for the one that the usage has.
            var value: String?
            var manifest: String
            var sources: [String]
            /// The records of usage.
            var usage: [String] = []
            var days = 30
        }

        private let flag: FlagManifest.Entry
        private let value: EncodedFlagValue
        private let places: [(place: SourcePlaces.Place, remains: String)]
        private let usage: FlagUsageWindow?
        let remarks: [String]

        /// Finds the places.
        ///
        /// - Throws: If the flag is unknown, takes no such value, or the files can't be read.
        init(_ input: Input, today: FlagUsageRecord.Day) throws(CommandFailure) {
            let flag = try ManifestIndex(path: input.manifest).require(input.key)
            let usage =
                input.usage.isEmpty ? nil : try FlagUsageWindow(paths: input.usage, days: input.days, today: today)
            let value = try FlagRetirement.value(input.value, of: flag, usage)
            let found = try SourcePlaces(
                of: [flag], in: input.sources, declarationsOnly: false, progress: ProgressReport("Reading sources"))
            let literal = FlagRetirement.literal(value, of: flag)
            places = (found.places[flag.key] ?? []).map { ($0, FlagRetirement.remains(of: $0, literal)) }
            self.flag = flag
            self.value = value
            self.usage = usage
            var remarks = found.remarks
            let others = usage?.values(of: flag).filter { $0 != ValueArgument.json(value) } ?? []
            if !others.isEmpty {
                let list = others.joined(separator: ", ")
                remarks.append(
                    "In the last \(input.days) days reads were given \(list), too, which the removal changes.")
            }
            if let shared = FlagRetirement.namesakes(of: flag, in: input.manifest) {
                remarks.append("\(shared) has a property of the same name; its places are among these.")
            }
            self.remarks = remarks
        }

        private static func value(
            _ text: String?, of flag: FlagManifest.Entry, _ usage: FlagUsageWindow?
        ) throws(CommandFailure) -> EncodedFlagValue {
            if let text { return try ValueArgument.value(text, isString: false, for: flag) }
            let seen = usage?.record.flags[flag.key]?.values(since: usage?.start ?? .init(number: 0)) ?? []
            if seen.count == 1, let value = seen[0].value.value { return value }
            let list = seen.map { "\($0.value)" }.joined(separator: ", ")
            throw CommandFailure(
                seen.isEmpty
                    ? "Say with --value what \"\(flag.key)\" is fixed to."
                    : "Say with --value what \"\(flag.key)\" is fixed to: reads were given \(list).")
        }

        private static func namesakes(of flag: FlagManifest.Entry, in manifest: String) -> String? {
            let flags = (try? ManifestIndex(path: manifest))?.manifest.allFlags ?? []
            let name = SourcePlaces.property(of: flag)
            return flags.first { $0.key != flag.key && SourcePlaces.property(of: $0) == name }.map { "\"\($0.key)\"" }
        }

        /// Returns a value as Swift.
        private static func literal(_ value: EncodedFlagValue, of flag: FlagManifest.Entry) -> String {
            let isEnum = flag.type.cases != nil && !["String", "Int", ""].contains(flag.type.name)
            if isEnum, case .string(let text) = value, text.allSatisfy({ $0.isLetter || $0.isNumber }) {
                return ".\(text)"
            }
            return SwiftLiteral.value(value, of: flag.type) ?? ValueArgument.json(value)
        }

        private static func remains(of place: SourcePlaces.Place, _ literal: String) -> String {
            switch place.kind {
            case .declaration: return "nothing: the declaration goes"
            case .key: return "nothing: the key goes"
            case .name: break
            }
            var before = place.text[..<place.column]
            if before.last == UInt8(ascii: "$") { return "nothing: what follows, explains or writes the flag goes" }
            // `\.flag` and `\Flags.group.flag`.
            while let last = before.last, SourceScanner.isWord(last) || last == UInt8(ascii: ".") {
                before.removeLast()
            }
            if before.last == UInt8(ascii: "\\") { return "nothing: the key path goes" }
            return FixedLine(place.text, column: place.column, value: literal).remains
        }

        /// Whether the usage has no other value.
        var isSafe: Bool { usage?.values(of: flag).allSatisfy { $0 == ValueArgument.json(value) } ?? true }

        private var declaration: String {
            var text = flag.property.isEmpty ? "" : "declared as \(flag.property), "
            text +=
                "takes \(flag.type.phrase); default \(flag.defaultValue.map { ValueArgument.json($0) } ?? "not known")"
            if let owner = flag.owner { text += "; owner \(owner)" }
            if let date = flag.expiryDate { text += "; expires \(date.dayText)" }
            return text
        }

        func text(_ style: TextStyle) -> String {
            var lines = [style.bold("\(flag.key) fixed to \(ValueArgument.json(value))"), "  \(declaration)"]
            if let usage {
                let values = usage.values(of: flag).joined(separator: ", ")
                lines.append(
                    "  usage: \(usage.lastReadText(flag)); values in \(usage.days) days: \(values.isEmpty ? "none" : values)"
                )
            }
            for (place, remains) in places {
                let source = String(decoding: place.text, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
                lines += ["", "\(place.path):\(place.line)", "  \(source)", "  → \(remains)"]
            }
            let files = Set(places.map(\.place.path)).count
            lines += [
                "",
                places.isEmpty
                    ? "No source file names the flag."
                    : "\(places.count) place\(places.count == 1 ? "" : "s") in \(files) file\(files == 1 ? "" : "s"). Nothing was changed.",
            ]
            return lines.map { SafeText.line($0) + "\n" }.joined()
        }

        var json: [String: EncodedFlagValue] {
            let list = places.map { place, remains -> EncodedFlagValue in
                [
                    "path": .string(place.path), "line": .integer(Int128(place.line)),
                    "column": .integer(Int128(place.column + 1)), "remains": .string(remains),
                    "source": .string(String(decoding: place.text, as: UTF8.self)),
                ]
            }
            return ["key": .string(flag.key), "value": value, "isSafe": .bool(isSafe), "places": .array(list)]
        }
    }
#endif
