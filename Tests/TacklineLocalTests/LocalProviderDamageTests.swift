import Foundation
import TacklineCore
import TacklineFiles
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("A damaged file", .hangLimit)
struct LocalProviderDamageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let values: [FlagKeyPath: EncodedFlagValue?] = [
        "flag": true, "group/number": 12, "group/ratio": 0.5, "text": "größe 🚩", "list": [1, "two"],
        "object": ["a": ["b": false]], "date": .date(Date(timeIntervalSinceReferenceDate: 1)), "data": .data(Data([1])),
    ]

    /// A valid file, and what it holds.
    private func validFile(_ fileExtension: String) throws -> (bytes: [UInt8], document: FlagDocument) {
        let name = "valid.\(fileExtension)"
        try LocalProvider(file: folder.file(name)).setValues(Self.values)
        return (try folder.bytes(name), try #require(LocalProvider(file: folder.file(name)).document))
    }

    /// Checks that a file is either read or refused, and never overwritten unread.
    private func check(_ bytes: [UInt8], in url: URL) throws -> LocalProvider {
        try Data(bytes).write(to: url)
        let provider = FlagIssueReporter.withReporter(.silent) { LocalProvider(file: url, changeDetection: .off) }
        guard provider.status != .ready else { return provider }
        guard case .failed(let error) = provider.status, error.code == .unreadable, provider.document == FlagDocument()
        else {
            Issue.record("the status is \(provider.status)")
            return provider
        }
        #expect(error.reason.hasPrefix("\(url.path) cannot be read: "))
        #expect(throws: FlagError.self) { try provider.setValue(true, for: "new") }
        #expect(try folder.bytes(url.lastPathComponent) == bytes)
        return provider
    }

    @Test("that ends at any byte, or has some bytes changed, is read or refused, and is never overwritten")
    func damaged() throws {
        var generator = SeededGenerator(seed: 2026)
        for fileExtension in ["json", "plist", "bplist"] {
            let (bytes, document) = try validFile(fileExtension)
            let url = folder.file("damaged.\(fileExtension)")
            var refused = 0
            for count in 0..<bytes.count {
                let provider = try check(Array(bytes.prefix(count)), in: url)
                if provider.status != .ready { refused += 1 } else { #expect(provider.document == document) }
            }
            // What may be missing is the line feed at the end, and what comes after the last tag.
            #expect(refused >= bytes.count - 2)
            // As a crash of the system leaves it.
            #expect(try check([0, 0, 0, 0], in: url).status != .ready)
            for _ in 0..<300 {
                var mutated = bytes
                for _ in 0..<3 {
                    let place = Int.random(in: 0..<mutated.count, using: &generator)
                    mutated[place] = UInt8.random(in: 0...255, using: &generator)
                }
                _ = try check(mutated, in: url)
            }
        }
    }

    @Test("that was fine before leaves its values in force, and is not overwritten")
    func damagedLater() throws {
        let url = try folder.file("flags.json", #"{"a": 1}"#)
        let provider = LocalProvider(file: url, changeDetection: .off)
        try Data("garbage".utf8).write(to: url)
        #expect(throws: FlagError.self) { try provider.reload() }
        #expect(throws: FlagError.self) { try provider.setValue(2, for: "b") }
        #expect(provider.document?.root == ["a": 1])
        #expect(try folder.text("flags.json") == "garbage")
        // The bytes of before are read again, too.
        _ = try folder.file("flags.json", #"{"a": 1}"#)
        try provider.reload()
        #expect(provider.status == .ready)
    }

    @Test("that is no file at all is refused, and neither waited for nor moved")
    func notRegular() throws {
        try FileManager.default.createDirectory(at: folder.file("folder.json"), withIntermediateDirectories: true)
        #expect(mkfifo(folder.file("pipe.json").path, 0o644) == 0)
        for name in ["folder.json", "pipe.json"] {
            let provider = LocalProvider(file: folder.file(name))
            let error = #expect(throws: FlagError.self) { try provider.setValue(1, for: "a") }
            #expect(error?.code == .inputOutput)
            #expect(error?.message.contains(folder.file(name).path) == true)
            let reason = "it is a folder or a device, not a regular file. Name a regular file."
            #expect(error?.message.hasSuffix(reason) == true)
        }
        #expect(try folder.names() == ["folder.json", "pipe.json"])
        let web = LocalProvider(file: try #require(URL(string: "https://example.com/flags.json")))
        let error = #expect(throws: FlagError.self) { try web.setValue(1, for: "a") }
        #expect(error?.message.contains("not the address of a file") == true)
        #expect(!FileManager.default.fileExists(atPath: "https:"))
    }

    @Test("over the size limit is refused, for reading and for writing")
    func tooLarge() throws {
        let large = try folder.file("large.json", "{\"a\": \"\(String(repeating: "x", count: 16 << 20))\"}")
        let status = "\(LocalProvider(file: large).status)"
        #expect(status.contains("\(large.path) cannot be read: it takes more than 16 MiB. "))
        let url = try folder.file("a.json", "{}")
        let provider = LocalProvider(file: url)
        #expect(throws: FlagError.self) {
            try provider.setValue(.string(String(repeating: "x", count: 16 << 20)), for: "long")
        }
        #expect(try provider.value(at: "long") == nil && folder.text("a.json") == "{}")
    }
}
