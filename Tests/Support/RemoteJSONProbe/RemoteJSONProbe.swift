import Foundation
import TacklineCore
import TacklineRemoteJSON

/// What tests of the remote provider do in a process of its own: to be killed, or to be measured.
///
/// Prints one line for each figure. See `Tests/Simulation/README.md`.
@main
struct RemoteJSONProbe {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Whatever goes wrong, it ends: what takes seconds, in an hour.
        alarm(3600)
        switch arguments.first {
        case "write-cache": try CacheWriting(arguments: arguments.dropFirst()).run()
        case "huge-body": try await HugeBody().run()
        case "gzip-bomb": try await GzipBomb().run()
        case "fetch": try await Fetch(arguments: arguments.dropFirst()).run()
        case "contexts": try await Contexts().run()
        case "broken-header": try await BrokenHeader(arguments: arguments.dropFirst()).run()
        case "outage": try await Outage(arguments: arguments.dropFirst()).run()
        default:
            print("usage: RemoteJSONProbe write-cache <folder> <URL> <count> | huge-body | gzip-bomb | contexts")
            print("       | broken-header [bytes] | fetch <URL> [<file>] | outage <nginx> [providers] [seconds]")
            exit(2)
        }
    }
}

extension RemoteJSONProvider.Configuration {
    /// Without a cache, and with timeouts that no slow machine meets: who runs a probe decides when it took too long.
    static var forProbes: RemoteJSONProvider.Configuration {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        configuration.clock = StoppedClock()
        configuration.requestTimeout = .seconds(3600)
        return configuration
    }
}

/// A clock that stands still, so that no request takes too long.
struct StoppedClock: Clock {
    struct Instant: InstantProtocol {
        func advanced(by duration: Duration) -> Instant { self }
        func duration(to other: Instant) -> Duration { .zero }
        static func < (left: Instant, right: Instant) -> Bool { false }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try await Task.sleep(for: .seconds(3600)) }
}

func reason(of error: any Error) -> String { (error as? FlagError)?.reason ?? "\(error)" }
