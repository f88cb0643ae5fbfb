#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineRealFlags

    struct MigrateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Turns a file of RealFlags' LocalProvider into a value file.",
            discussion: """
                Shows what would be written, flag by flag, and what does not fit. Prefix, separator and transform are those \
                that the app gave to RealFlags. With a manifest, old keys become the flags' keys of now and values are \
                converted to the flags' types; without one, keys stay and JSON inside of data is unpacked. With --write \
                the values go to a value file, where one that is there already stays. The old file is only read. Ends \
                with 1 if a value does not fit.

                  tackline migrate flags.plist --manifest manifest.json --prefix myapp
                  tackline migrate flags.plist --manifest manifest.json --prefix myapp --write overrides.json
                """
        )

        @Argument(help: "The file that RealFlags wrote.", completion: .file()) var file: String
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @Option(help: "The prefix of RealFlags' KeyConfiguration.") var prefix: String?
        @Option(help: "The pathSeparator of RealFlags' KeyConfiguration.") var separator = "/"
        @Option(help: "The keyTransform of RealFlags' KeyConfiguration: snake, kebab or none.") var transform =
            TransformName.snake
        @Option(help: "The value file to write; it is made if it is not there.", completion: .file()) var write: String?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if separator.isEmpty { throw ValidationError("--separator needs at least one character.") }
            if write == "-" {
                throw ValidationError("--write needs a file, since values that stand there already stay.")
            }
        }

        func run() throws {
            let index = try manifest.map(ManifestIndex.init(path:))
            let configuration = KeyConfiguration(
                prefix: prefix, pathSeparator: separator, keyTransform: transform.keyTransform)
            var migration = try Migration(of: InputFile(path: file), configuration, index)
            var kept: [Migration.Value] = []
            if let write {
                guard resolved(write) != resolved(file) else {
                    throw CommandFailure(
                        "--write names the old file, which stays as it is; name another one.", status: .usage)
                }
                if FileManager.default.fileExists(atPath: write) {
                    let there = try FlagFile(path: write)
                    try there.requireValues()
                    kept = migration.values.filter { there.document.value(for: $0.key) != nil }
                    migration.values.removeAll { there.document.value(for: $0.key) != nil }
                }
                if !migration.values.isEmpty {
                    _ = try ValueFileEdit(migration.values.map { ($0.key, $0.value) }, to: write)
                }
            }
            try report(migration, kept: kept)
            if !migration.refused.isEmpty { throw CommandFailure.found }
        }

        private func resolved(_ path: String) -> String {
            URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
        }

        private func report(_ migration: Migration, kept: [Migration.Value]) throws {
            func list(_ values: [Migration.Value]) -> EncodedFlagValue {
                .array(values.map { ["key": .string($0.key.text), "oldKey": .string($0.oldKey), "value": $0.value] })
            }
            let refused = migration.refused.map { refusal -> EncodedFlagValue in
                [
                    "key": .string(refusal.key), "oldKey": .string(refusal.oldKey),
                    "message": .string("\(refusal.error)"),
                ]
            }
            let members: [String: EncodedFlagValue] = [
                "values": list(migration.values), "kept": list(kept), "refused": .array(refused),
                "unclaimed": .texts(migration.unclaimed), "isWritten": .bool(write != nil),
            ]
            try output.print("migrate", members) { style in
                func from(_ key: String, _ oldKey: String) -> String { key == oldKey ? "" : " (from \(oldKey))" }
                let values = migration.values.map { value in
                    let key = value.key.text
                    return "\(key) = \(ValueArgument.json(value.value))\(from(key, value.oldKey))"
                }
                let stay = kept.map { "\($0.key) has a value already; it stays\(from($0.key.text, $0.oldKey))" }
                let refused = migration.refused.map { refusal in
                    let text = "\(refusal.key)\(from(refusal.key, refusal.oldKey)): \(refusal.error)"
                    return "\(style.red("does not fit:")) \(SafeText.line(text, limit: .max))\n"
                }
                let unclaimed = migration.unclaimed.map { "\(style.cyan("no flag has")) \([$0].lines)" }
                let count = migration.values.count.of("value")
                let end =
                    write.map { "\(count) written to \($0)." } ?? "\(count) found; --write names the file for them."
                return (values + stay).lines + refused.joined() + unclaimed.joined() + "\(end)\n"
            }
        }
    }

    /// The name of a transform on the command line.
    enum TransformName: String, ExpressibleByArgument, CaseIterable {
        case snake, kebab, none

        fileprivate var keyTransform: FlagKeyTransform {
            switch self {
            case .snake: .snakeCase
            case .kebab: .kebabCase
            case .none: .none
            }
        }
    }

    /// A conversion of the values that RealFlags stored to values for the flags' keys.
    struct Migration {
        struct Value {
            let key: FlagKeyPath
            let oldKey: String
            let value: EncodedFlagValue
        }

        /// The converted values.
        var values: [Value] = []
        /// The values that the flags' types refuse.
        private(set) var refused: [(key: String, oldKey: String, error: FlagValueError)] = []
        /// The old keys that belong to no flag.
        private(set) var unclaimed: [String] = []

        /// Converts the values of a file.
        ///
        /// - Parameters:
        ///   - configuration: The keys of RealFlags.
        ///   - index: The manifest; `nil` to keep every value under its old key.
        init(
            of file: InputFile, _ configuration: KeyConfiguration, _ index: ManifestIndex?
        ) throws(CommandFailure) {
            let document: OldDocument
            do throws(FlagProviderError) {
                document = try OldDocument(file.bytes, path: file.path)
            } catch {
                throw CommandFailure("\(error.reason).")
            }
            let separator = configuration.pathSeparator
            var claimed: Set<String> = []
            for collection in index?.manifest.collections ?? [] {
                let prefixCount = Migration.prefixCount(of: collection)
                for flag in collection.flags {
                    let key = FlagKeyPath(flag.key, separator: collection.separator)
                    let candidates = OldKeys.candidates(
                        for: key, property: flag.property.split(separator: ".").map(String.init),
                        prefixCount: prefixCount, configuration)
                    guard let oldKey = candidates.first(where: { document.value(for: $0) != nil }),
                        let stored = document.value(for: oldKey)
                    else { continue }
                    claimed.insert(oldKey.text)
                    do throws(FlagValueError) {
                        let value = try Migration.converted(stored, to: flag.type)
                        values.append(Value(key: key, oldKey: oldKey.text, value: value))
                    } catch {
                        refused.append((flag.key, oldKey.text, error))
                    }
                }
            }
            let others = document.keys(separator: separator, without: claimed)
            guard index == nil else {
                unclaimed = others
                return
            }
            for text in others {
                let key = FlagKeyPath(text, separator: separator)
                guard let stored = document.value(for: key) else { continue }
                values.append(Value(key: key, oldKey: text, value: OldValue.unpacked(stored)))
            }
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
