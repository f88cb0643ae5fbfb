#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
    import TacklineTerminal

    /// A manifest as a table for people.
    struct ManifestReport {
        let manifest: FlagManifest
        let now: Date

        /// Returns the output of `manifest`, and remarks on flags that the format cannot hold.
        static func run(
            _ path: String, format: ManifestFormat, style: TextStyle
        ) throws(CommandFailure) -> (text: String, remarks: [String]) {
            let manifest = try ManifestIndex(path: path).manifest
            do throws(FlagValueError) {
                switch format {
                case .table: return (ManifestReport(manifest: manifest, now: Date()).text(style), [])
                case .json: return (try manifest.jsonText(), [])
                case .openfeature:
                    let (document, omitted) = manifest.openFeatureForm()
                    let remarks = omitted.map { "\"\($0)\" has no default that the form can hold; it was left out" }
                    var writer = FlagJSONWriter(layout: .pretty)
                    writer.maximumDepth = EncodedFlagValue.maximumDepth + 16
                    return (try writer.text(of: document), remarks)
                }
            } catch {
                throw CommandFailure("\(path) cannot be written in this form: \(error).")
            }
        }

        /// Returns a table for each collection.
        func text(_ style: TextStyle) -> String {
            manifest.collections.map { collection in
                let count = "\(collection.flags.count) flag\(collection.flags.count == 1 ? "" : "s")"
                let about = collection.description.isEmpty ? "" : " (\(collection.description))"
                var text =
                    style.bold("\(SafeText.line(collection.name ?? "Flags")): \(count)") + SafeText.line(about) + "\n"
                var table = ColumnTable(["key", "type", "default", "owner", "expires", "description"])
                for flag in collection.flags {
                    table.add([
                        flag.key, typeText(flag.type), flag.defaultValue.map { $0.description } ?? "",
                        flag.owner ?? "", expiryText(flag), flag.description,
                    ])
                }
                text += table.text
                return text
            }.joined(separator: "\n")
        }

        private func typeText(_ type: FlagManifest.ValueType) -> String {
            let name = type.name.hasPrefix("Optional<") ? String(type.name.dropFirst(9).dropLast()) + "?" : type.name
            let base = name.isEmpty ? type.kind.rawValue : name
            guard let cases = type.cases else { return base }
            let listed = cases.prefix(4).map { ValueArgument.line($0) }.joined(separator: "|")
            return "\(base) \(listed)\(cases.count > 4 ? "|…" : "")"
        }

        private func expiryText(_ flag: FlagManifest.Entry) -> String {
            guard let date = flag.expiryDate else { return "" }
            return date.dayText + (flag.isExpired(at: now) ? " (past)" : "")
        }
    }
#endif
