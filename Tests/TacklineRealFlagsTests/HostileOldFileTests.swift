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

    @Test(
        "is refused with its path and mistake, and nothing is written",
        arguments: [
            "", "bplist00", "<?xml version=\"1.0\"?><plist><dict><key>a</key></dict></plist>",
            "<?xml version=\"1.0\"?><plist><array/></plist>", "{ \"attempts\": 4 }", "bplist00\u{0}\u{0}\u{0}",
            "<?xml version=\"1.0\"?><plist>" + String(repeating: "<dict><key>a</key>", count: 100_000),
        ])
    func damaged(text: String) throws {
        _ = try old.folder.file("flags.plist", text)
        let error = error()
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("flags.plist is not a property list of RealFlags: ") == true)
        #expect(try old.folder.names() == ["flags.plist"] && old.folder.text("flags.plist") == text)
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
