import Foundation
import TacklineCore
import TacklineLocal
import TacklineMemory
import TacklineRealFlags
import TacklineTestSupport
import Testing

@Suite("An import from RealFlags", .hangLimit)
struct RealFlagsImportTests {
    private var old: OldInstall
    private let overrides: LocalProvider
    private let flags: FlagsLoader<AppFlags>
    private let limits = Limits(attempts: 7, until: Date(timeIntervalSinceReferenceDate: 700_000_000.5), labels: ["a"])

    init() throws {
        old = try OldInstall()
        overrides = LocalProvider(file: old.folder.file("overrides.json"))
        flags = FlagsLoader(AppFlags.self, providers: [overrides])
    }

    private func run(_ configuration: KeyConfiguration = KeyConfiguration()) throws -> RealFlagsImport.Report {
        try RealFlagsImport(localURL: old.url, keyConfiguration: configuration).run(for: flags, into: overrides)
    }

    /// Values of every type, as RealFlags' types encode them.
    private mutating func fill() throws {
        let json = try OldInstall.json(limits)
        old.values = [
            "is_urlvalid": true, "i_osonly": true, "sson": true, "attempts": 9, "ratio": 2.0, "small_ratio": Float(0.1),
            "theme": "dark", "nickname": "Ada", "blob": Data([0, 1, 255]), "since": "2022-01-26T10:00:00Z",
            "home": "https://example.com/a?b=c", "names": ["x", "y"], "weights": ["a": 1, "b": 2], "limits": json,
            "all_limits": [json, json], "maybe_limits": json, "title": "unnamed", "in-httponly": ["title": "kebab"],
            "secrets": ["boom_feature": true, "maximum_urlcount": 200] as [String: Any],
            "my_group": ["title": "custom"],
            // RealFlags passes the key of a collection over.
            "keyed": ["boom_feature": true],
        ]
    }

    @Test(
        "keeps values of every type, and the old file as it is",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func everyType(format: PropertyListSerialization.PropertyListFormat) throws {
        var test = self
        try test.fill()
        try test.old.save(format)
        let bytes = try old.folder.bytes("flags.plist")
        let attributes = try FileManager.default.attributesOfItem(atPath: old.url.path)
        let report = try test.run()
        #expect(try old.folder.bytes("flags.plist") == bytes)
        let after = try FileManager.default.attributesOfItem(atPath: old.url.path)
        #expect(after[.modificationDate] as? Date == attributes[.modificationDate] as? Date)
        #expect(try old.folder.names() == ["flags.plist", "overrides.json", "overrides.json.imported"])
        #expect(report.refused == [] && report.kept == [] && report.unclaimedKeys == [], "\(report)")
        #expect(report.imported.count == 22)
        #expect(flags.isURLValid && flags.iOSOnly && flags.allowsSSON)
        #expect(flags.attempts == 9 && flags.ratio == 2 && flags.smallRatio == 0.1)
        #expect(flags.theme == .dark && flags.nickname == "Ada" && flags.blob == Data([0, 1, 255]))
        #expect(flags.since == Date(timeIntervalSince1970: 1_643_191_200))
        #expect(flags.home.absoluteString == "https://example.com/a?b=c")
        #expect(flags.names == ["x", "y"] && flags.weights == ["a": 1, "b": 2])
        #expect(flags.limits == limits && flags.allLimits == [limits, limits] && flags.maybeLimits == limits)
        #expect(flags.secrets.boomFeature && flags.secrets.maximumURLCount == 200)
        #expect(flags.unnamed.title == "unnamed" && flags.keyed.boomFeature)
        #expect(flags.inHTTPOnly.title == "kebab" && flags.grouped.title == "custom")
        // The same after a relaunch.
        let later = FlagsLoader(AppFlags.self, providers: [LocalProvider(file: overrides.file)])
        #expect(later.isURLValid && later.limits == limits)
        #expect(later.$isURLValid.keyPath == "is_url_valid")
    }

    @Test("finds old keys with the configuration that RealFlags had, of several loaders, in a file or any provider")
    func configuration() throws {
        var test = self
        test.old.values = ["my-app.v1": ["is-urlvalid": true, "boom-feature": true]]
        try test.old.save()
        let other = FlagsLoader(Secrets.self, providers: [overrides])
        let configuration = KeyConfiguration(prefix: "myApp.v1", pathSeparator: ".", keyTransform: .kebabCase)
        let old = RealFlagsImport(localURL: old.url, keyConfiguration: configuration)
        #expect(
            try old.run(for: flags, other, into: overrides).imported.map(\.key.text) == [
                "is_url_valid", "boom_feature",
            ])
        #expect(flags.isURLValid && other.boomFeature)
        let defaults = MemoryProvider(values: ["myapp/attempts": 4, "myapp/limits": .data(try OldInstall.json(limits))])
        let older = RealFlagsImport(from: defaults, keyConfiguration: KeyConfiguration(prefix: "myapp"))
        #expect(try older.run(for: flags, into: overrides).imported.count == 2)
        #expect(flags.attempts == 4 && flags.limits == limits)
    }

    @Test("does nothing the second time, also to values that were changed or reset since")
    func twice() throws {
        var test = self
        try test.fill()
        try test.old.save()
        _ = try test.run()
        try flags.$attempts.setValue(11)
        try flags.$isURLValid.resetValue()
        let before = try old.folder.bytes("overrides.json")
        #expect(try test.run().isEmpty)
        #expect(try old.folder.bytes("overrides.json") == before)
        #expect(flags.attempts == 11 && !flags.isURLValid)
        try overrides.resetAllData()
        #expect(try test.run().isEmpty)
        #expect(overrides.document == FlagDocument())
    }

    @Test("goes on where a process was killed between the values and the record of them")
    func killed() throws {
        var test = self
        try test.fill()
        try test.old.save()
        // The record cannot be written.
        let record = old.folder.file("overrides.json.imported")
        _ = try test.run()
        try FileManager.default.removeItem(at: record)
        let values = overrides.document
        let report = try test.run()
        #expect(report.imported == [] && report.kept.count == 22)
        #expect(overrides.document == values)
        #expect(try test.run().isEmpty)
    }

    @Test("says that its record could not be written, or is damaged and would bring back what was reset")
    func record() throws {
        var test = self
        test.old.values = ["attempts": 4]
        try test.old.save()
        let record = old.folder.file("overrides.json.imported")
        for text in ["", "[]", "{", "{ \"a\": 1 }"] {
            _ = try old.folder.file("overrides.json.imported", text)
            let error = #expect(throws: FlagError.self) { try test.run() }
            #expect(error?.message.contains("Remove it to import again") == true, "\(text)")
            #expect(overrides.document == FlagDocument(), "\(text)")
        }
        try FileManager.default.removeItem(at: record)
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
        let error = #expect(throws: FlagError.self) { try test.run() }
        #expect(error?.message.contains("overrides.json.imported") == true)
        try FileManager.default.removeItem(at: record)
        #expect(try test.run().imported.map(\.key.text) == ["attempts"])
    }

    @Test("leaves a value alone that the provider has already, and makes nothing where RealFlags left nothing")
    func kept() throws {
        #expect(try run().isEmpty && old.folder.names() == [])
        var test = self
        test.old.values = ["attempts": 4]
        try test.old.save()
        try flags.$attempts.setValue(11)
        let report = try test.run()
        #expect(report.imported == [] && report.kept.map(\.value) == [4] && flags.attempts == 11)
    }

    @Test("names what does not fit and what no flag has, imports the rest, and looks again the next time")
    func refused() throws {
        var test = self
        test.old.values = [
            "attempts": 4, "secrets": ["maximum_urlcount": 300, "gone": 1], "theme": "pink", "limits": Data("{".utf8),
            "all_limits": [Data("{}".utf8), 3] as [Any], "unknown": ["a": ["b": true], "c": [:] as [String: Any]],
        ]
        try test.old.save()
        let report = try test.run()
        #expect(report.imported.map(\.key.text) == ["attempts"])
        #expect(
            report.refused.map(\.oldKey.text) == ["theme", "limits", "all_limits", "secrets/maximum_urlcount"])
        #expect(report.unclaimedKeys == ["secrets/gone", "unknown/a/b", "unknown/c"])
        #expect(report.description.contains("refused theme for theme: expected a raw value of Theme, found"))
        #expect(try test.run().refused.count == 4)
        test.old.values["theme"] = "dark"
        try test.old.save()
        #expect(try test.run().imported.map(\.key.text) == ["theme"])
    }

    @Test("reads numbers and texts as RealFlags does, as far as they are exact")
    func loose() throws {
        var test = self
        test.old.values = [
            "is_urlvalid": 1, "i_osonly": "YES", "attempts": "12", "ratio": 3, "sson": "yesterday",
        ]
        try test.old.save()
        let report = try test.run()
        #expect(flags.isURLValid && flags.iOSOnly && flags.attempts == 12 && flags.ratio == 3)
        // There "yesterday" is true, and "abc" is 0.
        #expect(report.refused.map(\.key.text) == ["sson"])
    }

    @Test("is on the disk when it returns, also where the provider gathers writes")
    func gathered() throws {
        var test = self
        test.old.values = ["attempts": 4]
        try test.old.save()
        let slow = LocalProvider(file: old.folder.file("slow.json"), writeDelay: .seconds(3600))
        try RealFlagsImport(localURL: old.url).run(for: flags, into: slow)
        #expect(try old.folder.text("slow.json").contains("4"))
    }
}
