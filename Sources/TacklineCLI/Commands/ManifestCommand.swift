#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineManifest

    struct ManifestCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "manifest",
            abstract: "Shows the flags that an app declares, from the manifest that it exports.",
            discussion: """
                The app writes its manifest with one line, for example in a unit test or behind an argument:

                  try FlagManifest(loader).jsonData().write(to: url)

                With --format openfeature it is written as the OpenFeature CLI reads it, which makes code for other languages.

                  tackline manifest manifest.json
                  tackline manifest manifest.json --format openfeature > flags.openfeature.json
                """
        )

        @Argument(help: "The manifest.", completion: .file()) var file: String
        @Option(help: "table, json (the manifest's own form) or openfeature.") var format = ManifestFormat.table

        func run() throws {
            let manifest = try ManifestIndex(path: file).manifest
            switch format {
            case .table: try CommandOutput.standard.write(table(of: manifest, TextStyle(for: .standard)))
            case .json: try CommandOutput.standard.write(JSONReport.text(of: (try? manifest.encoded) ?? .null))
            case .openfeature:
                let (document, omitted) = manifest.openFeatureForm()
                for key in omitted {
                    CommandOutput.error.report(
                        "\(file): note: \"\(key)\" has no default that the form can hold; it was left out")
                }
                try CommandOutput.standard.write(JSONReport.text(of: document))
            }
        }

        /// Returns a table for each collection.
        private func table(of manifest: FlagManifest, _ style: TextStyle) -> String {
            let now = Date()
            return manifest.collections.map { collection in
                let count = collection.flags.count.of("flag")
                let about = collection.description.isEmpty ? "" : " (\(collection.description))"
                let title = style.bold("\(SafeText.line(collection.name ?? "Flags")): \(count)")
                var table = ColumnTable(["key", "type", "default", "owner", "expires", "description"])
                for flag in collection.flags {
                    table.add([
                        flag.key, typeText(flag.type), flag.defaultValue.map { $0.description } ?? "",
                        flag.owner ?? "", expiryText(flag, now), flag.description,
                    ])
                }
                return title + SafeText.line(about) + "\n" + table.text
            }.joined(separator: "\n")
        }

        private func typeText(_ type: FlagManifest.ValueType) -> String {
            let name = type.name.hasPrefix("Optional<") ? String(type.name.dropFirst(9).dropLast()) + "?" : type.name
            let base = name.isEmpty ? type.kind.rawValue : name
            guard let cases = type.cases else { return base }
            let listed = cases.prefix(4).map { ValueArgument.line($0) }.joined(separator: "|")
            return "\(base) \(listed)\(cases.count > 4 ? "|…" : "")"
        }

        private func expiryText(_ flag: FlagManifest.Entry, _ now: Date) -> String {
            guard let date = flag.expiryDate else { return "" }
            return date.dayText + (flag.isExpired(at: now) ? " (past)" : "")
        }
    }

    /// The name of a format on the command line.
    enum ManifestFormat: String, ExpressibleByArgument, CaseIterable {
        case table, json, openfeature
    }
#endif
