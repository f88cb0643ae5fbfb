#if Configuration
    public import Configuration
    import Foundation
    public import TacklineCore

    // Foundation: bytes are `Data`.

    /// A provider of swift-configuration whose values are those of a loader's flags.
    ///
    /// ```swift
    /// let config = ConfigReader(providers: [FlagsConfigProvider(flags), EnvironmentVariablesProvider()])
    /// let pageSize = config.int(forKey: "pageSize", default: 20)
    /// ```
    ///
    /// A flag is found under the components of its key (`checkout.new_checkout`) and under the path of its property
    /// (`checkout.newCheckout`). Its value is what the loader resolves: pinned values, computed ones and the chain. Where only the flag's
    /// default is left, there is no value, so that the providers behind this one are asked, and last the `default:` of the reader.
    ///
    /// A value is converted as a flag of the type that is asked for would take it, exactly or not at all; what does not fit is an error
    /// there. A flag whose metadata says that it is secret gives secrets, and errors that leave its value out. Asking counts as no use of
    /// the flag. It keeps the loader.
    public struct FlagsConfigProvider: ConfigProvider {
        /// Its name in access logs.
        public let providerName: String

        // The core's package API: whether a value is the default is asked together with the value, and followed, too.
        private let core: LoaderCore
        private let flags: @Sendable () -> FlagSnapshot
        private let index: [[String]: AnyFlagHandle]

        /// Makes a provider for a loader.
        ///
        /// - Parameters:
        ///   - loader: The loader, which is kept.
        ///   - name: The name in access logs.
        /// - Complexity: O(*n*) in the number of flags.
        public init<Collection>(_ loader: FlagsLoader<Collection>, name: String = "Tackline") {
            providerName = name
            core = loader.core
            flags = { loader.snapshot() }
            let handles = loader.root.allFlags
            // A flag's own key goes before another one's property.
            index = Dictionary(
                handles.map { ($0.keyPath.components, $0) }
                    + handles.map { ($0.property.split(separator: ".").map(String.init), $0) }
            ) { first, _ in first }
        }

        /// Returns the value of the flag with the key, as of now; none for an unknown key, or where only the default is left.
        ///
        /// - Throws: ``/TacklineCore/FlagValueError`` if the value cannot be had in this type, without the value of a
        ///   secret flag.
        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws(FlagValueError) -> LookupResult {
            let flag = index[key.components]
            let entry = flag.flatMap { flag in
                let step = core.inspect(flag.ordinal)
                return core.encoded(step, flag.ordinal).map { FlagSnapshot.Entry(value: $0, source: step.source) }
            }
            return try key.found(entry, of: flag, as: type)
        }

        /// Refreshes every provider of the chain that can be refreshed, one after the other, and then returns the value.
        ///
        /// - Throws: `FlagError` of the first one that could not be, and what ``value(forKey:type:)`` throws.
        public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            if index[key.components] != nil {
                for link in core.chain.links {
                    _ = try await (link.provider as? any RefreshableFlagProvider)?.refresh()
                }
            }
            return try value(forKey: key, type: type)
        }

        /// Hands the value to a closure, and each one that differs; one that is slow gets the newest.
        public func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey, type: ConfigType,
            updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
        ) async throws -> Return {
            let updates = updates(of: index[key.components].map { [$0.ordinal] } ?? []) {
                Result { () throws(FlagValueError) in try value(forKey: key, type: type) }
            }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(updates.map { $0.mapError { $0 } }))
        }

        /// All values, of one moment.
        public func snapshot() -> any ConfigSnapshot { Moment(provider: self, flags: flags()) }

        /// Hands a snapshot to a closure, and another one when a flag's value differs; one that is slow gets the newest.
        public func watchSnapshot<Return: ~Copyable>(
            updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
        ) async throws -> Return {
            let moments = updates(of: nil, flags).map { Moment(provider: self, flags: $0) as any ConfigSnapshot }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(moments))
        }

        /// Returns a stream of what a closure returns, now and after each change of some flags (`nil` for all) that makes a
        /// difference.
        private func updates<Element: Sendable & Equatable>(
            of ordinals: [Int]?, _ look: @escaping @Sendable () -> Element
        ) -> AsyncStream<Element> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let queue = FlagChangeQueue()
                queue.observe(core, ordinals)
                let task = Task {
                    var last = look()
                    continuation.yield(last)
                    while !Task.isCancelled {
                        await queue.wait()
                        // Cleared before the value is read, so that no later change is missed.
                        queue.clear()
                        let new = look()
                        if new != last { continuation.yield(new) }
                        last = new
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }

        private struct Moment: ConfigSnapshot {
            let provider: FlagsConfigProvider
            let flags: FlagSnapshot

            var providerName: String { provider.providerName }

            func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws(FlagValueError) -> LookupResult {
                let flag = provider.index[key.components]
                return try key.found(flag.flatMap { flags.entries[$0.keyPath] }, of: flag, as: type)
            }
        }
    }

    extension AbsoluteConfigKey {
        /// Returns the result of a lookup.
        fileprivate func found(
            _ entry: FlagSnapshot.Entry?, of flag: AnyFlagHandle?, as type: ConfigType
        ) throws(FlagValueError) -> LookupResult {
            guard let flag, let entry, entry.source != .default, entry.value != .null else {
                return LookupResult(encodedKey: description, value: nil)
            }
            let isSecret = flag.metadata.isSecret
            do throws(FlagValueError) {
                let content = try ConfigContent(entry.value, as: type)
                return LookupResult(encodedKey: description, value: ConfigValue(content, isSecret: isSecret))
            } catch {
                // The error quotes the value, and access logs write errors out.
                throw error.withoutValue(if: isSecret)
            }
        }
    }

    extension ConfigContent {
        /// Converts a value as a flag of the type would take it.
        fileprivate init(_ value: EncodedFlagValue, as type: ConfigType) throws(FlagValueError) {
            switch type {
            case .string:
                // There is no type for dates.
                if case .date(let date) = value {
                    self = .string(try FlagTimestamp.text(of: date))
                } else {
                    self = .string(try String(encoded: value))
                }
            case .int: self = .int(try Int(encoded: value))
            case .double: self = .double(try Double(encoded: value))
            case .bool: self = .bool(try Bool(encoded: value))
            case .bytes: self = .bytes(Array(try Data(encoded: value)))
            case .stringArray: self = .stringArray(try [String](encoded: value))
            case .intArray: self = .intArray(try [Int](encoded: value))
            case .doubleArray: self = .doubleArray(try [Double](encoded: value))
            case .boolArray: self = .boolArray(try [Bool](encoded: value))
            case .byteChunkArray: self = .byteChunkArray(try [Data](encoded: value).map { Array($0) })
            }
        }
    }
#endif
