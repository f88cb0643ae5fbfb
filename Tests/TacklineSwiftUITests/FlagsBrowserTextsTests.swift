import Foundation
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

/// The views are compiled for Apple's systems only, so their sources are read.
@Suite("The texts of the browser's views")
struct FlagsBrowserTextsTests {
    private let sources: [(name: String, text: String)]
    private let known: Set<String>

    init() throws {
        let module = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/TacklineSwiftUI").standardizedFileURL
        let files = try #require(FileManager.default.enumerator(atPath: module.path)?.allObjects as? [String])
        sources = try files.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            (name, try String(contentsOf: module.appending(path: name), encoding: .utf8))
        }
        let table = try String(
            contentsOf: module.appending(path: "Resources/en.lproj/Localizable.strings"), encoding: .utf8)
        known = Set(table.matches(of: /"(.*)" = "(.*)";/).map { String($0.1) })
    }

    @Test("are in the table for translations, which has no others, and never looked for in the app's bundle")
    func table() {
        var used: Set<String> = []
        for source in sources {
            used.formUnion(source.text.matches(of: /(?:browserText\(|case \.\w+: )"([^"]+)"/).map { String($0.1) })
            // Where the bundle is missing, it ends the program.
            #expect(!source.text.contains("bundle: .module"), "\(source.name)")
        }
        #expect(known == used)
        // What takes a text as a key without a bundle.
        let keyed =
            /\b(Text|Button|Toggle|Menu|Picker|TextField|Section|Label|DatePicker|ShareLink|ContentUnavailableView|alert|confirmationDialog|navigationTitle|LabeledContent)\("|prompt: "/
        for source in sources where source.name.hasPrefix("Browser/") {
            #expect(source.text.firstMatch(of: keyed).map { source.text[$0.range] } == nil, "\(source.name)")
        }
    }
}

@Suite("The words of the browser's views")
struct FlagsBrowserWordsTests {
    @Test("say what a flag gives, from where, and what is unusual")
    func words() throws {
        let memory = MemoryProvider(name: "memory", values: ["is_on": true, "number": "x"])
        let loader = FlagsLoader(ViewFlags.self, providers: [memory], issueReporter: .silent)
        let flags = FlagsBrowser(loader).snapshot().flags
        #expect(flags[0].spokenValue == "on, overridden" && flags[0].source.title == "memory")
        #expect(flags[1].mark == "overridden, refused value" && flags[1].source.title == "default")
        #expect(flags[1].answers[0].text.hasPrefix("refused: expected an integer"))
        #expect(flags[2].spokenValue == "off" && flags[2].mark == nil)
    }
}
