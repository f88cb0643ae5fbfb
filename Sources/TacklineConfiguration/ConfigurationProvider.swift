#if Configuration
    public import Configuration
    import Foundation
    import TacklineClosure
    public import TacklineCore
    import TacklineManifest

    // Foundation: bytes become `Data`.

    /// The values of swift-configuration, for flags: a provider or a reader of that package as a flag provider.
    ///
    /// ```swift
    /// let settings = ConfigurationProvider(EnvironmentVariablesProvider(), for: AppFlags.self)
    /// let flags = FlagsLoader(AppFlags.self, providers: [overrides, settings, remote])
    /// ```
    ///
    /// There, a value is asked for by its type, so this provider needs to know the flags: it asks for each in the type that
    /// fits the flag's. The guide on swift-configuration has the table. A value that cannot be had in that type is reported,
    /// once, and is not there for the chain; so is one that is marked as a secret, unless asked for.
    ///
    /// Until the provider is released, one task watches the source. Reads are answered from its last snapshot, so they see
    /// all values of one moment, and values that differ are announced.
    public final class ConfigurationProvider: FlagProvider {
        /// The keys under which swift-configuration has a flag.
        public enum Keys: Sendable, Hashable {
            /// The components of the flag's key: `checkout/new_checkout` is `checkout.new_checkout` there.
            case flagKeys
            /// The path of its property in Swift, as keys are written there: `checkout.newCheckout`.
            case properties
        }

        /// Its name in messages and explanations, and its id in a chain.
        public let name: String

        private let base: ClosureProvider

        /// Makes a provider of one that swift-configuration has.
        ///
        /// - Parameters:
        ///   - provider: The source.
        ///   - collections: The root collections whose flags it shall answer for.
        ///   - keys: The keys under which the source has them.
        ///   - takesSecrets: Whether values that the source marks as secret are given to flags. Flags are no place for
        ///     secrets: browsers, explanations and logs show them, so mark such a flag as secret, too
        ///     (`FlagMetadata.isSecret`).
        ///   - name: The name; `nil` for that of the source.
        ///   - issueReporter: Receives an issue for each value that is left out, with the reason.
        public convenience init(
            _ provider: any ConfigProvider, for collections: any FlagCollectionProtocol.Type...,
            keys: Keys = .flagKeys, takesSecrets: Bool = false, name: String? = nil,
            issueReporter: FlagIssueReporter = .current
        ) {
            self.init(
                name ?? provider.providerName, collections, keys, takesSecrets, issueReporter,
                snapshot: {
                    let snapshot = provider.snapshot()
                    return { try snapshot.value(forKey: AbsoluteConfigKey($0), type: $1).value }
                },
                watch: { changed in try await provider.watchSnapshot { for await _ in $0 { changed() } } })
        }

        /// Makes a provider of a reader, scoped or not.
        ///
        /// A reader does not say which values are secret, so all are taken; its own access log has them as it would have for anybody.
        /// It answers `nil` for a value that cannot be converted to a type, which only its access reporter sees.
        ///
        /// - Parameters:
        ///   - reader: The source.
        ///   - collections: The root collections whose flags it shall answer for.
        ///   - keys: The keys under which the source has them, from the scope of the reader on.
        ///   - name: The name.
        public convenience init(
            _ reader: ConfigReader, for collections: any FlagCollectionProtocol.Type..., keys: Keys = .flagKeys,
            name: String = "ConfigReader"
        ) {
            self.init(
                name, collections, keys, true, .silent,
                snapshot: {
                    let snapshot = reader.snapshot()
                    return { key, type in
                        snapshot.content(forKey: ConfigKey(key), type: type).map { ConfigValue($0, isSecret: false) }
                    }
                },
                watch: { changed in try await reader.watchSnapshot { for await _ in $0 { changed() } } })
        }

        private init(
            _ name: String, _ collections: [any FlagCollectionProtocol.Type], _ keys: Keys, _ takesSecrets: Bool,
            _ reporter: FlagIssueReporter,
            snapshot: @escaping @Sendable () -> ([String], ConfigType) throws -> ConfigValue?,
            watch: @escaping @Sendable (_ changed: @escaping @Sendable () -> Void) async throws -> Void
        ) {
            self.name = name
            func flags<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> [AskedFlag] {
                FlagProbe<Collection>.flags.map { AskedFlag($0, keys) }
            }
            let flags = collections.flatMap { flags(of: $0) }
            base = ClosureProvider(
                name: name,
                values: {
                    let read = snapshot()
                    var values: [String: EncodedFlagValue] = [:]
                    var issues: [FlagError] = []
                    for flag in flags {
                        do {
                            guard let value = try read(flag.path, flag.type) else { continue }
                            if takesSecrets || !value.isSecret {
                                values[flag.key.text] = flag.encoded(value.content)
                            } else {
                                issues.append(
                                    FlagError(
                                        .secretValue, provider: name, key: flag.key,
                                        reason: "its value is a secret, so the next provider was asked instead",
                                        advice: "Read it with swift-configuration, or pass takesSecrets: true"))
                            }
                        } catch {
                            let type = flag.type.rawValue
                            issues.append(
                                FlagError(
                                    .unsupportedValue, provider: name, key: flag.key,
                                    reason: "its type is not \(type), so the next provider was asked instead: \(error)",
                                    advice: "Correct the value at its source, or change the type of the flag"))
                        }
                    }
                    reporter.replace([.secretValue, .unsupportedValue], of: name, with: issues)
                    return values
                },
                observe: { changed in
                    let task = Task {
                        do {
                            try await watch(changed)
                        } catch is CancellationError {
                        } catch {
                            reporter.report(
                                FlagError(
                                    .watchEnded, provider: name,
                                    reason:
                                        "the watch of its source has ended, so its values stay as they are: \(error)",
                                    advice: "Correct the source, and start the program again"))
                        }
                    }
                    return { task.cancel() }
                })
        }

        /// Returns what the source has for a flag, or `nil` for a key that it does not know.
        public func value(for key: FlagKeyPath) -> EncodedFlagValue? { base.value(for: key) }

        /// All values as of now.
        public var document: FlagDocument? { base.document }

        /// Adds an observer, held weakly, which is notified of the keys whose values differ.
        public func observe(_ observer: FlagProviderObserver) -> Bool { base.observe(observer) }
    }

    /// The key and type with which swift-configuration is asked for a flag.
    private struct AskedFlag: Sendable {
        let key: FlagKeyPath
        let path: [String]
        let type: ConfigType
        /// Whether a text stands for something else, such as an object in JSON.
        let readsText: Bool

        private static let types: [FlagManifest.ValueType.Kind: (one: ConfigType, several: ConfigType)] = [
            .boolean: (.bool, .boolArray), .integer: (.int, .intArray), .number: (.double, .doubleArray),
            .data: (.bytes, .byteChunkArray), .string: (.string, .stringArray), .url: (.string, .stringArray),
            .uuid: (.string, .stringArray), .date: (.string, .stringArray),
        ]

        init(_ flag: AnyFlagHandle, _ keys: ConfigurationProvider.Keys) {
            key = flag.keyPath
            path = keys == .flagKeys ? key.components : flag.property.split(separator: ".").map(String.init)
            let described = FlagManifest.ValueType(of: flag)
            let element = described.kind == .array ? described.element : nil
            let several = element.flatMap { $0.isOptional ? nil : Self.types[$0.kind]?.several }
            let found = Self.types[described.kind]?.one ?? several
            // Anything else is JSON in a text.
            (type, readsText) = (found ?? .string, found == nil)
        }

        /// Returns the neutral form of what the source gave.
        func encoded(_ content: ConfigContent) -> EncodedFlagValue {
            switch content {
            case .string(let value): readsText ? .unparsed(value) : .string(value)
            case .int(let value): .integer(Int128(value))
            case .double(let value): .double(value)
            case .bool(let value): .bool(value)
            case .bytes(let value): .data(Data(value))
            case .stringArray(let values): .array(values.map { .string($0) })
            case .intArray(let values): .array(values.map { .integer(Int128($0)) })
            case .doubleArray(let values): .array(values.map { .double($0) })
            case .boolArray(let values): .array(values.map { .bool($0) })
            case .byteChunkArray(let chunks): .array(chunks.map { .data(Data($0)) })
            }
        }
    }

    extension ConfigSnapshotReader {
        /// Returns a value of a type; `nil` if there is none. A reader has a method for each type.
        fileprivate func content(forKey key: ConfigKey, type: ConfigType) -> ConfigContent? {
            switch type {
            case .string: string(forKey: key).map { .string($0) }
            case .int: int(forKey: key).map { .int($0) }
            case .double: double(forKey: key).map { .double($0) }
            case .bool: bool(forKey: key).map { .bool($0) }
            case .bytes: bytes(forKey: key).map { .bytes($0) }
            case .stringArray: stringArray(forKey: key).map { .stringArray($0) }
            case .intArray: intArray(forKey: key).map { .intArray($0) }
            case .doubleArray: doubleArray(forKey: key).map { .doubleArray($0) }
            case .boolArray: boolArray(forKey: key).map { .boolArray($0) }
            case .byteChunkArray: byteChunkArray(forKey: key).map { .byteChunkArray($0) }
            }
        }
    }

    extension FlagError.Code {
        /// A provider has a value that is marked as a secret, and keeps it from its flag.
        public static let secretValue: Self = "secret-value"
        /// A provider of swift-configuration has ended the watch of its source.
        public static let watchEnded: Self = "watch-ended"
    }
#endif
