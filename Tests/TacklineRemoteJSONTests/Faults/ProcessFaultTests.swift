import Foundation
import TacklineRemoteJSON
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite(
    "Faults between processes",
    .enabled(if: Probe.executable != nil, "RemoteJSONProbe was not found beside the tests"),
    .timeLimit(.minutes(3))
)
struct ProcessFaultTests {
    private let url = "https://flags.example/flags.json"
    private let folder: TemporaryFolder
    private let cache: RemoteJSONCache

    init() throws {
        folder = try TemporaryFolder()
        cache = RemoteJSONCache(folder: folder.url, url: try #require(URL(string: url)))
    }

    private func writer(_ count: Int) throws -> Probe {
        try Probe(["write-cache", folder.url.path, url, "\(count)"])
    }

    private func isComplete(_ entry: RemoteJSONCacheEntry?) -> Bool {
        guard let body = entry?.body else { return false }
        return body.starts(with: Data("{\"length\": \(body.count), ".utf8))
    }

    @Test("32: two processes write a shared cache a thousand times each, and every read is a complete entry")
    func twoProcesses() async throws {
        let writers = [try writer(1000), try writer(1000)]
        for writer in writers { await writer.waitForFirstBytes() }
        while cache.load() == nil { await Task.yield() }
        async let outputs = [writers[0].waitForEnd(), writers[1].waitForEnd()]
        for _ in 0..<200 {
            #expect(isComplete(cache.load()))
            await Task.yield()
        }
        for output in await outputs { #expect(output.contains("incomplete 0")) }
        #expect(isComplete(cache.load()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    @Test("32: a process killed in the middle of its writes leaves a complete entry")
    func killed() async throws {
        for _ in 0..<5 {
            let writer = try writer(.max)
            await writer.waitForFirstBytes()
            let first = cache.load()
            while cache.load() == first { await Task.yield() }
            kill(writer.processIdentifier, SIGKILL)
            _ = await writer.waitForEnd()
            #expect(isComplete(cache.load()))
        }
    }

    @Test(
        "15: a body of 100 MB takes no more memory than its limit allows",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func memory() async throws {
        let output = await (try Probe(["huge-body"])).waitForEnd()
        let growths = output.split(separator: "\n").filter { $0.hasPrefix("growth ") }.compactMap {
            Int($0.dropFirst(7))
        }
        #expect(growths.count == 2, "\(output)")
        #expect(growths.allSatisfy { $0 < 40_000 }, "\(output)")
        #expect(!output.contains("accepted"))
    }

    @Test(
        "16: a megabyte of gzip that is 150 decoded is cut off while it arrives, with bounded memory",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")),
        arguments: ["", "URLSession"])
    func gzipBomb(transport: String) async throws {
        let output = await (try Probe(["gzip-bomb", transport])).waitForEnd()
        // The compressed bytes alone would be within the limit.
        #expect(output.contains("body-too-large"), "\(output)")
        let growth = output.split(separator: "\n").last { $0.hasPrefix("growth ") }.flatMap { Int($0.dropFirst(7)) }
        #expect(try #require(growth) < 40_000, "\(output)")
    }

    @Test("40: a connection closed in order anywhere in the header fails, and ends no process")
    func cutHeader() async throws {
        for bytes in [0, 1, 9, 15, 16, 17, 20, 35] {
            let output = await (try Probe(["broken-header", "\(bytes)"])).waitForEnd()
            #expect(output.hasPrefix("failed: "), "after \(bytes) bytes: \(output)")
        }
    }

    @Test("40: URLSession on Linux ends the process when a connection is closed in order after the status line")
    func cutHeaderInURLSession() async throws {
        let quiet = ["SWIFT_BACKTRACE": "enable=no"]
        let probe = try Probe(["broken-header", "17", "URLSession"], environment: quiet)
        let output = await probe.waitForEnd()
        // Intermittent, since only Linux has the fault, and a later Swift may not.
        withKnownIssue(isIntermittent: true) { #expect(output.hasPrefix("failed: ")) }
        #expect(!output.contains("accepted"))
    }
}
