#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// A comparison of a document with the flags that each version of an app declares.
    struct VersionsCheck {
        private let versions: AppVersions
        private var marks = FindingMarks()
        /// The flags whose values differ between versions, with the value in each version.
        private var rows: [(key: String, cells: [String])] = []

        private init(_ versions: AppVersions) { self.versions = versions }

        /// Returns the findings in a file of values or definitions, and a table of the values that users of each
        /// version get, if they differ.
        static func run(_ file: FlagFile, against versions: AppVersions) -> (findings: [Finding], table: String) {
            var check = VersionsCheck(versions)
            switch file.content {
            case .values:
                check.visit(file.values, at: [])
            case .flagd: check.visitDefinitions(file.members)
            case .manifest: break
            }
            return (check.marks.findings(in: file), check.table)
        }

        // MARK: Values

        /// Checks members and those of the groups among them. The depth of the manifests' groups limits the recursion.
        private mutating func visit(_ members: [String: EncodedFlagValue], at path: [String]) {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let here = path + [name]
                let isFlag = versions.manifests.contains { $0.flag(at: here) != nil }
                let isGroup = value.isObject && versions.manifests.contains { $0.isGroup(here) }
                if isFlag || !isGroup {
                    check(here, place: here, [Candidate(value: value, place: here)], isRule: false)
                }
                if isGroup, case .object(let inner) = value { visit(inner, at: here) }
            }
        }

        // MARK: Definitions

        private mutating func visitDefinitions(_ members: [String: EncodedFlagValue]) {
            guard let definitions = try? FlagDefinitions(.object(members)) else { return }
            let shared = Self.texts(in: members["$evaluators"] ?? .null)
            for (key, definition) in definitions.flags.sorted(by: { $0.key < $1.key }) {
                var named = shared.union(Self.texts(in: definition.targeting ?? .null))
                if let variant = definition.defaultVariant { named.insert(variant) }
                let candidates = definition.variants.sorted { $0.key < $1.key }.map { variant, value in
                    Candidate(
                        value: value, place: ["flags", key, "variants", variant], variant: variant,
                        isServed: named.contains(variant))
                }
                check([key], place: ["flags", key], candidates, isRule: true)
            }
        }

        /// Returns all texts in a value, such as the names of variants in a rule.
        private static func texts(in value: EncodedFlagValue) -> Set<String> {
            switch value {
            case .string(let text): [text]
            case .array(let elements): elements.reduce(into: []) { $0.formUnion(texts(in: $1)) }
            case .object(let members): members.values.reduce(into: []) { $0.formUnion(texts(in: $1)) }
            default: []
            }
        }

        // MARK: One flag

        /// A value that a document may give a flag.
        private struct Candidate {
            let value: EncodedFlagValue
            /// The names that lead to the value.
            let place: [String]
            /// The name of the value in a definition.
            var variant: String?
            /// Whether the default or a rule names the variant.
            var isServed = true
        }

        /// Checks the values of a flag against each version.
        private mutating func check(_ path: [String], place: [String], _ candidates: [Candidate], isRule: Bool) {
            let key = path.joined(separator: FlagKeyPath.defaultSeparator)
            let flags = versions.manifests.map { $0.flag(at: path) }
            let groups = versions.manifests.map { $0.isGroup(path) }
            let unknown = flags.indices.filter { flags[$0] == nil && !groups[$0] }
            guard unknown.count < flags.count else {
                let advice = marks.advice(
                    versions.manifests.last?.suggestion, for: key,
                    otherwise: "remove it, or write the manifest of the version that declares it")
                return marks.add(
                    .warning, place, key,
                    "no version has a flag with the key \(EncodedFlagValue.string(key)); \(advice)")
            }
            if !unknown.isEmpty {
                marks.add(.note, place, key, "\(versions.names(of: unknown)): there is no flag \"\(key)\"")
            }
            let types = sorted(flags) { $0?.type.phrase }
            if types.count > 1 {
                let texts = types.map { "\($0.text) in \(versions.names(of: $0.positions))" }
                marks.add(.note, place, key, "flag \"\(key)\" changed: it is \(texts.joined(separator: ", "))")
            }
            var cells = groups.map { $0 ? "a group" : "no flag" }
            for candidate in candidates {
                for position in flags.indices {
                    guard !isRule, let flag = flags[position] else { continue }
                    cells[position] = (try? flag.type.normalized(candidate.value)).map { "\($0)" } ?? fallback(of: flag)
                }
                checkRefusals(of: candidate, key, flags)
            }
            if !isRule, Set(cells).count > 1 { rows.append((key, cells)) }
        }

        private mutating func checkRefusals(of candidate: Candidate, _ key: String, _ flags: [FlagManifest.Entry?]) {
            var errors: [FlagValueError?] = []
            for flag in flags {
                do throws(FlagValueError) {
                    _ = try flag?.type.normalized(candidate.value)
                    errors.append(nil)
                } catch {
                    errors.append(error)
                }
            }
            let refusals = sorted(flags.indices.map { $0 }) { position in
                errors[position].map { error in
                    "\(error); users get \(flags[position].map(fallback) ?? "") unless another provider has a value"
                }
            }
            for refusal in refusals {
                let subject = candidate.variant.map { ", variant \"\($0)\"" } ?? ""
                let remark = candidate.isServed ? "" : ", which no rule names"
                marks.add(
                    candidate.isServed ? .error : .warning,
                    candidate.place + (errors[refusal.positions[0]]?.path ?? []), key,
                    "\(versions.names(of: refusal.positions)): flag \"\(key)\"\(subject)\(remark): \(refusal.text)")
            }
        }

        /// Returns the value of users whose version refuses that of the document.
        private func fallback(of flag: FlagManifest.Entry) -> String {
            flag.defaultValue.map { "\($0) (default)" } ?? "the default"
        }

        /// Returns the positions with the same text, in the order of the first of each.
        private func sorted<Element>(
            _ elements: [Element], _ text: (Element) -> String?
        ) -> [(text: String, positions: [Int])] {
            var found: [(text: String, positions: [Int])] = []
            for (position, element) in elements.enumerated() {
                guard let text = text(element) else { continue }
                if let known = found.firstIndex(where: { $0.text == text }) {
                    found[known].positions.append(position)
                } else {
                    found.append((text, [position]))
                }
            }
            return found
        }

        // MARK: The table

        /// The values of the users of each version, where they differ. Neighbouring versions with the same values share
        /// a column.
        private var table: String {
            guard !rows.isEmpty else { return "" }
            var columns: [[Int]] = []
            for position in versions.names.indices {
                if let last = columns.last?.last, rows.allSatisfy({ $0.cells[last] == $0.cells[position] }) {
                    columns[columns.count - 1].append(position)
                } else {
                    columns.append([position])
                }
            }
            var table = ColumnTable(["users of"] + columns.map { versions.names(of: $0) })
            for row in rows { table.add([row.key] + columns.map { row.cells[$0[0]] }) }
            return table.text
        }
    }

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
