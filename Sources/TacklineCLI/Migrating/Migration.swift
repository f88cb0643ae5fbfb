#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineRealFlags

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
