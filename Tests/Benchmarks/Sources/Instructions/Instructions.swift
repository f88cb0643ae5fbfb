import Synchronization
import Tackline
import TacklineTesting

/// Does one thing some times, for `Tests/Benchmarks/instructions`, which counts the instructions that it takes.
///
/// The first argument names the thing, the second says how often. What is done before, and once, is the same for every
/// number, so that the difference of two counts is what the thing takes.
@main
struct Instructions {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), let work = works[arguments[1]] else {
            print("Say what to do, and how often: \(works.keys.sorted().joined(separator: ", ")).")
            return
        }
        work(count)
    }

    private struct FourFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "A switch") var newCheckout: Bool
        @Flag(default: 3, description: "A number") var maxAttempts: Int
        @Flag(default: "classic", description: "A text") var theme: String
        @Flag(default: false, description: "Another switch") var written: Bool
    }

    /// Cannot tell changes.
    private struct Untold: FlagProvider {
        let memory = MemoryProvider(values: ["new_checkout": true])
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    }

    private static let works: [String: @Sendable (Int) -> Void] = [
        "dictionary-write": { count in
            let dictionary = Mutex(["flag": false])
            for index in 0..<count { dictionary.withLock { $0["flag"] = index & 1 == 0 } }
        },
        "read": { count in
            let loader = FlagsLoader(FourFlags.self, providers: [MemoryProvider(values: ["new_checkout": true])])
            for _ in 0..<count { precondition(loader.newCheckout) }
        },
        "uncached-read": { count in
            let loader = FlagsLoader(FourFlags.self, providers: [Untold()])
            for _ in 0..<count { precondition(loader.newCheckout) }
        },
        "scoped-read": { count in
            let loader = FlagsLoader(FourFlags.self, providers: [MemoryProvider()])
            withFlags {
                $0.set(\FourFlags.newCheckout, true)
            } operation: {
                for _ in 0..<count { precondition(loader.newCheckout) }
            }
        },
        "write": { count in
            let memory = MemoryProvider(values: ["written": false])
            let loader = FlagsLoader(FourFlags.self, providers: [memory])
            let key = FlagKeyPath("written")
            for index in 0..<count { memory.setValue(.bool(index & 1 == 0), for: key) }
            withExtendedLifetime(loader) {}
        },
        "write-and-read": { count in
            let memory = MemoryProvider(values: ["written": false])
            let loader = FlagsLoader(FourFlags.self, providers: [memory])
            let key = FlagKeyPath("written")
            for index in 0..<count {
                memory.setValue(.bool(index & 1 == 0), for: key)
                precondition(loader.written == (index & 1 == 0))
            }
        },
        "write-unchanged": { count in
            let memory = MemoryProvider(values: ["written": false])
            let loader = FlagsLoader(FourFlags.self, providers: [memory])
            let key = FlagKeyPath("written")
            for _ in 0..<count { memory.setValue(.bool(true), for: key) }
            withExtendedLifetime(loader) {}
        },
        "default-and-read": { count in
            let loader = FlagsLoader(FourFlags.self, providers: [MemoryProvider()])
            for index in 0..<count {
                loader.$maxAttempts.setDefault(index)
                precondition(loader.maxAttempts == index)
            }
        },
        "explain": { count in
            let loader = FlagsLoader(FourFlags.self, providers: [MemoryProvider(values: ["new_checkout": true])])
            for _ in 0..<count { precondition(loader.$newCheckout.explain().value == true) }
        },
    ]
}
