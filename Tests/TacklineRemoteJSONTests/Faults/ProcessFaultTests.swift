import Foundation
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite(
    "Faults between processes",
    .enabled(if: Probe.executable != nil, "RemoteJSONProbe was not found beside the tests"),
    .needsTheMachine
)
struct ProcessFaultTests {
    private let url = "https://flags.example/flags.json"
    private let folder: TemporaryFolder
    private let cache: RemoteCache

    init() throws {
        folder = try TemporaryFolder()
        cache = RemoteCache(folder: folder.url, target: RemoteTarget(url: try #require(URL(string: url))))
    }

    /// Starts a writer, and returns after its first write.
    private func writer(_ count: Int) async throws -> ChildProcess {
        let writer = try Probe.start(["write-cache", folder.url.path, url, "\(count)"])
        #expect(try await writer.nextLine() == "written 1")
        return writer
    }

    private func isComplete(_ entry: RemoteCacheEntry?) -> Bool {
        guard let body = entry?.body else { return false }
        return body.starts(with: Data("{\"length\": \(body.count), ".utf8))
    }

    @Test("32: two processes write a shared cache 250 times each, and every read is a complete entry")
    func twoProcesses() async throws {
        let writers = [try await writer(250), try await writer(250)]
        var incomplete = 0
        for _ in 0..<200 {
            if !isComplete(cache.load()) { incomplete += 1 }
            await Task.yield()
        }
        #expect(incomplete == 0)
        for writer in writers { #expect(try await writer.ending().lines.last == "incomplete 0") }
        #expect(isComplete(cache.load()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    @Test("32: a process killed in the middle of its writes leaves a complete entry")
    func killed() async throws {
        for _ in 0..<5 {
            let writer = try await writer(.max)
            #expect(try await writer.nextLine() == "written 11")
            writer.kill()
            #expect(try await writer.ending().isSignal)
            #expect(isComplete(cache.load()))
        }
    }

    @Test(
        "15: a body of 100 MB takes no more memory than its limit allows",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func memory() async throws {
        let output = try await Probe.output(["huge-body"])
        let growths = output.split(separator: "\n").filter { $0.hasPrefix("growth ") }.compactMap {
            Int($0.dropFirst(7))
        }
        #expect(growths.count == 2, "\(output)")
        #expect(growths.allSatisfy { $0 < 40_000 }, "\(output)")
        #expect(!output.contains("accepted"))
    }

    @Test(
        "16: a megabyte of gzip that is 150 decoded is cut off while it arrives, and curl's memory is bounded",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func gzipBomb() async throws {
        let output = try await Probe.output(["gzip-bomb"])
        // The compressed bytes alone would be within the limit.
        #expect(output.contains("maximumBodyBytes"), "\(output)")
        let growth = output.split(separator: "\n").last { $0.hasPrefix("growth ") }.flatMap { Int($0.dropFirst(7)) }
        #expect(try #require(growth) < 40_000, "\(output)")
    }
}
