import TacklineCore
import Testing

/// Rules for the folders that the compiler doesn't check.
@Suite("The sources") struct LayeringTests {
    /// The folders of the core. Each of them may name only the folders before it.
    static let layers = ["Values", "Keys", "Providers", "Flags", "Resolution", "Observation", "Loader"]

    /// Returns the uses of types of later layers, as "file:line names Type of Layer".
    static func upwardReferences(_ files: [(layer: Int, path: String, source: SourceText)]) -> [String] {
        var owners: [String: Int] = [:]
        for file in files {
            for declaration in file.source.topLevelTypes where !declaration.access.hasSuffix("private") {
                owners[declaration.name] = file.layer
            }
        }
        return files.flatMap { file in
            file.source.tokens.compactMap { token in
                guard let owner = owners[token.text], owner > file.layer else { return nil }
                return "\(file.path):\(token.line) names \(token.text) of \(layers[owner])"
            }
        }
    }

    @Test("of the core name no type of a later folder")
    func layersPointDown() throws {
        let core = "Sources/TacklineCore"
        let files = try Self.layers.enumerated().flatMap { layer, folder in
            try SourceTree.files(in: "\(core)/\(folder)").map { (layer: layer, path: $0.path, source: $0.source) }
        }
        #expect(Set(files.map(\.layer)).count == Self.layers.count)
        #expect(Self.upwardReferences(files) == [])
        // No file is outside of these folders.
        #expect(try SourceTree.files(in: core).count == files.count)
    }

    @Test("that name a type of a later folder are found by this test")
    func findsUpwardReferences() {
        let files = [
            (layer: 0, path: "low", source: SourceText("struct Low {\n    // A High.\n    var text = \"High\"\n}")),
            (layer: 0, path: "bad", source: SourceText("extension Low {\n    func lift(_ high: High?) {}\n}")),
            (layer: 6, path: "high", source: SourceText("public final class High {\n    var low: Low?\n}")),
        ]
        #expect(Self.upwardReferences(files) == ["bad:2 names High of Loader"])
    }

    @Test("of the core import nothing but the standard library, Foundation and the C library")
    func coreImports() throws {
        let allowed: Set = [
            "Swift", "Synchronization", "Observation", "Foundation", "TacklineFoundation", "TacklineCLibrary",
            // For Apple systems only.
            "Combine", "os",
        ]
        for file in try SourceTree.files(in: "Sources/TacklineCore") {
            #expect(file.source.imports.isSubset(of: allowed), "\(file.path)")
        }
    }

    /// A port to another system then has one file to edit.
    @Test("import the C library in one file, which names each system, and the others by the name of that module")
    func oneCLibrary() throws {
        let names: Set = ["Darwin", "Glibc", "Musl", "Android", "Bionic", "CRT", "WinSDK", "WASILibc"]
        let file = "Sources/TacklineCLibrary/CLibrary.swift"
        let files = try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers")
        let imports = try #require(files.first { $0.path == file }).source.imports
        #expect(imports.isSuperset(of: ["Android", "CRT", "Darwin", "Glibc", "Musl", "WinSDK"]))
        for other in files where other.path != file {
            #expect(other.source.imports.isDisjoint(with: names), "\(other.path)")
        }
        #expect(files.count { $0.source.imports.contains("TacklineCLibrary") } > 20)
        // Its names would be those of every app.
        for other in files { #expect(!other.text.contains("public import TacklineCLibrary"), "\(other.path)") }
    }

    /// On Apple systems, a program that links Swift Testing starts only as a test of Xcode.
    @Test("import Swift Testing only in TacklineTesting, which no example imports")
    func testingStaysInTests() throws {
        let files = try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers")
        let importing = files.filter { $0.source.imports.contains("Testing") }
        #expect(!importing.isEmpty)
        for file in importing { #expect(file.path.hasPrefix("Sources/TacklineTesting/"), "\(file.path)") }
        let others =
            try files.filter { !$0.path.hasPrefix("Sources/TacklineTesting/") }
            + SourceTree.files(in: "Examples").filter { !$0.path.hasPrefix("Examples/iOSApp/ShopTests/") }
        for file in others { #expect(!file.source.imports.contains("TacklineTesting"), "\(file.path)") }
    }

    @Test("of providers use only public API of the core, and what the modules of this package share")
    func providersUsePublicAPI() throws {
        let shared: Set = [
            "DeferredFlagWrites", "FingerprintedProvider", "FlagBroadcast", "FlagDocumentStore",
            "FlagJSONError",
            "FlagJSONReader", "FlagJSONWriter", "FlagProbe", "FlagPromise", "FlagReasoning", "FlagReasoningProvider",
            "PreparedFlagDocument", "ThreadLocal",
        ]
        let hidden = Set(
            try SourceTree.files(in: "Sources/TacklineCore").flatMap(\.source.topLevelTypes)
                .filter { $0.access != "public" }.map(\.name)
        ).subtracting(shared)
        #expect(hidden.contains("LoaderCore"))
        let files = try SourceTree.files(in: "Providers")
        #expect(!files.isEmpty)
        for file in files {
            let source = file.source
            #expect(!source.attributes.contains("@testable"), "\(file.path)")
            #expect(!source.attributes.contains("@_spi"), "\(file.path)")
            let own = Set(source.topLevelTypes.map(\.name))
            let used = source.tokens.map(\.text).filter { hidden.contains($0) && !own.contains($0) }
            #expect(used == [], "\(file.path)")
        }
    }

    @Test("give no public type the name of a module")
    func typesAndModulesDiffer() throws {
        let modules = try SourceTree.modules()
        #expect(modules.isSuperset(of: ["Tackline", "TacklineCore", "TacklineMemory"]))
        for file in try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers") {
            let clashes = file.source.topLevelTypes.filter { $0.access == "public" && modules.contains($0.name) }
            #expect(clashes == [], "\(file.path)")
        }
    }

    @Test("have at most 400 lines in a file")
    func filesAreShort() throws {
        for folder in ["Sources", "Providers", "Tests", "Examples", "Docs"] {
            for file in try SourceTree.files(in: folder) {
                let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
                #expect(count <= 400, "\(file.path) has \(count) lines")
            }
        }
    }
}
