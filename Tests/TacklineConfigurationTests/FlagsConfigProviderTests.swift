#if Configuration
    import Configuration
    import ConfigurationTesting
    import Foundation
    import Synchronization
    import TacklineComposition
    import TacklineConfiguration
    import TacklineCore
    import TacklineMemory
    import TacklineTestSupport
    import TacklineTesting
    import Testing

    @Suite("A loader's flags for swift-configuration", .hangLimit)
    struct FlagsConfigProviderTests {
        @Test("pass its own provider test suite")
        func compatibility() async throws {
            let magic = Data("magic".utf8), magic2 = Data("magic2".utf8)
            let memory = MemoryProvider(values: [
                "string": "Hello", "other/string": "Other Hello", "int": 42, "other/int": 24, "double": 3.14,
                "other/double": 2.72, "bool": true, "other/bool": false, "bytes": .data(magic),
                "other/bytes": .data(magic2), "stringy/array": ["Hello", "World"],
                "other/stringy/array": ["Hello", "Swift"],
                "inty/array": [42, 24], "other/inty/array": [16, 32], "doubly/array": [3.14, 2.72],
                "other/doubly/array": [0.9, 1.8], "booly/array": [true, false],
                "other/booly/array": [false, true, true],
                "byteChunky/array": [.data(magic), .data(magic2)],
                "other/byteChunky/array": [.data(magic), .data(magic2), .data(magic)],
            ])
            let loader = FlagsLoader(CompatibilityFlags.self, providers: [memory])
            try await ProviderCompatTest(provider: FlagsConfigProvider(loader)).runTest()
            // It compares with optional values, so an unknown key would pass as well as a value that is not there.
            #expect(
                loader.root.allFlags.count == 20
                    && loader.snapshot().entries.values.filter { $0.source != .default }.count == 20)
        }

        @Test("are found by key and by property, an unknown key is not, and a default is none")
        func keys() throws {
            let memory = MemoryProvider(values: ["group/new_checkout": true])
            let provider = FlagsConfigProvider(FlagsLoader(KindFlags.self, providers: [memory]))
            let config = ConfigReader(providers: [provider, InMemoryProvider(values: ["int": 5])])
            #expect(config.bool(forKey: "group.newCheckout") == true)
            #expect(config.bool(forKey: "group.new_checkout") == true)
            #expect(config.bool(forKey: "group.newcheckout") == nil)
            #expect(config.int(forKey: "int") == 5)
            #expect(config.double(forKey: "double", default: 9) == 9)
        }

        @Test("are converted exactly, and are an error where they do not fit")
        func conversions() throws {
            let memory = MemoryProvider(values: [
                "int": 3, "double": 2, "string": "text", "date": .date(Date(timeIntervalSince1970: 0)),
                "optional": .null,
                "data": .data(Data([1])), "ints": [1, 2],
            ])
            let loader = FlagsLoader(KindFlags.self, providers: [memory])
            let provider = FlagsConfigProvider(loader)
            func content(_ key: AbsoluteConfigKey, _ type: ConfigType) throws -> ConfigContent? {
                let now = try provider.value(forKey: key, type: type).value
                #expect(try provider.snapshot().value(forKey: key, type: type).value == now)
                return now?.content
            }
            #expect(try content("int", .double) == .double(3))
            #expect(try content("double", .int) == .int(2))
            #expect(try content("date", .string) == .string("1970-01-01T00:00:00Z"))
            #expect(try content("data", .bytes) == .bytes([1]))
            #expect(try content("optional", .int) == nil)
            #expect(throws: FlagValueError.self) { try content("string", .int) }
            #expect(throws: FlagValueError.self) { try content("int", .string) }
            #expect(throws: FlagValueError.self) { try content("int", .byteChunkArray) }
            #expect(throws: FlagValueError.self) { try content("ints", .bytes) }
        }

        @Test("are secret where their metadata says so, and then in no error, which access logs write out")
        func secrets() async throws {
            struct Flags: FlagCollectionProtocol {
                @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token:
                    String
                @Flag(default: "", description: "A name") var name: String
            }
            let loader = FlagsLoader(
                Flags.self, providers: [MemoryProvider(values: ["token": "t0k3n", "name": "n4m3"])])
            let provider = FlagsConfigProvider(loader, name: "flags")
            let token = try provider.value(forKey: "token", type: .string).value
            #expect(token == ConfigValue(.string("t0k3n"), isSecret: true))
            let name = try provider.snapshot().value(forKey: "name", type: .string).value
            #expect(name == ConfigValue(.string("n4m3"), isSecret: false))
            let types: [ConfigType] = [
                .int, .double, .bool, .bytes, .stringArray, .intArray, .doubleArray, .boolArray, .byteChunkArray,
            ]
            for type in types {
                var errors: [any Error] = []
                do { _ = try provider.value(forKey: "token", type: type) } catch { errors.append(error) }
                do { _ = try provider.snapshot().value(forKey: "token", type: type) } catch { errors.append(error) }
                do { _ = try await provider.fetchValue(forKey: "token", type: type) } catch { errors.append(error) }
                try await provider.watchValue(forKey: "token", type: type) { updates in
                    var seen = updates.makeAsyncIterator()
                    if case .failure(let error) = try await seen.next() { errors.append(error) }
                }
                #expect(errors.count == 4 && errors.allSatisfy { !"\($0) \(String(reflecting: $0))".contains("t0k3n") })
            }
            let told = #expect(throws: FlagValueError.self) { try provider.value(forKey: "name", type: .int) }
            #expect(told?.found == "n4m3", "what is no secret is told")
        }

        @Test("are followed: each value that differs, also when the default takes over, and nothing twice")
        func changes() async throws {
            let memory = MemoryProvider()
            let provider = FlagsConfigProvider(FlagsLoader(KindFlags.self, providers: [memory]))
            try await provider.watchValue(forKey: "bool", type: .bool) { updates in
                var seen = updates.makeAsyncIterator()
                var look = try await seen.next()?.get().value
                #expect(look == nil)
                // The same as the default, and yet a value.
                memory.setValue(false, for: "bool")
                look = try await seen.next()?.get().value
                #expect(look?.content == .bool(false))
                memory.setValue(1, for: "int")
                memory.setValue(true, for: "bool")
                look = try await seen.next()?.get().value
                #expect(look?.content == .bool(true))
                memory.setValue(nil, for: "bool")
                look = try await seen.next()?.get().value
                #expect(look == nil)
            }
            try await provider.watchSnapshot { updates in
                var seen = updates.makeAsyncIterator()
                let first = try #require(await seen.next())
                #expect(try first.value(forKey: "int", type: .int).value?.content == .int(1))
                memory.setValue(2, for: "int")
                #expect(try await seen.next()?.value(forKey: "int", type: .int).value?.content == .int(2))
                #expect(try first.value(forKey: "int", type: .int).value?.content == .int(1))
            }
        }

        @Test("end their sequences when the task is cancelled")
        func cancellation() async throws {
            let provider = FlagsConfigProvider(FlagsLoader(KindFlags.self, providers: []))
            let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
            let watching = Task {
                try await provider.watchSnapshot { updates in
                    var count = 0
                    for await _ in updates {
                        count += 1
                        hasBegun.yield()
                    }
                    return count
                }
            }
            for await _ in begun { break }
            watching.cancel()
            #expect(try await watching.value == 1)
        }

        @Test("are refreshed by a fetch, whose failure is thrown")
        func fetching() async throws {
            let remote = RefreshedProvider()
            let provider = FlagsConfigProvider(FlagsLoader(KindFlags.self, providers: [remote]))
            #expect(try provider.value(forKey: "int", type: .int).value == nil)
            #expect(try await provider.fetchValue(forKey: "unknown", type: .int).value == nil)
            #expect(try await provider.fetchValue(forKey: "int", type: .int).value?.content == .int(1))
            #expect(try await provider.fetchValue(forKey: "int", type: .int).value?.content == .int(2))
            remote.isDown.withLock { $0 = true }
            await #expect(throws: FlagError.self) { try await provider.fetchValue(forKey: "int", type: .int) }
            #expect(try provider.value(forKey: "int", type: .int).value?.content == .int(2))
        }
    }

    /// Counts its refreshes as the value of `int`.
    private final class RefreshedProvider: RefreshableFlagProvider {
        let isDown = Mutex(false)
        private let count = Counter()
        private let store = FlagProviderStore()

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
        func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

        func refresh() async throws(FlagError) -> FlagRefreshOutcome {
            if isDown.withLock({ $0 }) { throw FlagError(.network, provider: name, reason: "it is down") }
            store.setValue(.integer(Int128(count.next())), for: "int")
            return .changed(["int"])
        }

        func run() async throws {}
    }

    /// What the test suite of swift-configuration asks for.
    private struct CompatibilityFlags: FlagCollectionProtocol {
        @FlagCollection(keyConfiguration: .skip, description: "") var first: Values
        @FlagCollection(description: "") var other: Values

        struct Values: FlagCollectionProtocol {
            @Flag(default: "default", description: "") var string: String
            @Flag(default: 1, description: "") var int: Int
            @Flag(default: 1, description: "") var double: Double
            @Flag(default: false, description: "") var bool: Bool
            @Flag(default: Data(), description: "") var bytes: Data
            @FlagCollection(description: "") var stringy: List<String>
            @FlagCollection(description: "") var inty: List<Int>
            @FlagCollection(description: "") var doubly: List<Double>
            @FlagCollection(description: "") var booly: List<Bool>
            @FlagCollection(key: "byteChunky", description: "") var chunks: List<Data>
        }

        struct List<Element: FlagValue>: FlagCollectionProtocol {
            @Flag(default: [], description: "") var array: [Element]
        }
    }
#endif
