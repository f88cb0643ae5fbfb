#if Peers
    import Configuration
    import Foundation
    import Tackline

    /// The same work twice. What a closure returns depends on every repetition, so that none can be left out.
    struct Work {
        let name: String
        let ours: @Sendable (_ count: Int) -> Int
        let theirs: @Sendable (_ count: Int) -> Int

        /// The nanoseconds of one repetition.
        func measure() -> (ours: Double, theirs: Double) {
            let times = Harness.measure([Case(name, ours), Case(name, theirs)], effort: .full)
            return (times[0], times[1])
        }
    }

    /// How often something is true.
    private func times(_ count: Int, _ isTrue: () -> Bool) -> Int {
        var sum = 0
        for _ in 0..<count where isTrue() { sum &+= 1 }
        return sum
    }

    /// Cannot tell changes, so it is asked at each read.
    private struct Untold: FlagProvider {
        let memory: MemoryProvider
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    }

    extension Work {
        static var all: [Work] { reads + [write, four, hundred] }

        /// Three providers in memory, of which the last has the value.
        private static var reads: [Work] {
            let flags = FlagsLoader(
                AppFlags.self,
                providers: [
                    MemoryProvider(name: "a"), MemoryProvider(name: "b"),
                    MemoryProvider(name: "c", values: ["checkout": true, "shop": ["cart": ["is_new": true]]]),
                ])
            let config = ConfigReader(providers: [
                InMemoryProvider(name: "a", values: [:]), InMemoryProvider(name: "b", values: [:]),
                InMemoryProvider(name: "c", values: ["checkout": true, "shop.cart.isNew": true]),
            ])
            let snapshot = config.snapshot()
            let asked = FlagsLoader(
                AppFlags.self,
                providers: [
                    MemoryProvider(name: "a"), MemoryProvider(name: "b"),
                    Untold(memory: MemoryProvider(values: ["checkout": true])),
                ])
            return [
                Work(
                    name: "A Bool, read through three providers", ours: { times($0) { flags.checkout } },
                    theirs: { times($0) { config.bool(forKey: "checkout", default: false) } }),
                Work(
                    name: "The same; the third provider announces no changes", ours: { times($0) { asked.checkout } },
                    theirs: { times($0) { config.bool(forKey: "checkout", default: false) } }),
                Work(
                    name: "A Bool of a nested collection, two levels deep",
                    ours: { times($0) { flags.shop.cart.isNew } },
                    theirs: { times($0) { config.bool(forKey: "shop.cart.isNew", default: false) } }),
                Work(
                    name: "A Bool; theirs from a snapshot", ours: { times($0) { flags.checkout } },
                    theirs: { times($0) { snapshot.bool(forKey: "checkout", default: false) } }),
            ]
        }

        /// Our write finds whom it concerns, so that reads need not ask; theirs asks at each read. So both are counted.
        private static var write: Work {
            let memory = MemoryProvider(values: ["checkout": false])
            let flags = FlagsLoader(AppFlags.self, providers: [memory])
            let theirs = MutableInMemoryProvider(initialValues: ["checkout": false])
            let config = ConfigReader(provider: theirs)
            return Work(
                name: "A write in memory, and the next read",
                ours: { count in
                    var index = 0
                    return times(count) {
                        index += 1
                        memory.setValue(.bool(index & 1 == 0), for: "checkout")
                        return flags.checkout
                    }
                },
                theirs: { count in
                    var index = 0
                    return times(count) {
                        index += 1
                        theirs.setValue(ConfigValue(.bool(index & 1 == 0), isSecret: false), forKey: "checkout")
                        return config.bool(forKey: "checkout", default: false)
                    }
                })
        }

        /// A loader looks for the flags of a type once; a reader looks for each key when it is read.
        private static var four: Work {
            Work(
                name: "4 values: a loader is created, reads each, is released",
                ours: { count in
                    times(count) {
                        let flags = FlagsLoader(FourFlags.self, providers: [MemoryProvider(values: ["a": true])])
                        return flags.a && !flags.b && !flags.c && !flags.d
                    }
                },
                theirs: { count in
                    times(count) {
                        let config = ConfigReader(provider: InMemoryProvider(values: ["a": true]))
                        return config.bool(forKey: "a", default: false) && !config.bool(forKey: "b", default: false)
                            && !config.bool(forKey: "c", default: false) && !config.bool(forKey: "d", default: false)
                    }
                })
        }

        private static var hundred: Work {
            let keys = (0..<10).flatMap { group in "abcdefghij".map { ConfigKey(["g\(group)", String($0)]) } }
            return Work(
                name: "100 values: the same",
                ours: { count in
                    times(count) {
                        let memory = MemoryProvider(values: ["g0": ["a": true]])
                        let flags = FlagsLoader(HundredFlags.self, providers: [memory])
                        return flags.areOn == 1
                    }
                },
                theirs: { count in
                    times(count) {
                        let config = ConfigReader(provider: InMemoryProvider(values: ["g0.a": true]))
                        return keys.count { config.bool(forKey: $0, default: false) } == 1
                    }
                })
        }
    }

    /// A task writes, waits until the change arrives, and writes again.
    struct Watching {
        private let writes = 500

        func measure() async throws -> (ours: Double, theirs: Double) {
            var best = (ours: Double.infinity, theirs: Double.infinity)
            for _ in 0..<20 {
                best.ours = min(best.ours, await ours())
                best.theirs = min(best.theirs, try await theirs())
            }
            return best
        }

        private func ours() async -> Double {
            let memory = MemoryProvider(values: ["checkout": false])
            let flags = FlagsLoader(AppFlags.self, providers: [memory])
            let start = Clock.wall
            var heard = 0
            for await isOn in flags.$checkout.values {
                heard += 1
                if heard > writes { break }
                memory.setValue(.bool(!isOn), for: "checkout")
            }
            return (Clock.wall - start) / Double(writes)
        }

        private func theirs() async throws -> Double {
            let memory = MutableInMemoryProvider(initialValues: ["checkout": false])
            let config = ConfigReader(provider: memory)
            let start = Clock.wall
            try await config.watchBool(forKey: "checkout", default: false) { updates in
                var heard = 0
                for await isOn in updates {
                    heard += 1
                    if heard > writes { break }
                    memory.setValue(ConfigValue(.bool(!isOn), isSecret: false), forKey: "checkout")
                }
            }
            return (Clock.wall - start) / Double(writes)
        }
    }
#endif
