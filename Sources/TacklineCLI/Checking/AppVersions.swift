#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTargeting

    /// The manifests of an app's versions, from the oldest version to the newest.
    struct AppVersions {
        /// The names of the versions, which are those of the files.
        let names: [String]
        /// The manifests in the same order.
        let manifests: [ManifestIndex]

        /// Reads the manifests in a folder: `5.1.json`, `5.2.json`.
        ///
        /// - Parameter minimum: The oldest version that counts, or `nil` for all.
        init(folder: String, minimum: String?) throws(CommandFailure) {
            let oldest = try minimum.map { text throws(CommandFailure) in
                guard let version = SemanticVersion(text) else {
                    throw CommandFailure("\"\(text)\" is not a version; write one like 5.2 or 5.2.1.", status: .usage)
                }
                return version
            }
            let files: [String]
            do {
                files = try FileManager.default.contentsOfDirectory(atPath: folder)
            } catch {
                throw CommandFailure("\(folder) can't be read: \(error.localizedDescription)")
            }
            var versions: [(name: String, version: SemanticVersion)] = []
            for file in files where file.hasSuffix(".json") && !file.hasPrefix(".") {
                let name = String(file.dropLast(".json".count))
                guard let version = SemanticVersion(name) else {
                    throw CommandFailure(
                        "\(folder)/\(file) is named after no version; call each manifest by its version, as 5.2.json.")
                }
                if oldest.map({ version.order(relativeTo: $0) >= 0 }) ?? true { versions.append((name, version)) }
            }
            guard !versions.isEmpty else {
                let which = minimum.map { " of version \($0) or later" } ?? ""
                throw CommandFailure("\(folder) has no manifest\(which); write one at each release, as 5.2.json.")
            }
            versions.sort { left, right in
                let order = left.version.order(relativeTo: right.version)
                return order == 0 ? left.name < right.name : order < 0
            }
            names = versions.map(\.name)
            var manifests: [ManifestIndex] = []
            for name in names { manifests.append(try ManifestIndex(path: "\(folder)/\(name).json")) }
            self.manifests = manifests
        }

        /// Returns the names of some versions, given by position in ascending order: `5.0–5.2, 5.4`.
        func names(of positions: [Int]) -> String {
            var parts: [String] = []
            var start = positions.startIndex
            while start < positions.endIndex {
                var end = start
                while end + 1 < positions.endIndex, positions[end + 1] == positions[end] + 1 { end += 1 }
                let (first, last) = (names[positions[start]], names[positions[end]])
                parts.append(first == last ? first : "\(first)–\(last)")
                start = end + 1
            }
            return parts.joined(separator: ", ")
        }
    }
#endif
