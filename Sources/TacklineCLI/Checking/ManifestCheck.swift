#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// A comparison of the values or definitions in a file with the flags that an app declares.
    struct ManifestCheck {
        private let index: ManifestIndex
        private let now: Date
        private var marks = FindingMarks()
        /// The flags' keys for which a value was found, each with the last path at which it was found.
        private var seen: [String: [String]] = [:]

        /// Returns all problems with the values or the definitions of a file, in the order of the file.
        ///
        /// - Parameter findsMissing: Whether flags without a value in the file are noted.
        static func findings(
            in file: FlagFile, against index: ManifestIndex, findsMissing: Bool = false, now: Date
        ) -> [Finding] {
            var check = ManifestCheck(index: index, now: now)
            switch file.content {
            case .values: check.visit(file.values, at: [])
            case .flagd:
                for (key, definition) in (try? file.definitions())?.flags.sorted(by: { $0.key < $1.key }) ?? [] {
                    check.visit(definition, key)
                }
            case .manifest: return []
            }
            let missing = index.manifest.allFlags.map(\.key).filter { check.seen[$0] == nil }
            if findsMissing, !missing.isEmpty {
                let keys = missing.map { "\"\($0)\"" }.joined(separator: ", ")
                check.marks.add(.note, [], nil, "no value for \(keys); the next provider or the default answers")
            }
            return check.marks.findings(in: file) + index.sharedKeyFindings(in: file.path)
        }

        private init(index: ManifestIndex, now: Date) { (self.index, self.now) = (index, now) }

        /// Checks members and those of the groups among them. The depth of the manifest's groups limits the recursion.
        ///
        /// - Parameter isInFlag: Whether they are also the members of a flag's value.
        private mutating func visit(_ members: [String: EncodedFlagValue], at path: [String], isInFlag: Bool = false) {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let here = path + [name]
                let flag = index.flag(at: here)
                if let flag {
                    if let other = seen[flag.key] {
                        marks.add(
                            .warning, here.count > other.count ? here : other, flag.key,
                            "the key \"\(flag.key)\" occurs here a second time, and the flat one is used; remove one"
                        )
                    }
                    seen[flag.key] = here
                    check(value, of: flag, "flag \"\(flag.key)\"", at: here)
                    checkExpiry(of: flag, at: here)
                }
                if index.isGroup(here), case .object(let inner) = value {
                    visit(inner, at: here, isInFlag: isInFlag || flag != nil)
                } else if flag == nil, !isInFlag {
                    reportUnknown(here.joined(separator: FlagKeyPath.defaultSeparator), at: here)
                }
            }
        }

        private mutating func visit(_ definition: FlagDefinition, _ key: String) {
            guard let flag = index.flag(at: [key]) else { return reportUnknown(key, at: ["flags", key]) }
            seen[key] = ["flags", key]
            for (name, value) in definition.variants.sorted(by: { $0.key < $1.key }) {
                check(value, of: flag, "flag \"\(key)\", variant \"\(name)\"", at: ["flags", key, "variants", name])
            }
            checkExpiry(of: flag, at: ["flags", key])
        }

        private mutating func reportUnknown(_ key: String, at path: [String]) {
            let advice = index.suggestion.advice(for: key, otherwise: "remove it, or declare the flag")
            marks.add(.warning, path, key, "no flag has the key \(EncodedFlagValue.string(key)); \(advice)")
        }

        private mutating func check(
            _ value: EncodedFlagValue, of flag: FlagManifest.Entry, _ subject: String, at path: [String]
        ) {
            do {
                _ = try flag.type.normalized(value)
            } catch {
                marks.add(.error, path + error.path, flag.key, "\(subject): \(error); correct the value")
            }
        }

        private mutating func checkExpiry(of flag: FlagManifest.Entry, at path: [String]) {
            guard flag.isExpired(at: now), let date = flag.expiryDate else { return }
            let message = "flag \"\(flag.key)\" expired on \(date.dayText); remove it from the code and from here"
            marks.add(.warning, path, flag.key, message)
        }
    }

    extension Date {
        /// The day in UTC, such as `2026-11-21`.
        var dayText: String { String(EncodedFlagValue.date(self).description.prefix(10)) }
    }
#endif
