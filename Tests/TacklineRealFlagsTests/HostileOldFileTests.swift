import Foundation
import TacklineCore
import TacklineLocal
import TacklineRealFlags
import TacklineTestSupport
import Testing

@Suite("An old file that cannot be used", .hangLimit)
struct HostileOldFileTests {
    private let old: OldInstall
    private let overrides: LocalProvider
    private let flags: FlagsLoader<AppFlags>

    init() throws {
        old = try OldInstall()
        overrides = LocalProvider(file: old.folder.file("overrides.json"))
        flags = FlagsLoader(AppFlags.self, providers: [overrides])
    }

    private func error() -> FlagError? {
        #expect(throws: FlagError.self) {
            try RealFlagsImport(localURL: old.url).run(for: flags, into: overrides)
        }
    }

    @Test("is refused with its path and mistake, and nothing is written")
    func damaged() throws {
        let cases: [String] = [
            "", "bplist00", "<?xml version=\"1.0\"?><plist><dict><key>a</key></dict></plist>",
            "<?xml version=\"1.0\"?><plist><array/></plist>", "{ \"attempts\": 4 }", "bplist00\u{0}\u{0}\u{0}",
        ]
        for text in cases {
            _ = try old.folder.file("flags.plist", text)
            let error = error()
            #expect(error?.code == .unreadable, "\(text)")
            #expect(error?.message.contains("flags.plist is not a property list of RealFlags: ") == true, "\(text)")
            #expect(try old.folder.names() == ["flags.plist"], "\(text)")
            #expect(try old.folder.text("flags.plist") == text, "\(text)")
        }
    }

    @Test("is refused if it is cut anywhere, and never traps")
    func cut() throws {
        for isBinary in [false, true] {
            try Self().cut(isBinary: isBinary)
        }
    }

    private func cut(isBinary: Bool) throws {
        var install = old
        install.values = ["attempts": 4, "secrets": ["boom_feature": true], "limits": Data("{\"attempts\":1}".utf8)]
        try install.save(isBinary ? .binary : .xml)
        let bytes = try old.folder.bytes("flags.plist")
        for count in stride(from: 0, to: bytes.count - 9, by: 3) {
            try Data(bytes.prefix(count)).write(to: old.url)
            #expect(error() != nil, "\(count)")
        }
        #expect(overrides.document == FlagDocument())
    }

    @Test("is refused or read with any bytes changed, and never traps")
    func changed() throws {
        for isBinary in [false, true] {
            try Self().changed(isBinary: isBinary)
        }
    }

    private func changed(isBinary: Bool) throws {
        var install = old
        install.values = [
            "attempts": 4, "secrets": ["boom_feature": true], "names": ["a", "b"], "since": "2022-01-26T10:00:00Z",
            "limits": Data(#"{"attempts":1,"labels":["x"],"until":0}"#.utf8),
        ]
        try install.save(isBinary ? .binary : .xml)
        let bytes = try old.folder.bytes("flags.plist")
        var generator = SeededGenerator(seed: isBinary ? 1 : 2)
        var readable = 0
        for _ in 0..<600 {
            var changed = bytes
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                changed[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            try Data(changed).write(to: old.url)
            if (try? RealFlagsImport(localURL: old.url).run(for: flags, into: overrides)) != nil { readable += 1 }
            #expect(try old.folder.bytes("flags.plist") == changed)
            try? FileManager.default.removeItem(at: old.folder.file("overrides.json.imported"))
        }
        #expect(readable > 0 && overrides.status == .ready)
    }

    @Test("is refused if it has no bottom")
    func deep() throws {
        let deep = String(repeating: "<dict><key>a</key>", count: 100_000)
        _ = try old.folder.file("flags.plist", "<?xml version=\"1.0\"?><plist>\(deep)")
        #expect(error()?.code == .unreadable)
    }

    @Test("is a folder, and is refused")
    func folder() throws {
        try FileManager.default.createDirectory(at: old.url, withIntermediateDirectories: true)
        #expect(error()?.message.contains("a folder") == true)
    }

    @Test("holds JSON without a bottom in its data, which is refused alone")
    func deepJSON() throws {
        var install = old
        install.values = [
            "attempts": 4, "limits": Data(String(repeating: "[", count: 100_000).utf8),
            "all_limits": [Data(#"{"attempts":1e999,"labels":[],"until":0}"#.utf8)],
        ]
        try install.save(.binary)
        let report = try RealFlagsImport(localURL: old.url).run(for: flags, into: overrides)
        #expect(report.imported.map(\.key.text) == ["attempts"])
        #expect(report.refused.map(\.key.text) == ["limits", "all_limits"])
    }

    @Test("leaves an unusable destination as it is, and everything to do")
    func destination() throws {
        var install = old
        install.values = ["attempts": 4]
        try install.save()
        _ = try old.folder.file("overrides.json", "{ not JSON")
        try? overrides.reload()
        #expect(error() != nil)
        #expect(try old.folder.text("overrides.json") == "{ not JSON")
        #expect(try old.folder.names() == ["flags.plist", "overrides.json"])
    }
}
