import Foundation
import TacklineRemoteJSON

/// What tests of the remote provider do in a process of its own: to be killed, or to be measured.
///
/// Prints one line for each figure. See `Tests/Simulation/README.md`.
@main
struct RemoteJSONProbe {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Whatever goes wrong, it ends: a soak in half a day, the others, which take seconds, in an hour.
        let isSoak = ["serve", "soak", "soak-floor"].contains(arguments.first)
        alarm(isSoak ? 12 * 3600 : 3600)
        switch arguments.first {
        case "write-cache": try CacheWriting(arguments: arguments.dropFirst()).run()
        case "huge-body": try await HugeBody().run()
        case "gzip-bomb": try await GzipBomb(arguments: arguments.dropFirst()).run()
        case "fetch": try await Fetch(arguments: arguments.dropFirst()).run()
        case "broken-header": try await BrokenHeader(arguments: arguments.dropFirst()).run()
        case "serve": try SoakServer().run()
        case "soak": try await Soak(arguments: arguments.dropFirst()).run()
        case "outage": try await Outage(arguments: arguments.dropFirst()).run()
        case "soak-floor": try await SoakFloor(arguments: arguments.dropFirst()).run()
        default:
            print(
                "usage: RemoteJSONProbe write-cache <folder> <URL> <count> | huge-body | serve | soak [refreshes] [reconnects]"
            )
            print(
                "       | soak-floor [requests] | gzip-bomb [URLSession] | broken-header [bytes] [URLSession] | fetch <URL> [URLSession | <file>]"
            )
            print("       | outage <nginx> [providers] [seconds]")
            exit(2)
        }
    }
}

extension RemoteJSONConfiguration {
    /// Without a cache, and with timeouts that no slow machine meets: who runs a probe decides when it took too long.
    static var forProbes: RemoteJSONConfiguration {
        var configuration = RemoteJSONConfiguration()
        configuration.cache = .disabled
        configuration.responseHeaderTimeout = .seconds(3600)
        configuration.idleTimeout = .seconds(3600)
        configuration.totalDeadline = .seconds(3600)
        return configuration
    }
}
