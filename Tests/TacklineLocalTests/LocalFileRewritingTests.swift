import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("A rewriting of a file", .hangLimit)
struct LocalFileRewritingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Stop: Error {}

    @Test("gets the bytes, and puts the new ones in place")
    func rewrites() throws {
        let file = try folder.file("a.json", "{ \"a\": 1 }")
        try LocalFileRewriting.rewrite(file) { bytes in
            #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == "{ \"a\": 1 }")
            return Array("new".utf8)
        }
        #expect(try folder.text("a.json") == "new" && folder.names() == ["a.json"])
    }

    @Test("makes a file that is not there, with its folder")
    func creates() throws {
        try LocalFileRewriting.rewrite(folder.file("x/y/a.json")) { bytes in
            #expect(bytes == nil)
            return [0x31]
        }
        #expect(try folder.text("x/y/a.json") == "1")
    }

    @Test("that gives up leaves the file and its folder as they were")
    func stops() throws {
        let file = try folder.file("a.json", "old")
        #expect(throws: Stop.self) { try LocalFileRewriting.rewrite(file) { _ in throw Stop() } }
        #expect(throws: Stop.self) { try LocalFileRewriting.rewrite(folder.file("b.json")) { _ in throw Stop() } }
        #expect(try folder.text("a.json") == "old" && folder.names() == ["a.json"])
    }

    @Test("keeps a symbolic link, and refuses what is no file")
    func links() throws {
        _ = try folder.file("real.json", "old")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.json").path, withDestinationPath: "real.json")
        try LocalFileRewriting.rewrite(folder.file("link.json")) { _ in [0x31] }
        #expect(try folder.text("real.json") == "1")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.json").path) == "real.json")
        let error = #expect(throws: FlagError.self) { try LocalFileRewriting.rewrite(folder.url) { _ in [] } }
        #expect(error?.message.contains("nothing has changed") == true)
    }

    @Test("beside a provider that writes loses nothing of either")
    func concurrent() async throws {
        let file = try folder.file("a.json", "{}")
        let options = LocalProvider.Options(lockTimeLimit: .seconds(3600))
        let provider = LocalProvider(localURL: file, options: options)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<50 {
                    #expect(throws: Never.self) {
                        try provider.setValue(.integer(Int128(number)), for: FlagKeyPath("p\(number)"))
                    }
                }
            }
            group.addTask {
                for number in 0..<50 {
                    #expect(throws: Never.self) {
                        try LocalFileRewriting.rewrite(file, options: options) { bytes in
                            var document = try FlagJSONReader().read(bytes ?? [])
                            if case .object(var members) = document {
                                members["r\(number)"] = true
                                document = .object(members)
                            }
                            return try FlagJSONWriter().bytes(of: document)
                        }
                    }
                }
            }
        }
        let written = try FlagJSONReader().read(folder.bytes("a.json"))
        guard case .object(let members) = written else {
            Issue.record("the file holds \(written)")
            return
        }
        #expect(members.count == 100)
    }
}
