import Foundation
import TacklineCore
import TacklineFiles
import TacklineLoopback
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

@Suite("Faults of the cache", .hangLimit) struct CacheFaultTests {
    private let date = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = try #require(URL(string: "https://flags.example/flags.json?key=1"))
    }

    private var entry: RemoteJSONCacheEntry {
        var entry = RemoteJSONCacheEntry(body: Data(#"{"a": 1}"#.utf8), fetchedAt: date, validatedAt: date + 60)
        entry.entityTag = "W/\"1\""
        entry.lastModified = "yesterday"
        entry.signature = "s"
        return entry
    }

    private func cache(url: URL? = nil, namespace: String = "") -> RemoteJSONCache {
        RemoteJSONCache(folder: folder.url, url: url ?? self.url, namespace: namespace)
    }

    @Test("an entry is read as it was written, and nobody else's folder rights are needed")
    func roundTrip() throws {
        try cache().save(entry)
        #expect(cache().load() == entry)
        let attributes = try FileManager.default.attributesOfItem(atPath: cache().path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    @Test("a confirmation is kept without rewriting the values, and counts for the document that it is about")
    func state() throws {
        try cache().save(entry)
        let checksum = Checksum(entry.body ?? Data()).value
        let before = try Data(contentsOf: URL(filePath: cache().path))
        try cache().save(RemoteJSONCacheState(checksum: checksum, validatedAt: date + 600, notBefore: date + 700))
        #expect(try Data(contentsOf: URL(filePath: cache().path)) == before)
        #expect(cache().load()?.validatedAt == date + 600)
        #expect(cache().load()?.notBefore == date + 700)
        #expect(cache().load()?.body == entry.body)
        try cache().save(RemoteJSONCacheState(checksum: checksum &+ 1, validatedAt: date + 900, notBefore: nil))
        #expect(cache().load() == entry)
        try FileManager.default.removeItem(atPath: cache().path)
        #expect(cache().load() == nil)
        try cache().save(RemoteJSONCacheState(checksum: nil, validatedAt: date, notBefore: date + 700))
        #expect(cache().load()?.body == nil)
        #expect(cache().load()?.notBefore == date + 700)
    }

    @Test("31: a state cut off at any byte or with any one bit flipped is a miss, and the values are still there")
    func damagedState() throws {
        try cache().save(entry)
        let checksum = Checksum(entry.body ?? Data()).value
        try cache().save(RemoteJSONCacheState(checksum: checksum, validatedAt: date + 600, notBefore: date + 700))
        let bytes = try Data(contentsOf: URL(filePath: cache().statePath))
        for index in bytes.indices {
            try bytes.prefix(index).write(to: URL(filePath: cache().statePath))
            #expect(cache().load() == entry, "cut at \(index)")
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index % 8)
            try damaged.write(to: URL(filePath: cache().statePath))
            #expect(cache().load() == entry, "byte \(index)")
        }
    }

    @Test("nothing secret is on the disk, and nobody else may list the folder")
    func secrets() async throws {
        let server = try LoopbackServer(replies: [good(), status(503, [LoopbackHeader("Retry-After", "60")])])
        let text = "http://someone:pa55word@127.0.0.1:\(server.port)/flags.json?token=t0psecret"
        let url = try #require(URL(string: text))
        let inner = folder.url.appending(path: "inner")
        let configuration = RemoteJSONConfiguration.forTests {
            $0.cache = .directory(inner)
            $0.cacheNamespace = "user-4711"
            $0.headers = ["X-Key": "s3cret-key"]
            $0.authorization = { "Bearer abcdefgh" }
        }
        let provider = RemoteJSONProvider(url: url, configuration: configuration)
        try await provider.refresh()
        _ = try? await provider.refresh()
        let names = try FileManager.default.contentsOfDirectory(atPath: inner.path)
        #expect(names.count == 2)
        for name in names {
            let content = String(decoding: try Data(contentsOf: inner.appending(path: name)), as: UTF8.self)
            for secret in ["someone", "pa55word", "t0psecret", "user-4711", "s3cret-key", "abcdefgh"] {
                #expect(!content.contains(secret) && !name.contains(secret), "\(secret) in \(name): \(content)")
            }
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: inner.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("31: a file cut off at any byte is a miss")
    func truncated() throws {
        try cache().save(entry)
        let bytes = try Data(contentsOf: URL(filePath: cache().path))
        for length in 0..<bytes.count {
            try bytes.prefix(length).write(to: URL(filePath: cache().path))
            #expect(cache().load() == nil, "cut at \(length)")
        }
    }

    @Test("31: a file with any one bit flipped is a miss")
    func flipped() throws {
        try cache().save(entry)
        let bytes = try Data(contentsOf: URL(filePath: cache().path))
        let format = RemoteJSONCacheFormat(
            key: String(try #require(cache().path.split(separator: "/").last).prefix(16)))
        #expect(format.entry(from: bytes) == entry)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(format.entry(from: damaged) == nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test("31: the file of another URL, of another namespace or of a future version is a miss")
    func foreign() throws {
        try cache().save(entry)
        let bytes = try Data(contentsOf: URL(filePath: cache().path))
        let other = try #require(URL(string: "https://flags.example/other.json"))
        try bytes.write(to: URL(filePath: cache(url: other).path))
        try bytes.write(to: URL(filePath: cache(namespace: "x").path))
        #expect(cache(url: other).load() == nil)
        #expect(cache(namespace: "x").load() == nil)

        let content = String(decoding: bytes.dropFirst(17), as: UTF8.self)
        let future = content.replacing("\"version\":2", with: "\"version\":3")
        #expect(future != content)
        let forged = Data("\(Checksum(future.utf8).text) \(future)".utf8)
        try forged.write(to: URL(filePath: cache().path))
        #expect(cache().load() == nil)
    }

    @Test("31: a provider whose cache is damaged starts without it")
    func damagedAtStart() async throws {
        let server = try LoopbackServer(replies: [good()])
        let path = RemoteJSONCache(folder: folder.url, url: server.url).path
        try Data("0123456789abcdef {}\n{\"a\": 9}".utf8).write(to: URL(filePath: path))
        let configuration = RemoteJSONConfiguration.forTests { $0.cache = .directory(folder.url) }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(server.requests.first?.headerValue("If-None-Match") == nil)
        #expect(RemoteJSONCache(folder: folder.url, url: server.url).load()?.body == Data(#"{"a": 1}"#.utf8))
    }

    @Test("30: when the disk is full in the middle of a write, the old entry stays and nothing is left over")
    func diskFull() throws {
        try cache().save(entry)
        let full = RemoteJSONCache(folder: folder.url, url: url) { descriptor, bytes, offset in
            if bytes.count < 200 {
                errno = ENOSPC
                return -1
            }
            return OpenFile.systemWriting(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(100)), offset)
        }
        var large = entry
        large.body = Data(repeating: 0x20, count: 5000)
        #expect { try full.save(large) } throws: { error in
            if case .system(let error)? = error as? FileFailure { error.number == ENOSPC } else { false }
        }
        #expect(cache().load() == entry)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    @Test("30: where the cache cannot be written, the values live, an event tells, and the old file is intact")
    func unwritableFolder() async throws {
        let blocker = folder.url.appending(path: "file")
        try Data("here is no folder".utf8).write(to: blocker)
        let server = try LoopbackServer(replies: [good()])
        let configuration = RemoteJSONConfiguration.forTests { $0.cache = .directory(blocker.appending(path: "cache")) }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        var events = Events(provider)
        #expect(try await provider.refresh() == .changed(["a"]))
        #expect(provider.value(for: "a") == .integer(1))
        try await events.first { if case .cacheWriteFailed = $0 { true } else { false } }
        #expect(try Data(contentsOf: blocker) == Data("here is no folder".utf8))
    }

    @Test("a cached document is verified and judged like one from the server")
    func badCachedDocument() async throws {
        for text in ["{", #"{"$expires":"2001-01-01T00:00:00Z"}"#] {
            try await Self().badCachedDocument(text: text)
        }
    }

    private func badCachedDocument(text: String) async throws {
        let server = try LoopbackServer(replies: [good()])
        try RemoteJSONCache(folder: folder.url, url: server.url)
            .save(RemoteJSONCacheEntry(body: Data(text.utf8), fetchedAt: Date(), validatedAt: Date()))
        let configuration = RemoteJSONConfiguration.forTests { $0.cache = .directory(folder.url) }
        let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
        #expect(try await provider.refresh() == .changed(["a"]))
    }

    @Test("a cached document older than its time to live is not used, nor is one from the future")
    func ages() async throws {
        let server = try LoopbackServer(replies: [status(500)])
        // On the wall it is always now: a slow machine must not make the future the past.
        let now = Date()
        let configuration = RemoteJSONConfiguration.forTests {
            $0.cache = .directory(folder.url)
            $0.wallClock = { now }
        }
        // 4 and 6 minutes in the future, where clocks may differ by 5.
        let soon = (-4.0 / 1440, -6.0 / 1440)
        for (days, expected) in [
            (31.0, nil), (29.0, FlagValueKind.stale), (0, .ready), (soon.0, .ready), (soon.1, nil), (-365, nil),
        ] {
            let confirmed = now.addingTimeInterval(-days * 86400)
            let entry = RemoteJSONCacheEntry(
                body: Data(#"{"a": 1}"#.utf8), fetchedAt: confirmed, validatedAt: confirmed)
            try RemoteJSONCache(folder: folder.url, url: server.url).save(entry)
            let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
            _ = try? await provider.refresh()
            #expect((provider.value(for: "a") == nil) == (expected == nil), "\(days)")
            switch expected {
            case nil: break
            case .stale: #expect(provider.state.readiness == .stale, "\(days)")
            case .ready: #expect(provider.state.readiness == .cached, "\(days)")
            }
        }
    }

    @Test("32: what killed processes left behind is removed, and what others are writing is not")
    func abandoned() throws {
        try cache().save(entry)
        let name = try #require(cache().path.split(separator: "/").last)
        let other = ".0123456789abcdef.tackline.writing"
        for name in [".\(name).writing", other, ".\(name).old", ".notes.writing"] {
            try Data("half of".utf8).write(to: folder.url.appending(path: name))
        }
        let written = folder.url.appending(path: "0123456789abcdee.tackline").path(percentEncoded: false)
        try StoredFile(written, maximumBytes: 10).rewrite { _ in
            cache().removeAbandonedFiles()
            let left = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
            #expect(
                left == [String(name), ".\(name).old", ".notes.writing", ".0123456789abcdee.tackline.writing"])
            return nil
        }
        #expect(cache().load() == entry)
    }

    @Test("32: a provider that writes the cache removes what was left behind there")
    func abandonedAtStart() async throws {
        let server = try LoopbackServer(replies: [good()])
        let path = folder.url.appending(path: ".0123456789abcdef.tackline.writing").path
        try Data("half of".utf8).write(to: URL(filePath: path))
        let configuration = RemoteJSONConfiguration.forTests { $0.cache = .directory(folder.url) }
        try await RemoteJSONProvider(url: server.url, configuration: configuration).refresh()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    private enum FlagValueKind { case stale, ready }
}
