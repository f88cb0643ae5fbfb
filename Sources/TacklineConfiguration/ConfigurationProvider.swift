#if Configuration
    public import Configuration
    import Foundation
    import Synchronization
    import TacklineClosure
    public import TacklineCore

    // Foundation: bytes become `Data`.

    /// The values of swift-configuration, for flags: a provider or a reader of that package as a flag provider.
    ///
    /// ```swift
    /// let settings = ConfigurationProvider(EnvironmentVariablesProvider(), for: AppFlags.self)
    /// let flags = FlagsLoader(AppFlags.self, providers: [overrides, settings, remote])
    /// ```
    ///
    /// There, a value is asked for by its type, so this provider needs to know the flags: it asks for each in the type that fits the
    /// flag's. The guide on swift-configuration has the table. A value that cannot be had in that type is reported, once, and is not
    /// there for the chain; so is one that is marked as a secret, unless asked for.
    ///
    /// Until the provider is released, one task watches the source. Reads are answered from its last snapshot, so they see all values of
    /// one moment, and values that differ are announced. Of what came before, nothing is kept.
    public final class ConfigurationProvider: FlagProvider {
        /// Its name in messages and explanations, and its id in a chain.
        public let name: String

        private let base: ClosureProvider

        /// Makes a provider of one that swift-configuration has.
        ///
        /// - Parameters:
        ///   - provider: The source.
        ///   - collections: The root collections whose flags it shall answer for.
        ///   - keys: Under which keys the source has them.
        ///   - takesSecrets: Whether values that the source marks as secret are given to flags. Flags are no place for secrets:
        ///     browsers, explanations and logs show them, so mark such a flag as secret, too (`FlagMetadata.isSecret`).
        ///   - name: The name; `nil` for that of the source.
        ///   - issueReporter: Receives an issue for each value that is left out, with the reason.
        public convenience init(
            _ provider: any ConfigProvider, for collections: any FlagCollectionProtocol.Type...,
            keys: ConfigurationKeys = .flagKeys, takesSecrets: Bool = false, name: String? = nil,
            issueReporter: FlagIssueReporter = .current
        ) {
            self.init(
                name: name ?? provider.providerName,
                flags: AskedFlag.all(in: collections, keys), takesSecrets, issueReporter,
                snapshot: {
                    let snapshot = provider.snapshot()
                    return { try snapshot.value(forKey: AbsoluteConfigKey($0), type: $1).value }
                },
                watch: { changed in
                    try await provider.watchSnapshot { updates in
                        for await _ in updates { changed() }
                    }
                })
        }

        /// Makes a provider of a reader, scoped or not.
        ///
        /// A reader does not say which values are secret, so all are taken; its own access log has them as it would have for anybody.
        /// It answers `nil` for a value that cannot be converted to a type, which only its access reporter sees.
        ///
        /// - Parameters:
        ///   - reader: The source.
        ///   - collections: The root collections whose flags it shall answer for.
        ///   - keys: Under which keys the source has them, from the scope of the reader on.
        ///   - name: The name.
        public convenience init(
            _ reader: ConfigReader, for collections: any FlagCollectionProtocol.Type...,
            keys: ConfigurationKeys = .flagKeys, name: String = "ConfigReader"
        ) {
            self.init(
                name: name, flags: AskedFlag.all(in: collections, keys), true, .silent,
                snapshot: {
                    let snapshot = reader.snapshot()
                    return { key, type in snapshot.value(forKey: ConfigKey(key), type: type) }
                },
                watch: { changed in
                    try await reader.watchSnapshot { updates in
                        for await _ in updates { changed() }
                    }
                })
        }

        private typealias Read = ([String], ConfigType) throws -> ConfigValue?

        private init(
            name: String, flags: [AskedFlag], _ takesSecrets: Bool, _ reporter: FlagIssueReporter,
            snapshot: @escaping @Sendable () -> Read,
            watch: @escaping @Sendable (_ changed: @escaping @Sendable () -> Void) async throws -> Void
        ) {
            self.name = name
            let failures = Failures(provider: name, reporter: reporter)
            base = ClosureProvider(
                name: name,
                values: {
                    let read = snapshot()
                    var values: [String: EncodedFlagValue] = [:]
                    for flag in flags {
                        do {
                            let value = try read(flag.key, flag.type)
                            let isLeftOut = value?.isSecret == true && !takesSecrets
                            failures.note(isLeftOut ? .secret(flag) : nil, for: flag.path)
                            if let value, !isLeftOut { values[flag.path.text] = flag.encoded(value.content) }
                        } catch {
                            failures.note(.refused(flag, "\(error)"), for: flag.path)
                        }
                    }
                    return values
                },
                observe: { changed in
                    let task = Task {
                        do {
                            try await watch(changed)
                        } catch is CancellationError {
                        } catch {
                            failures.report(.ended("\(error)"))
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

    /// Under which keys swift-configuration has a flag.
    public enum ConfigurationKeys: Sendable, Hashable {
        /// The components of the flag's key: `checkout/new_checkout` is `checkout.new_checkout` there.
        case flagKeys
        /// The path of its property in Swift, as keys are written there: `checkout.newCheckout`.
        case properties
    }

    // MARK: What could not be had

    /// Reports what is left out, each when it begins.
    private final class Failures: Sendable {
        enum Failure: Equatable {
            case refused(AskedFlag, String)
            case secret(AskedFlag)
            case ended(String)
        }

        private let provider: String
        private let reporter: FlagIssueReporter
        private let last = Mutex<[FlagKeyPath: Failure]>([:])

        init(provider: String, reporter: FlagIssueReporter) { (self.provider, self.reporter) = (provider, reporter) }

        func note(_ failure: Failure?, for path: FlagKeyPath) {
            let known = last.withLock { last in
                defer { last[path] = failure }
                return last[path]
            }
            guard known != failure else { return }
            if let known { reporter.resolve(words(known).0, key: path, provider: provider) }
            if let failure { report(failure) }
        }

        func report(_ failure: Failure) {
            let (code, path, what) = words(failure)
            reporter.report(FlagError(code, "Provider \"\(provider)\" \(what)", key: path, provider: provider))
        }

        private func words(_ failure: Failure) -> (FlagError.Code, FlagKeyPath?, String) {
            switch failure {
            case .refused(let flag, let error):
                let what = """
                    has a value for flag "\(flag.path)" that it cannot give as \(flag.type.rawValue): \(error). The next provider \
                    was asked instead. Correct the value at its source, or change the type of the flag.
                    """
                return (.refusedValue, flag.path, what)
            case .secret(let flag):
                let what = """
                    has a secret for flag "\(flag.path)", which is kept from it. The next provider was asked instead. Read the \
                    secret with swift-configuration, or make the provider with takesSecrets: true.
                    """
                return (.secretValue, flag.path, what)
            case .ended(let error):
                let what = """
                    does not watch its source any more: \(error). Its values stay as they are. Correct the source, and start the \
                    program again.
                    """
                return (.watchEnded, nil, what)
            }
        }
    }

    extension FlagError.Code {
        /// A provider has a value that is marked as a secret, and keeps it from its flag.
        public static let secretValue = FlagError.Code("secret-value")
        /// A provider of swift-configuration has ended the watch of its source.
        public static let watchEnded = FlagError.Code("watch-ended")
    }
#endif
