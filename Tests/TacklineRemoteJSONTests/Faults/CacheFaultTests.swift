import Foundation
import TacklineCore
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

    private var entry: RemoteCacheEntry {
        var entry = RemoteCacheEntry(body: Data(#"{"a": 1}"#.utf8), confirmedAt: date)
        entry.conditions = ["If-None-Match": "W/\"1\""]
        (entry.version, entry.signers, entry.request, entry.notBefore) = (7, ["key"], "body", date + 700)
        return entry
    }

    private func cache(url: URL? = nil) -> RemoteCache {
        RemoteCache(folder: folder.url, target: RemoteTarget(url: url ?? self.url))
    }

    private func configuration(_ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in })
        -> RemoteJSONProvider.Configuration
    {
        .forTests {
            $0.cache = .directory(folder.url)
            change(&$0)
        }
    }

    @Test("an entry is read as it was written, and nobody else's folder rights are needed")
    func roundTrip() throws {
        try cache().save(entry, at: date)
        #expect(cache().load() == entry)
        let attributes = try FileManager.default.attributesOfItem(atPath: cache().path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
    }

    @Test("an entry is replaced only by one that is as new: by version, or without versions by the time")
    func newer() throws {
        func entry(_ value: Int, version: Int128?, by signers: [String] = [], minutes: Double = 0) -> RemoteCacheEntry {
            var entry = RemoteCacheEntry(body: Data("\(value)".utf8), confirmedAt: date + minutes * 60)
            (entry.version, entry.signers) = (version, signers)
            return entry
        }
        let cases: [(RemoteCacheEntry, RemoteCacheEntry, Bool)] = [
            (entry(1, version: 2), entry(2, version: 1, minutes: 1), false),
            (entry(1, version: 2), entry(2, version: 2), true), (entry(1, version: 2), entry(2, version: 3), true),
            (entry(1, version: 2), entry(2, version: nil, minutes: 1), false),
            (entry(1, version: nil), entry(2, version: 1, minutes: -1), true),
            (entry(1, version: nil), entry(2, version: nil, minutes: 1), true),
            (entry(1, version: nil), entry(2, version: nil, minutes: -1), false),
            // Written by a clock that was ahead.
            (entry(1, version: nil, minutes: 600), entry(2, version: nil), true),
            (entry(1, version: 9, by: ["a"]), entry(2, version: 1, by: ["b"]), true),
            (entry(1, version: 9, by: ["a"]), entry(2, version: 1, by: ["a"]), false),
            (entry(1, version: 9, by: ["a"]), entry(2, version: 1, by: ["b", "a"]), false),
            (entry(1, version: 9), entry(2, version: 1, by: ["a"]), true),
        ]
        for (index, (old, new, isReplaced)) in cases.enumerated() {
            try? FileManager.default.removeItem(atPath: cache().path)
            try cache().save(old, at: date + 60)
            try cache().save(new, at: date + 60)
            #expect(cache().load() == (isReplaced ? new : old), "case \(index)")
        }
    }

    @Test("49: a process that gets an older version from a lagging edge leaves the newer document of another one")
    func twoProcesses() async throws {
        let newer = try LoopbackServer(replies: [document(#"{"$version": 2, "a": 2}"#)])
        let lagging = StubTransport { _ in HTTPTransportResponse(json: #"{"$version": 1, "a": 1}"#) }
        let widget = RemoteJSONProvider(url: newer.url, configuration: configuration { $0.transport = lagging })
        let app = RemoteJSONProvider(url: newer.url, configuration: configuration())
        try await app.refresh()
        try await widget.refresh()
        #expect(widget.value(for: "a") == 1)
        let next = RemoteJSONProvider(url: newer.url, configuration: configuration { $0.transport = lagging })
        #expect(next.value(for: "a") == 2)
        #expect(await next.failure()?.message.contains("1 is older than 2") == true)
        #expect(next.value(for: "a") == 2)
    }

    @Test("nothing secret is on the disk, and nobody else may list the folder")
    func secrets() async throws {
        let server = try LoopbackServer(replies: [good(), status(503, [LoopbackHeader("Retry-After", "60")])])
        let text = "http://someone:pa55word@127.0.0.1:\(server.port)/flags.json?token=t0psecret"
        let url = try #require(URL(string: text))
        let inner = folder.url.appending(path: "inner")
        let configuration = configuration {
            $0.cache = .directory(inner)
            $0.headers = ["X-Key": "s3cret-key"]
            $0.authorization = { "Bearer abcdefgh" }
        }
        let provider = RemoteJSONProvider(url: url, subject: "user-4711", configuration: configuration)
        try await provider.refresh()
        _ = try? await provider.refresh()
        let names = try FileManager.default.contentsOfDirectory(atPath: inner.path)
        #expect(names.count == 1)
        for name in names {
            let content = String(decoding: try Data(contentsOf: inner.appending(path: name)), as: UTF8.self)
            for secret in ["someone", "pa55word", "t0psecret", "user-4711", "s3cret-key", "abcdefgh"] {
                #expect(!content.contains(secret) && !name.contains(secret), "\(secret) in \(name): \(content)")
            }
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: inner.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("31: a file cut off at any byte or with any bit flipped is a miss")
    func damaged() throws {
        let bytes = try cache().bytes(of: entry)
        #expect(cache().entry(from: bytes) == entry)
        for index in bytes.indices {
            #expect(cache().entry(from: bytes.prefix(index)) == nil, "cut at \(index)")
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(cache().entry(from: damaged) == nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test("31: a file with a valid checksum that is no entry is a miss")
    func foreign() {
        for text in ["", "\n", "{", "{}\n", "no JSON\n{}"] {
            #expect(cache().entry(from: Data("\(checksum(text.utf8)) \(text)".utf8)) == nil)
        }
    }

    @Test("31: a file with a date that no clock has shown is a miss")
    func absurdDates() throws {
        for seconds in [1e300, -1e300, 1e12] {
            for path in [\RemoteCacheEntry.confirmedAt, \.notBefore!] {
                var entry = entry
                entry[keyPath: path] = Date(timeIntervalSinceReferenceDate: seconds)
                try cache().bytes(of: entry).write(to: URL(filePath: cache().path))
                #expect(RemoteJSONProvider(url: url, configuration: configuration()).status == .notReady)
            }
        }
    }

    @Test("a folder of the provider's own keeps the files of the 32 users who were there last")
    func manyUsers() throws {
        let caches = (0..<40).map { number in
            let target = RemoteTarget(url: url, subject: "\(number)")
            return RemoteCache(folder: folder.url, target: target, ownsFolder: true)
        }
        for (number, cache) in caches.enumerated() {
            try cache.save(entry, at: date)
            let attributes = [FileAttributeKey.modificationDate: date + Double(number)]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: cache.path)
        }
        #expect(caches.map { $0.load() != nil } == (0..<40).map { $0 >= 8 })
    }

    @Test("a cached document is judged like one from the server, and by its age")
    func judged() async throws {
        // On the wall it is always now: a slow machine must not make the future the past.
        let now = Date()
        let configuration = configuration {
            $0.transport = noServer
            $0.wallClock = { now }
        }
        let cases: [(String, days: Double, isUsed: Bool)] = [
            ("{", 0, false), (#"{"$expires": "2001-01-01T00:00:00Z", "a": 1}"#, 0, false), (#"{"a": 1}"#, 0, true),
            (#"{"a": 1}"#, 29, true), (#"{"a": 1}"#, 31, false),
        ]
        for (text, days, isUsed) in cases {
            try? FileManager.default.removeItem(atPath: cache().path)
            try cache().save(
                RemoteCacheEntry(body: Data(text.utf8), confirmedAt: now.addingTimeInterval(-days * 86400)), at: now)
            let provider = RemoteJSONProvider(url: url, configuration: configuration)
            #expect((provider.value(for: "a") != nil) == isUsed, "\(text) of \(days) days")
            if case .stale = provider.status { #expect(days > 1) } else { #expect(days < 1 || !isUsed) }
        }
    }

    @Test("a file that cannot be read, or is longer than allowed now, is removed with its user, and else replaced")
    func unreadable() async throws {
        let long = document("{\"a\": \"\(String(repeating: "x", count: 200_000))\"}")
        let server = try LoopbackServer(replies: [long, good(2)])
        func provider(_ maximumBytes: Int = 1 << 20) -> RemoteJSONProvider {
            RemoteJSONProvider(
                url: server.url, subject: "ada", configuration: configuration { $0.maximumBodyBytes = maximumBytes })
        }
        try await provider().refresh()
        #expect(provider(1000).value(for: "a") == nil)
        try await provider(1000).refresh()
        #expect(provider(1000).value(for: "a") == 2)
        let file = URL(
            filePath: RemoteCache(folder: folder.url, target: RemoteTarget(url: server.url, subject: "ada")).path)
        try (Data(contentsOf: file) + Data("x".utf8)).write(to: file)
        provider().setSubject(nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(
        "30 and 43: what can't be written is in force, and is written after the next answer or when the device is unlocked"
    )
    func unwritten() async throws {
        for isUnlocked in [false, true] {
            // A file is where the folder of the cache has to be.
            let blocked = folder.url.appending(path: "cache")
            try Data().write(to: blocked)
            let lines = Lines()
            let configuration = configuration { ($0.cache, $0.log) = (.directory(blocked), lines.append) }
            let server = try LoopbackServer(replies: [good(), .response(.notModified(etag: "\"1\""))])
            let provider = RemoteJSONProvider(url: server.url, configuration: configuration)
            try await provider.refresh()
            try await lines.wait(for: "the cache was not written")
            #expect(provider.value(for: "a") == 1)
            try FileManager.default.removeItem(at: blocked)
            if isUnlocked { provider.refresher.unlockCache() } else { try await provider.refresh() }
            #expect(RemoteJSONProvider(url: server.url, configuration: configuration).value(for: "a") == 1)
            try FileManager.default.removeItem(at: blocked)
        }
    }
}
