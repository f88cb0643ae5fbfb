#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    struct GenerateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate",
            abstract: "Writes source code for flags.",
            subcommands: [SwiftSource.self]
        )

        struct SwiftSource: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "swift",
                abstract: "Writes a flag collection in Swift from a manifest or from flag definitions.",
                discussion: """
                    Keys, types, defaults and metadata become those of the file; a list of cases becomes an enum. Of \
                    definitions, the type is that of the variants, and the default the default variant. The manifest of \
                    what is written says the same as the one that it was written from. What cannot be carried over is \
                    said on standard error.

                      tackline generate swift manifest.json --output Sources/App/AppFlags.swift
                      tackline generate swift rollout.flagd.json --name RolloutFlags
                    """
            )

            @Argument(help: "The manifest, or flag definitions.", completion: .file()) var file: String
            @Option(help: "The name of the collection.") var name: String?
            @Option(name: .shortAndLong, help: "The file to write; standard output otherwise.", completion: .file())
            var output: String?

            func run() throws {
                let (text, remarks) = try SwiftGenerator.run(file, name: name)
                for remark in remarks { CommandOutput.error.report("\(file): note: \(remark)") }
                try FileWriting.write(Array(text.utf8), to: output ?? "-")
            }
        }
    }

    /// A generator of Swift source for flag collections.
    struct SwiftGenerator {
        /// Remarks for the user, a line each.
        private(set) var remarks: [String] = []
        private var body = ""
        /// The names of the types in the file.
        private var types: Set<String> = []

        /// Returns the output of `generate swift` for a manifest or flag definitions.
        ///
        /// - Parameter name: The name of the collection; `nil` to take it from the manifest.
        static func run(_ path: String, name: String?) throws(CommandFailure) -> (text: String, remarks: [String]) {
            let file = try FlagFile(path: path)
            let manifest: FlagManifest
            switch file.content {
            case .manifest: manifest = try file.manifest()
            case .flagd: manifest = FlagManifest(try file.definitions())
            case .values:
                throw CommandFailure(
                    """
                    \(path) holds values by key, which do not say what flags there are; name a manifest or flag \
                    definitions.
                    """)
            }
            if let name, !SwiftNames.isIdentifier(name) || SwiftNames.isTaken(name) {
                throw CommandFailure(
                    "\"\(name)\" is not a name for a type of yours in Swift; choose one such as AppFlags.",
                    status: .usage)
            }
            var generator = SwiftGenerator()
            for listing in manifest.collections { generator.add(listing, name: name) }
            return (generator.text(from: path), generator.remarks)
        }

        private func text(from path: String) -> String {
            let source = SafeText.line(path.split(separator: "/").last.map(String.init) ?? path)
            let needsFoundation = [
                "Date(", ": Date", "Data(", ": Data", "URL(", ": URL", "UUID(", ": UUID", "[URL", "[Date",
            ]
            .contains { body.contains($0) }
            return """
                // Made by tackline generate swift from \(source). Change that, and make this anew.
                // swift-format-ignore-file

                \(needsFoundation ? "import Foundation\n" : "")import Tackline

                """ + body
        }

        // MARK: Collections

        /// A struct of flags, with the groups inside it.
        private struct Group {
            var property = ""
            var title: String?
            var flags: [(property: String, entry: FlagManifest.Entry)] = []
            var groups: [Group] = []

            /// Adds a flag to the group to which its names lead.
            mutating func add(_ entry: FlagManifest.Entry, _ names: ArraySlice<String>, titles: ArraySlice<String>) {
                guard let name = names.first, names.count > 1 else {
                    return flags.append((names.first ?? "flag", entry))
                }
                let place =
                    groups.firstIndex { $0.property == name }
                    ?? {
                        groups.append(Group(property: name, title: titles.first))
                        return groups.count - 1
                    }()
                groups[place].add(entry, names.dropFirst(), titles: titles.dropFirst())
            }
        }

        private mutating func add(_ listing: FlagManifest.Listing, name: String?) {
            var root = Group()
            for entry in listing.flags {
                let names = Self.names(of: entry, separator: listing.separator)
                let titles = entry.groups.count == names.count - 1 ? entry.groups : Array(names.dropLast())
                root.add(entry, names[...], titles: titles[...])
            }
            let wanted = name ?? listing.name.map { SwiftNames.type($0) } ?? "AppFlags"
            let type = SwiftNames.unique(wanted, in: &types)
            if listing.separator != FlagKeyPath.defaultSeparator {
                remarks.append(
                    "load \(type) with KeyConfiguration(pathSeparator: \(SwiftLiteral.string(listing.separator)))")
            }
            body += "\n" + comment(listing.description, otherwise: listing.name ?? "Flags", indentation: 0)
            write(root, as: type, keys: [], indentation: 0)
        }

        /// Returns the names that lead to a flag's property, taken from its source or made from its key.
        private static func names(of entry: FlagManifest.Entry, separator: String) -> [String] {
            let names = entry.property.split(separator: ".").map(String.init)
            if !names.isEmpty, names.count <= 16, names.allSatisfy(SwiftNames.isIdentifier) {
                return names.map(SwiftNames.property)
            }
            let components = FlagKeyPath(entry.key, separator: separator).components
            return components.suffix(16).map { SwiftNames.property($0) }
        }

        /// Writes a struct. Recursion is limited by the number of names that lead to a flag.
        private mutating func write(_ group: Group, as type: String, keys: [String], indentation: Int) {
            let blanks = String(repeating: " ", count: indentation)
            let inner = blanks + "    "
            body += "\(blanks)struct \(type): FlagCollectionProtocol {\n"
            var properties: Set<String> = ["init", "self"]
            var inside: Set<String> = []
            var enums: [SwiftCases] = []
            func gap() -> String { body.hasSuffix("{\n") ? "" : "\n" }
            for (property, entry) in group.flags {
                let property = SwiftNames.unique(property, in: &properties, isWrapped: true)
                body += gap() + flag(entry, property, keys: keys, &inside, &enums, indentation: inner)
            }
            for part in group.groups {
                let property = SwiftNames.unique(part.property, in: &properties, isWrapped: true)
                let name = SwiftNames.unique(SwiftNames.type(part.property), in: &inside)
                let title = part.title.flatMap { $0 == property ? nil : "(name: \(SwiftLiteral.string($0)))" } ?? ""
                body += gap() + "\(inner)@FlagCollection\(title) var \(SwiftNames.source(property)): \(name)\n\n"
                write(
                    part, as: name, keys: keys + [KeyConfiguration.Transform.snakeCase(property)],
                    indentation: indentation + 4)
            }
            body += "\(blanks)}\n"
        }

        // MARK: Flags

        private mutating func flag(
            _ entry: FlagManifest.Entry, _ property: String, keys: [String], _ inside: inout Set<String>,
            _ enums: inout [SwiftCases], indentation: String
        ) -> String {
            var type = entry.type
            var declaration = ""
            var name = SwiftLiteral.type(type)
            var value = entry.defaultValue.flatMap { SwiftLiteral.value($0, of: type) }
            let known = enums.count
            if let cases = SwiftCases(type, property: property, used: &inside, known: &enums) {
                if enums.count > known { declaration = cases.source(indentation: indentation) + "\n" }
                name = cases.name + (type.isOptional ? "?" : "")
                value = entry.defaultValue.flatMap { cases.value($0) }
                if value == nil, type.isOptional {
                    value = "nil"
                    if let other = entry.defaultValue, other != .null {
                        remarks.append("the default of \"\(entry.key)\" is none of its cases; it became nil")
                    }
                }
            }
            if value == nil, type.isOptional, [nil, .null].contains(entry.defaultValue) {
                value = "nil"
            } else if value == nil {
                type.isOptional = true
                name += "?"
                value = "nil"
                remarks.append("\"\(entry.key)\" has no default that source can hold; it was made optional")
            }
            if type.members != nil {
                remarks.append("the members of \"\(entry.key)\" are not declared; it became a dictionary")
            }
            var arguments: [String] = []
            if let title = entry.metadata.name { arguments.append("name: \(SwiftLiteral.string(title))") }
            if let key = key(of: entry, property, keys) { arguments.append("key: \(key)") }
            arguments.append("default: \(value ?? "nil")")
            if let about = metadata(of: entry) { arguments.append("description: \(about)") }
            let note = entry.isComputed ? "\(indentation)// The app computes its value.\n" : ""
            return declaration + comment(entry.description, otherwise: nil, indentation: indentation.count) + note
                + "\(indentation)@Flag(\(arguments.joined(separator: ", ")))\n"
                + "\(indentation)var \(SwiftNames.source(property)): \(name)\n"
        }

        /// Returns the key as source; `nil` if a loader derives the same key from the names.
        private func key(of entry: FlagManifest.Entry, _ property: String, _ keys: [String]) -> String? {
            let separator = FlagKeyPath.defaultSeparator
            let around = keys.map { $0 + separator }.joined()
            if entry.key == around + KeyConfiguration.Transform.snakeCase(property) { return nil }
            let last = entry.key.dropFirst(around.count)
            if entry.key.hasPrefix(around), !last.isEmpty, !last.contains(separator) {
                return SwiftLiteral.string(String(last))
            }
            return ".absolute(\(SwiftLiteral.string(entry.key)))"
        }

        private func metadata(of entry: FlagManifest.Entry) -> String? {
            var parts: [String] = []
            if entry.isInternal { parts.append("isInternal: true") }
            if entry.isLocked { parts.append("isLocked: true") }
            if !entry.tags.isEmpty {
                parts.append("tags: [\(entry.tags.map { SwiftLiteral.string($0) }.joined(separator: ", "))]")
            }
            if let owner = entry.owner { parts.append("owner: \(SwiftLiteral.string(owner))") }
            if let date = entry.expiryDate { parts.append("expiryDate: \(SwiftLiteral.date(date))") }
            if let ticket = entry.ticket { parts.append("ticket: \(SwiftLiteral.string(ticket))") }
            let description = SwiftLiteral.string(entry.description)
            if parts.isEmpty { return entry.description.isEmpty ? nil : description }
            if !entry.description.isEmpty { parts.insert("description: \(description)", at: 0) }
            return "FlagMetadata(\(parts.joined(separator: ", ")))"
        }

        private func comment(_ text: String, otherwise: String?, indentation: Int) -> String {
            let text = text.isEmpty ? otherwise ?? "" : text
            if text.isEmpty { return "" }
            let blanks = String(repeating: " ", count: indentation)
            return SafeText.lines(text, limit: 400).map { "\(blanks)/// \($0)\n" }.joined()
        }
    }

    extension FlagManifest {
        /// Creates a manifest from definitions, with types derived from their variants.
        init(_ definitions: FlagDefinitions) {
            let flags = definitions.flags.sorted { $0.key < $1.key }.filter { $0.value.error == nil }.map { key, flag in
                let names = flag.variants.keys.sorted()
                let value = (flag.defaultVariant ?? (names.contains("off") ? "off" : names.first)).flatMap {
                    flag.variants[$0]
                }
                var metadata = FlagMetadata()
                if case .string(let text)? = flag.metadata["description"] { metadata.description = text }
                return Entry(
                    key: key, type: ValueType(of: flag.variants.values), defaultValue: value, metadata: metadata)
            }
            self.init(flags: flags)
        }
    }

    extension FlagManifest.ValueType {
        /// Creates the type that all values share.
        fileprivate init(of values: some Sequence<EncodedFlagValue>) {
            let kinds = Set(values.map { Self.kind(of: $0) })
            let kind = kinds == [.integer, .number] ? .number : kinds.count == 1 ? kinds.first ?? nil : nil
            self.init(kind.flatMap { [.array, .object].contains($0) ? nil : $0 } ?? .any)
        }
    }
#endif
