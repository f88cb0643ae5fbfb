import Foundation
import Tackline
import TacklineManifest
import TacklineTargeting
import TacklineTestSupport
import Testing

/// The samples of the guides that `.ci/run guides` does not run.
@Suite("A guide", .hangLimit)
struct GuideTests {
    private struct SharedFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "The widget with prices") var showsPrices: Bool
        @FlagCollection(description: "Search") var search: Search

        struct Search: FlagCollectionProtocol {
            @Flag(default: 20, description: "Results on a page") var limit: Int
        }
    }

    /// The type of the guide "Sharing flags with widgets and extensions".
    private struct SharedValues {
        let file: LocalProvider
        let flags: FlagsLoader<SharedFlags>

        init(folder: URL) {
            file = LocalProvider(file: folder.appending(path: "flags.json"))
            flags = FlagsLoader(SharedFlags.self, providers: [file])
        }

        func publish(_ remote: some FlagProvider) throws {
            var values: [FlagKeyPath: EncodedFlagValue?] = [:]
            for flag in flags.root.allFlags {
                values.updateValue(remote.value(for: flag.keyPath), forKey: flag.keyPath)
            }
            try file.setValues(values)
        }
    }

    /// The same folder in each process, and another one for another copy of the package.
    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "tackline-widget\(#filePath.replacing("/", with: "-"))")

    @Test("shows an app and a widget, two processes, that agree also when a value was withdrawn")
    func widget() async throws {
        try? FileManager.default.removeItem(at: Self.folder)
        defer { try? FileManager.default.removeItem(at: Self.folder) }
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        let remote = MemoryProvider(name: "remote", values: ["shows_prices": true, "search": ["limit": 50]])
        let app = SharedValues(folder: Self.folder)
        try app.publish(remote)
        await #expect(processExitsWith: .success) {
            let widget = SharedValues(folder: Self.folder)
            try #require(widget.flags.showsPrices && widget.flags.search.limit == 50)
        }
        remote.setValues(["shows_prices": nil, "search": nil])
        try app.publish(remote)
        #expect(!app.flags.showsPrices && app.flags.search.limit == 20)
        await #expect(processExitsWith: .success) {
            let widget = SharedValues(folder: Self.folder)
            try #require(!widget.flags.showsPrices && widget.flags.search.limit == 20)
        }
    }

    @Test("shows a rule that grows from nobody to everybody")
    func growing() throws {
        let page = try Self.page("GradualRollout")
        let json = try #require(page.firstMatch(of: /```json\n(?<flag>"reservations"(?s).*?)```/)).flag
        for (second, share) in [
            (1_798_000_000, 0), (1_798_761_600, 0), (1_799_064_000, 0.5), (1_799_366_400, 1), (1_900_000_000, 1),
        ] as [(Int64, Double)] {
            let definitions = try FlagDefinitions(json: Data("{\"flags\": {\(json)}}".utf8), timestamp: { second })
            #expect(definitions.validate().isEmpty)
            let included = (1...1_000).count { number in
                let user = EvaluationContext(targetingKey: "user-\(number)")
                return definitions.evaluate("reservations", for: user).value == true
            }
            #expect(abs(Double(included) / 1_000 - share) < 0.07, "\(second): \(included)")
        }
    }

    private static func page(_ name: String) throws -> String {
        let package = (0..<3).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        return try String(
            contentsOf: package.appending(path: "Docs/Tackline.docc/\(name).md"), encoding: .utf8)
    }

    // The code in the guide on the command-line tool.

    private struct AppFlags: FlagCollectionProtocol {
        @Flag(
            key: "sson", default: false,
            description: FlagMetadata(
                description: "Enable single sign-on", owner: "Ada",
                expiryDate: Date(timeIntervalSince1970: 1_751_241_600), ticket: "LOGIN-12"))
        var allowsSSON: Bool

        @Flag(default: 3, description: "Wrong passwords before a pause")
        var maxAttempts: UInt8

        @FlagCollection(description: "Experiments not yet announced")
        var secrets: SecretFlags
    }

    private struct SecretFlags: FlagCollectionProtocol {
        @Flag(default: false, description: FlagMetadata(description: "Risky feature!", owner: "Ben"))
        var boomFeature: Bool
    }

    @Test("shows the manifest that its code exports")
    func manifest() throws {
        let loader = FlagsLoader(AppFlags.self, description: .init(name: "The app"), providers: [])
        let block = try #require(try Self.page("CheckingFlags").split(separator: "`manifest.json`:\n\n```json\n").last)
        let shown = try FlagManifest(json: Data(try #require(block.split(separator: "\n```").first).utf8))
        #expect(try shown == FlagManifest(json: FlagManifest(loader).jsonData()))
    }
}
