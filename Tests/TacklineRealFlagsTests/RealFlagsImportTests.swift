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
        old.set(true, for: "is_urlvalid")
        old.set(true, for: "i_osonly")
        old.set(true, for: "sson")
        old.set(9, for: "attempts")
        old.set(2.0, for: "ratio")
        old.set(Float(0.1), for: "small_ratio")
        old.set("dark", for: "theme")
        old.set("Ada", for: "nickname")
        old.set(Data([0, 1, 255]), for: "blob")
        old.set("2022-01-26T10:00:00Z", for: "since")
        old.set("https://example.com/a?b=c", for: "home")
        old.set(["x", "y"], for: "names")
        old.set(["a": 1, "b": 2], for: "weights")
        try old.set(json: limits, for: "limits")
        old.set([try OldInstall.json(limits), try OldInstall.json(limits)], for: "all_limits")
        try old.set(json: limits, for: "maybe_limits")
        old.set(true, for: "secrets/boom_feature")
        old.set(200, for: "secrets/maximum_urlcount")
        old.set("unnamed", for: "title")
        // RealFlags passes the key of a collection over.
        old.set(true, for: "keyed/boom_feature")
        old.set("kebab", for: "in-httponly/title")
        old.set("custom", for: "my_group/title")
    }

    @Test("keeps values of every type, and the old file as it is")
    func everyType() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            try Self().everyType(format: format)
        }
    }

    private func everyType(format: PropertyListSerialization.PropertyListFormat) throws {
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

    @Test("finds old keys with the prefix, the separator and the transform that RealFlags had")
    func configuration() throws {
        var test = self
        test.old.values = ["my-app.v1": ["is-urlvalid": true, "secrets": ["boom-feature": true]]]
        try test.old.save()
        let old = KeyConfiguration(prefix: "myApp.v1", pathSeparator: ".", keyTransform: .kebabCase)
        #expect(try test.run(old).imported.count == 2)
        #expect(flags.isURLValid && flags.secrets.boomFeature)
    }

    @Test("takes several loaders at once")
    func loaders() throws {
        var test = self
        test.old.values = ["attempts": 4, "title": "x", "boom_feature": true]
        try test.old.save()
        let other = FlagsLoader(Secrets.self, providers: [overrides])
        let report = try RealFlagsImport(localURL: old.url).run(for: flags, other, into: overrides)
        #expect(report.imported.map(\.key.text) == ["attempts", "title", "boom_feature"])
        #expect(other.boomFeature && flags.attempts == 4)
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

    @Test("says that its record could not be written, and tries again")
    func unwritableRecord() throws {
        var test = self
        test.old.values = ["attempts": 4]
        try test.old.save()
        let record = old.folder.file("overrides.json.imported")
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
        let error = #expect(throws: FlagError.self) { try test.run() }
        #expect(error?.message.contains("overrides.json.imported") == true)
        try FileManager.default.removeItem(at: record)
        #expect(try test.run().imported.map(\.key.text) == ["attempts"])
    }

    @Test("refuses a damaged record, which would bring back what was reset")
    func damagedRecord() throws {
        let cases: [String] = ["", "[]", "{", "{ \"a\": 1 }"]
        for text in cases {
            var test = self
            test.old.values = ["attempts": 4]
            try test.old.save()
            _ = try old.folder.file("overrides.json.imported", text)
            let error = #expect(throws: FlagError.self) { try test.run() }
            #expect(error?.message.contains("Remove it to import again") == true, "\(text)")
            #expect(overrides.document == FlagDocument(), "\(text)")
        }
    }

    @Test("leaves a value alone that the provider has already")
    func kept() throws {
        var test = self
        test.old.values = ["attempts": 4]
        try test.old.save()
        try flags.$attempts.setValue(11)
        let report = try test.run()
        #expect(report.imported == [] && report.kept.map(\.value) == [4])
        #expect(flags.attempts == 11)
    }

    @Test("makes nothing where RealFlags left nothing")
    func fresh() throws {
        #expect(try run().isEmpty)
        #expect(try old.folder.names() == [])
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
        test.old.set("dark", for: "theme")
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

    @Test("imports from user defaults, or any provider that has the old keys")
    func provider() throws {
        let defaults = MemoryProvider(values: [
            "myapp/is_urlvalid": true, "myapp/limits": .data(try OldInstall.json(limits)),
        ])
        let old = RealFlagsImport(from: defaults, keyConfiguration: KeyConfiguration(prefix: "myapp"))
        #expect(try old.run(for: flags, into: overrides).imported.count == 2)
        #expect(flags.isURLValid && flags.limits == limits)
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
