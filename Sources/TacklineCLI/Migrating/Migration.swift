#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineRealFlags

    /// A conversion of the values that RealFlags stored to values for the flags' keys.
    struct Migration {
        private let path: String
        private let document: OldDocument
        private let configuration: KeyConfiguration
        private let index: ManifestIndex?

        init(
            of path: String, manifest: String?, prefix: String?, separator: String, transform: TransformName
        ) throws(CommandFailure) {
            self.path = path
            index = try manifest.map { path throws(CommandFailure) in try ManifestIndex(path: path) }
            let transform: FlagKeyTransform =
                switch transform {
                case .snake: .snakeCase
                case .kebab: .kebabCase
                case .none: .none
                }
            configuration = KeyConfiguration(prefix: prefix, pathSeparator: separator, keyTransform: transform)
            let input = try InputFile(path: path)
            do throws(FlagProviderError) {
                document = try OldDocument(input.bytes, path: path)
            } catch {
                throw CommandFailure("\(error.reason).")
            }
        }

        /// Finds the values, and writes them if there is a target.
        ///
        /// - Throws: If the target cannot be read or written. Values are written once for each separator of keys. A
        ///   failed write changes nothing, but those before it stay.
        func run(target: String?) throws(CommandFailure) -> MigrationOutcome {
            var outcome = index.map { found(by: $0) } ?? everything()
            guard let target else { return outcome }
            guard target == "-" || resolved(target) != resolved(path) else {
                throw CommandFailure(
                    "--write names the old file, which stays as it is; name another one.", status: .usage)
            }
            if FileManager.default.fileExists(atPath: target) {
                let file = try FlagFile(path: target)
                try file.requireValues()
                let document = file.document
                outcome.keep { document.value(for: FlagKeyPath($0.key, separator: $0.separator)) != nil }
            }
            for separator in Set(outcome.values.map(\.separator)) {
                let values = outcome.values.filter { $0.separator == separator }.map { ($0.key, Optional($0.value)) }
                _ = try ValueFileEdit.apply(values, separator: separator, to: target)
            }
            outcome.target = target
            return outcome
        }

        private func resolved(_ path: String) -> String {
            URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
        }

        // MARK: Finding values

        /// Returns every value under its old key.
        private func everything() -> MigrationOutcome {
            var outcome = MigrationOutcome()
            let separator = configuration.pathSeparator
            for key in document.keys(separator: separator) {
                guard let stored = document.value(for: FlagKeyPath(key, separator: separator)) else { continue }
                outcome.values.append(
                    MigrationOutcome.Value(
                        key: key, oldKey: key, separator: separator, value: OldValue.unpacked(stored)))
            }
            return outcome
        }

        /// Returns the values of a manifest's flags.
        private func found(by index: ManifestIndex) -> MigrationOutcome {
            var outcome = MigrationOutcome()
            var claimed: Set<String> = []
            for collection in index.manifest.collections {
                let prefixCount = Migration.prefixCount(of: collection)
                for flag in collection.flags {
                    let candidates = OldKeys.candidates(
                        for: FlagKeyPath(flag.key, separator: collection.separator),
                        property: flag.property.split(separator: ".").map(String.init), prefixCount: prefixCount,
                        configuration)
                    guard let oldKey = candidates.first(where: { document.value(for: $0) != nil }),
                        let stored = document.value(for: oldKey)
                    else { continue }
                    claimed.insert(oldKey.text)
                    do throws(FlagValueError) {
                        let value = try Migration.converted(stored, to: flag.type)
                        outcome.values.append(
                            MigrationOutcome.Value(
                                key: flag.key, oldKey: oldKey.text, separator: collection.separator, value: value))
                    } catch {
                        outcome.refused.append(
                            MigrationOutcome.Refusal(key: flag.key, oldKey: oldKey.text, message: "\(error)"))
                    }
                }
            }
            outcome.unclaimed = document.keys(separator: configuration.pathSeparator, without: claimed)
            return outcome
        }

        /// Returns the number of names at the start of a collection's keys that are its prefix: all keys begin with
        /// them, and no property has such a name.
        private static func prefixCount(of collection: FlagManifest.Listing) -> Int {
            let keys = collection.flags.map { FlagKeyPath($0.key, separator: collection.separator).components }
            guard var common = keys.first?.dropLast() else { return 0 }
            for key in keys {
                common = common.prefix(zip(common, key.dropLast()).prefix { $0 == $1 }.count)
            }
            guard let first = common.first else { return 0 }
            let transforms = [FlagKeyTransform.snakeCase, .kebabCase, .realFlagsSnakeCase, .realFlagsKebabCase, .none]
            let isGroup = collection.flags.contains { flag in
                let name = flag.property.split(separator: ".").first.map(String.init) ?? first
                return transforms.contains { $0(name) == first }
            }
            return isGroup ? 0 : common.count
        }

        private static func converted(
            _ stored: EncodedFlagValue, to type: FlagManifest.ValueType
        ) throws(FlagValueError) -> EncodedFlagValue {
            // A type of unknown form is `Codable` far more often than data.
            if type.kind == .any { return OldValue.unpacked(stored) }
            let refusal: FlagValueError
            do throws(FlagValueError) {
                return try type.normalized(stored)
            } catch {
                refusal = error
            }
            if OldValue.holdsData(stored) { return try type.normalized(OldValue.unpacked(stored)) }
            if [.boolean, .integer, .number].contains(type.kind) {
                for other in OldValue.looser(stored) {
                    if let value = try? type.normalized(other) { return value }
                }
            }
            throw refusal
        }
    }
#endif
