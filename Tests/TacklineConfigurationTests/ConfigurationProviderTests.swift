#if Configuration
    import Configuration
    import Foundation
    import Synchronization
    import TacklineComposition
    import TacklineConfiguration
    import TacklineCore
    import TacklineMemory
    import TacklineTestSupport
    import TacklineTesting
    import Testing

    enum Theme: String, FlagValue, CaseIterable { case light, dark }
    enum Level: Int, FlagValue { case low, high }
    struct Limits: Codable, Equatable, FlagValue { var attempts: Int }

    /// A flag of each kind.
    struct KindFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "A Boolean") var bool: Bool
        @Flag(default: 0, description: "An integer") var int: Int
        @Flag(default: 0, description: "A small one") var byte: UInt8
        @Flag(default: 0, description: "A double") var double: Double
        @Flag(default: "", description: "A text") var string: String
        @Flag(default: nil, description: "Perhaps an integer") var optional: Int?
        @Flag(default: Data(), description: "Data") var data: Data
        @Flag(default: .light, description: "A text of some") var theme: Theme
        @Flag(default: .low, description: "An integer of some") var level: Level
        @Flag(default: Date(timeIntervalSince1970: 0), description: "A date") var date: Date
        @Flag(default: Limits(attempts: 0), description: "A structure") var limits: Limits
        @Flag(default: [], description: "Texts") var strings: [String]
        @Flag(default: [], description: "Integers") var ints: [Int]
        @Flag(default: [], description: "Doubles") var doubles: [Double]
        @Flag(default: [], description: "Booleans") var bools: [Bool]
        @Flag(default: [], description: "Themes") var themes: [Theme]
        @Flag(default: [], description: "Chunks") var chunks: [Data]
        @FlagCollection(description: "A group") var group: Group

        struct Group: FlagCollectionProtocol {
            @Flag(default: false, description: "The new checkout") var newCheckout: Bool
        }
    }

    @Suite("Values of swift-configuration for flags", .hangLimit)
    struct ConfigurationProviderTests {
        /// What each kind of flag gets from typed content.
        static let typed: [AbsoluteConfigKey: ConfigValue] = [
            "bool": true, "int": 42, "byte": 200, "double": 1.5, "string": "text", "optional": 7,
            "data": .init(.bytes([1, 2, 3]), isSecret: false), "theme": "dark", "level": 1,
            "date": "2026-11-23T08:00:00Z", "limits": #"{"attempts": 3}"#,
            "strings": .init(.stringArray(["a", "b"]), isSecret: false),
            "ints": .init(.intArray([1, 2]), isSecret: false),
            "doubles": .init(.doubleArray([1.5]), isSecret: false),
            "bools": .init(.boolArray([true, false]), isSecret: false),
            "themes": .init(.stringArray(["dark", "light"]), isSecret: false),
            "chunks": .init(.byteChunkArray([[1], [2, 3]]), isSecret: false),
            AbsoluteConfigKey(["group", "new_checkout"]): true,
        ]

        static let variables = [
            "BOOL": "true", "INT": "42", "BYTE": "200", "DOUBLE": "1.5", "STRING": "text", "OPTIONAL": "7",
            "DATA": "AQID", "THEME": "dark", "LEVEL": "1", "DATE": "2026-11-23T08:00:00Z",
            "LIMITS": #"{"attempts": 3}"#, "STRINGS": "a,b", "INTS": "1,2", "DOUBLES": "1.5", "BOOLS": "true,false",
            "THEMES": "dark,light", "CHUNKS": "AQ==,AgM=", "GROUP_NEW_CHECKOUT": "true",
        ]

        @Test(
            "reach flags in the type that fits each, typed, as text of the environment, or from the scope of a reader on"
        )
        func types() {
            let scoped = Self.typed.map { (AbsoluteConfigKey(["app"] + $0.key.components), $0.value) }
            let reader = ConfigReader(providers: [
                InMemoryProvider(values: Dictionary(uniqueKeysWithValues: scoped)),
                // The first provider that has a value wins.
                InMemoryProvider(values: [AbsoluteConfigKey(["app", "int"]): 1]),
            ])
            let environment = EnvironmentVariablesProvider(environmentVariables: Self.variables)
            let issues = IssueRecorder()
            for provider in [
                ConfigurationProvider(
                    InMemoryProvider(values: Self.typed), for: KindFlags.self, issueReporter: issues.reporter),
                ConfigurationProvider(environment, for: KindFlags.self),
                ConfigurationProvider(reader.scoped(to: "app"), for: KindFlags.self),
            ] {
                let flags = FlagsLoader(KindFlags.self, providers: [provider], issueReporter: issues.reporter)
                #expect(flags.bool && flags.int == 42 && flags.byte == 200 && flags.double == 1.5)
                #expect(flags.string == "text" && flags.optional == 7 && flags.data == Data([1, 2, 3]))
                #expect(flags.theme == .dark && flags.level == .high && flags.limits == Limits(attempts: 3))
                #expect(flags.date == (try? Date("2026-11-23T08:00:00Z", strategy: .iso8601)))
                #expect(flags.strings == ["a", "b"] && flags.ints == [1, 2] && flags.doubles == [1.5])
                #expect(flags.bools == [true, false] && flags.themes == [.dark, .light])
                #expect(flags.chunks == [Data([1]), Data([2, 3])] && flags.group.newCheckout)
            }
            #expect(issues.issues.isEmpty)
        }

        @Test("are found under the paths of properties where that is said")
        func properties() {
            let source = InMemoryProvider(values: [AbsoluteConfigKey(["group", "newCheckout"]): true])
            let byKey = ConfigurationProvider(source, for: KindFlags.self)
            let byProperty = ConfigurationProvider(source, for: KindFlags.self, keys: .properties)
            #expect(byKey.value(at: "group/new_checkout") == nil)
            #expect(byProperty.value(at: "group/new_checkout") == true)
            #expect(byProperty.document?.root == ["group/new_checkout": true])
        }

        @Test("that are of another type are told once for each change, and the next provider is asked")
        func wrongType() throws {
            let issues = IssueRecorder()
            let source = MutableInMemoryProvider(initialValues: ["bool": "perhaps", "byte": 300])
            let provider = ConfigurationProvider(source, for: KindFlags.self, issueReporter: issues.reporter)
            let memory = MemoryProvider(values: ["bool": true, "byte": 3])
            let flags = FlagsLoader(KindFlags.self, providers: [provider, memory], issueReporter: issues.reporter)
            #expect(flags.bool && flags.byte == 3)
            _ = provider.document
            #expect(issues.issues.map(\.code) == [.unsupportedValue, .refusedValue])
            let first = try #require(issues.issues.first { $0.key == "bool" })
            #expect(
                first.message.contains(
                    #"Provider "MutableInMemoryProvider", flag "bool": its type is not bool"#))
        }

        @Test("that are secret are kept from flags and told, unless they are asked for")
        func secrets() throws {
            let issues = IssueRecorder()
            let source = InMemoryProvider(values: ["string": .init(.string("s3cr3t"), isSecret: true), "int": 1])
            let provider = ConfigurationProvider(source, for: KindFlags.self, issueReporter: issues.reporter)
            #expect(provider.document?.root == ["int": 1])
            #expect(issues.issues.map(\.code) == [.secretValue])
            #expect(issues.issues.first?.key == "string")
            #expect(issues.issues.allSatisfy { !"\($0)".contains("s3cr3t") && $0.value == nil })
            let open = ConfigurationProvider(source, for: KindFlags.self, takesSecrets: true)
            #expect(open.value(for: "string") == "s3cr3t")
        }

        @Test("follow their source, all of one moment, for as long as somebody listens")
        func changes() async throws {
            let source = MutableInMemoryProvider(initialValues: ["int": 1])
            var flags: FlagsLoader? = FlagsLoader(
                KindFlags.self, providers: [ConfigurationProvider(source, for: KindFlags.self)])
            var values = try #require(flags).$int.values.makeAsyncIterator()
            #expect(await values.next(isolation: #isolation) == 1)
            source.setValue(2, forKey: "int")
            #expect(await values.next(isolation: #isolation) == 2)
            source.setValue(nil, forKey: "int")
            #expect(await values.next(isolation: #isolation) == 0)
            flags = nil
            values = FlagsLoader(KindFlags.self, providers: []).$int.values.makeAsyncIterator()
            while !source.description.contains("[0 watchers") { await Task.yield() }
        }

        @Test("keep the rules of providers", arguments: [false, true])
        func conformance(throughReader: Bool) async {
            let sources = Mutex<[ObjectIdentifier: (ConfigurationProvider, MutableInMemoryProvider)]>([:])
            var suite = FlagProviderConformance(holding: ["held/flag": true, "held/count": 3]) {
                let source = MutableInMemoryProvider(initialValues: [
                    AbsoluteConfigKey(["held", "flag"]): true, AbsoluteConfigKey(["held", "count"]): 3,
                ])
                let provider =
                    throughReader
                    ? ConfigurationProvider(ConfigReader(provider: source), for: ConformanceFlags.self)
                    : ConfigurationProvider(source, for: ConformanceFlags.self)
                sources.withLock { $0[ObjectIdentifier(provider)] = (provider, source) }
                return provider
            }
            suite.change = { provider, values in
                let id = ObjectIdentifier(try #require(provider as? ConfigurationProvider))
                let source = try #require(sources.withLock { $0[id]?.1 })
                for (key, value) in values {
                    let configValue = try ConformanceFlags.configValue(value, for: key)
                    source.setValue(configValue, forKey: AbsoluteConfigKey(key.components))
                    // The source announces it on a task of its own.
                    while provider.value(for: key) != value { await Task.yield() }
                }
            }
            let report = await suite.report()
            #expect(report.failures.isEmpty, "\(report.failures)")
            for check in [
                "completeNotices", "unchangedValues", "everyObserver", "weakObservers", "document", "removal",
                "flatAndNestedKeys", "everyValueType", "heldValues",
            ] {
                #expect(report.passed.contains { "\($0)" == check }, "\(check): \(report.skipped)")
            }
        }
    }

    /// The keys that the conformance suite writes to. Its samples 0, 3 and 19 are a Boolean, an integer and a text.
    private struct ConformanceFlags: FlagCollectionProtocol {
        private static let types = Dictionary(
            uniqueKeysWithValues: FlagsLoader(Self.self, providers: []).root.allFlags.map { ($0.keyPath, $0.valueType) }
        )

        /// Returns a value in the form of swift-configuration, or throws if the flag would refuse it: such a value never
        /// arrives.
        static func configValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws -> ConfigValue? {
            switch (value, types[key]) {
            case (nil, .some): return nil
            case (.bool(let value), is Bool.Type): return ConfigValue(.bool(value), isSecret: false)
            case (.integer(let value), is Int.Type): return ConfigValue(.int(Int(value)), isSecret: false)
            case (.string(let value), is String.Type): return ConfigValue(.string(value), isSecret: false)
            default:
                throw FlagError(
                    .unsupportedValue, provider: "test", key: key, reason: "no flag takes the value at the key")
            }
        }

        @Flag(key: .absolute("held/flag"), default: false, description: "") var held: Bool
        @Flag(key: .absolute("held/count"), default: 0, description: "") var heldCount: Int
        @Flag(key: .absolute("tackline_values0/a"), default: false, description: "") var bool: Bool
        @Flag(key: .absolute("tackline_values3/a"), default: 0, description: "") var int: Int
        @Flag(key: .absolute("tackline_values19/a"), default: "default", description: "") var string: String
        @Flag(key: .absolute("tackline_removal/kept"), default: false, description: "") var kept: Bool
        @Flag(key: .absolute("tackline_removal/removed"), default: false, description: "") var removed: Bool
        @Flag(key: .absolute("tackline_flat/inner"), default: false, description: "") var inner: Bool
        @Flag(key: .absolute("tackline_flat/other/deep"), default: 0, description: "") var deep: Int
        @Flag(key: .absolute("tackline_flat/other/deeper"), default: 0, description: "") var deeper: Int
        @Flag(key: .absolute("tackline_weak/flag"), default: false, description: "") var weak: Bool
        @Flag(key: .absolute("tackline_notices/flag"), default: 0, description: "") var notices: Int
    }
#endif
