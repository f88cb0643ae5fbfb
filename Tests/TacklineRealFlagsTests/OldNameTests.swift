import Foundation
import TacklineCore
import TacklineLocal
import TacklineMemory
import TacklineRealFlags
import TacklineTestSupport
import Testing

@Suite("What RealFlags calls by other names")
struct OldNameTests {
    struct Layouts: FlagCollectionProtocol {
        @Flag(default: JSONData()) var layout: JSONData
        @Flag(default: false) var isOn: Bool
    }

    @available(*, deprecated)
    private func oldNames() throws {
        enum Look: String, FlagProtocol { case classic }
        let key: FlagKeyPath = "a/b"
        #expect(key.fullPath == "a/b" && key.pathComponents == ["a", "b"] && key.pathSeparator == "/")
        #expect(key.count == 2 && key.first == "a" && key.last == "b" && !key.isEmpty)
        #expect(FlagKeyPath.DefaultPathSeparator == "/")
        let configuration = KeyConfiguration(prefix: "app")
        #expect(configuration.globalPrefix == "app")
        let provider: any FlagsProvider = MemoryProvider(values: ["app/is_on": true])
        let loader = FlagsLoader(Layouts.self, providers: [provider], keyConfiguration: configuration)
        #expect(loader.isOn)
        let manager = FlagsManager(providers: [provider], keyConfiguration: configuration)
        manager.addCollection(Layouts.self)
        #expect(manager.loader(forType: Layouts.self)?.isOn == true)
        manager.removeCollection(forType: Layouts.self)
        #expect(manager.loader(for: Layouts.self) == nil)
        let folder = try TemporaryFolder()
        try LocalProvider(file: folder.file("a.json")).saveToDisk()
    }

    @Test("still compiles, with a warning that says the new one")
    @available(*, deprecated)
    func compiles() throws { try oldNames() }

    @Test("JSONData: members are read by path, and what is no object is refused")
    func jsonData() throws {
        let text = #"{ "grid": { "columns": 3, "gaps": [1, 2] } }"#
        let layout = try #require(JSONData(jsonString: text))
        let columns: Int? = layout.valueForKey("grid.columns")
        let gaps: [Int]? = layout.valueForKey("grid.gaps")
        let wrong: Bool? = layout.valueForKey("grid.columns")
        #expect(columns == 3 && gaps == [1, 2] && wrong == nil)
        #expect(JSONData(jsonString: "[]") == nil && JSONData(jsonString: "{") == nil)
        #expect(try JSONData(encoded: .unparsed(text)) == layout && JSONData(encoded: .data(Data(text.utf8))) == layout)
        #expect(try JSONData(encoded: layout.encoded) == layout)
        #expect(throws: FlagValueError.self) { try JSONData(encoded: [1]) }
        let memory = MemoryProvider(values: ["layout": layout.encoded])
        #expect(FlagsLoader(Layouts.self, providers: [memory]).layout == layout)
    }
}
