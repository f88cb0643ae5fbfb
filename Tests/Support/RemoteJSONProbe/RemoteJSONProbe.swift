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
        switch (arguments.first, arguments.count) {
        case ("write-cache", 4): try writeCache(folder: arguments[1], url: arguments[2], count: Int(arguments[3]) ?? 1)
        case ("huge-body", _): try await MemoryProbe.hugeBody()
        case ("gzip-bomb", _): try await MemoryProbe.gzipBomb()
        case ("fetch", 2): try await fetch(arguments[1])
        case ("outage", _): try await Outage(arguments: arguments.dropFirst()).run()
        default:
            print("usage: RemoteJSONProbe write-cache <folder> <URL> <count> | huge-body | gzip-bomb")
            print("       | fetch <URL> | outage <nginx> [providers] [seconds]")
            exit(2)
        }
    }

    /// Refreshes once from a server, and returns what came of it.
    static func refresh(_ url: URL, _ configuration: RemoteJSONProvider.Configuration = .forProbes) async -> String {
        let provider = RemoteJSONProvider(url: url, configuration: configuration)
        do {
            try await provider.refresh()
            return "accepted \(provider.document?.root.keys.sorted() ?? [])"
        } catch {
            return "failed: \((error as? FlagError)?.reason ?? "\(error)")"
        }
    }

    /// Refreshes once from a URL, and prints what came of it.
    private static func fetch(_ text: String) async throws {
        guard let url = URL(string: text) else { throw CocoaError(.formatting) }
        print(await refresh(url))
    }

    /// Writes entries of all sizes into a cache that others write too, and reads after each write.
    ///
    /// The body of an entry says how long it is, so that a reader can tell a whole one from a mixture.
    private static func writeCache(folder: String, url: String, count: Int) throws {
        guard let url = URL(string: url) else { throw CocoaError(.formatting) }
        let cache = RemoteCache(folder: URL(filePath: folder), target: RemoteTarget(url: url))
        var incomplete = 0
        for number in 0..<count {
            let bytes = Int.random(in: 100...60_000)
            let text = "{\"length\": \(bytes), \"filler\": \""
            let filler = String(repeating: "x", count: bytes - text.utf8.count - 2)
            try cache.save(RemoteCacheEntry(body: Data("\(text)\(filler)\"}".utf8), confirmedAt: Date()), at: Date())
            let body = cache.load()?.body ?? Data()
            if !body.starts(with: Data("{\"length\": \(body.count), ".utf8)) { incomplete += 1 }
            // So that the test that kills it knows that it is at work.
            if number % 10 == 0 {
                print("written \(number + 1)")
                fflush(nil)
            }
        }
        print("incomplete \(incomplete)")
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
private struct StoppedClock: Clock {
    struct Instant: InstantProtocol {
        func advanced(by duration: Duration) -> Instant { self }
        func duration(to other: Instant) -> Duration { .zero }
        static func < (left: Instant, right: Instant) -> Bool { false }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try await Task.sleep(for: .seconds(3600)) }
}
