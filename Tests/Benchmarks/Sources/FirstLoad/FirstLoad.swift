import Tackline

/// Makes loaders in a process that links nothing else, for `Tests/Benchmarks/instructions`: what a first load costs depends on
/// how many conformances there are in the process.
@main
struct FirstLoad {
    private struct FourFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "A switch") var newCheckout: Bool
        @Flag(default: 3, description: "A number") var maxAttempts: Int
        @Flag(default: "classic", description: "A text") var theme: String
        @Flag(default: 0.5, description: "A share") var share: Double
    }

    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "load-4-and-read":
            let loader = FlagsLoader(FourFlags.self, providers: [MemoryProvider(values: ["new_checkout": true])])
            precondition(loader.newCheckout)
        case "load-1000":
            _ = FlagsLoader(GroupedFlags.self, providers: [MemoryProvider()])
        case "load-1000-again":
            // The number of times comes last: what one takes is the difference of two counts.
            for _ in 0..<(CommandLine.arguments.last.flatMap { Int($0) } ?? 1) {
                _ = FlagsLoader(GroupedFlags.self, providers: [MemoryProvider()])
            }
        case "nothing":
            return
        default:
            print("Say what to do: load-4-and-read, load-1000, load-1000-again, nothing.")
        }
    }
}
