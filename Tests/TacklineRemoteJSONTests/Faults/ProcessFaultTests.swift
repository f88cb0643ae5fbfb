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
}
