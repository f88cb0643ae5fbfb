import Foundation
import TacklineBrowser
import TacklineTestSupport
import Testing

/// The views are compiled for Apple's systems only, so their sources are read.
@Suite("The texts of the browser's views")
struct FlagsBrowserTextsTests {
    private let sources: [(name: String, text: String)]
    private let known: Set<String>

    init() throws {
        let module = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/TacklineSwiftUI").standardizedFileURL
        let folder = module.appending(path: "Browser")
        sources = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
        let table = try String(
            contentsOf: module.appending(path: "Resources/en.lproj/Localizable.strings"), encoding: .utf8)
        known = Set(table.matches(of: /"(.*)" = "(.*)";/).map { String($0.1) })
    }

    @Test("are those of all browsers, and the table for translations has them and no others")
    func table() {
        #expect(known == Set(FlagsBrowserText.allCases.map(\.rawValue)))
        for source in sources {
            #expect(!source.text.contains("browser: \""), "\(source.name)")
            // Where the bundle is missing, it ends the program.
            #expect(!source.text.contains("bundle: .module"), "\(source.name)")
        }
    }

    @Test("are never looked for in the app's bundle")
    func bundle() {
        // What takes a text as a key without a bundle.
        let keyed =
            /\b(Text|Button|Toggle|Menu|Picker|TextField|Section|Label|DatePicker|ShareLink|ContentUnavailableView|alert|confirmationDialog|navigationTitle)\("|prompt: "/
        for source in sources {
            #expect(source.text.firstMatch(of: keyed).map { source.text[$0.range] } == nil, "\(source.name)")
        }
    }
}
