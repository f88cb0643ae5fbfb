#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTargeting

    /// A comparison of a document with the flags that each version of an app declares.
    enum VersionsCheck {
        /// Returns the values that versions refuse, and the keys that they don't know, each with the names of the versions.
        static func findings(in file: FlagFile, against versions: [AppVersion], now: Date) -> [Finding] {
            var names: [Finding: [String]] = [:]
            for version in versions {
                for finding in ManifestCheck.findings(in: file, against: version.index, now: now)
                where finding.severity == .error || finding.key.map({ version.index.flag(at: [$0]) == nil }) ?? false {
                    names[finding.withoutAdvice, default: []].append(version.name)
                }
            }
            return names.map { finding, names in
                // A version that is older than the flag goes without it.
                let isUnknown = finding.severity == .warning && names.count < versions.count
                return Finding(
                    severity: isUnknown ? .note : finding.severity, path: finding.path, position: finding.position,
                    key: finding.key, message: "\(names.joined(separator: ", ")): \(finding.message)")
            }.sorted { ($0.position ?? .start, $0.message) < ($1.position ?? .start, $1.message) }
        }
    }

    extension TextPosition {
        /// The place of findings about a whole file.
        static let start = TextPosition(line: 0, column: 0)
    }

    extension Finding {
        /// The finding without what is after the semicolon, which can differ from version to version.
        fileprivate var withoutAdvice: Finding {
            let end = message.range(of: "; ", options: .backwards)?.lowerBound ?? message.endIndex
            return Finding(
                severity: severity, path: path, position: position, key: key, message: String(message[..<end]))
        }
    }

    /// A version of an app that people use, with the flags that it declares.
    struct AppVersion {
        let name: String
        let index: ManifestIndex

        /// Reads the manifest of a version.
        ///
        /// - Parameter text: The version and the file, such as `5.2=manifests/5.2.json`.
        init(_ text: String) throws(CommandFailure) {
            guard let (name, path) = text.assignment else {
                throw CommandFailure(
                    "\"\(text)\" is not a version with its manifest; write 5.2=manifests/5.2.json.", status: .usage)
            }
            self.name = name
            index = try ManifestIndex(path: path)
        }
    }
#endif
