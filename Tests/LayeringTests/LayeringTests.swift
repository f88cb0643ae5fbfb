import TacklineCore
import Testing

/// The rules of the folders, which the compiler does not check.
@Suite("The sources") struct LayeringTests {
    /// Each folder of the core may name the ones before it, never the ones behind.
    static let layers = [
        "Values", "Keys", "Providers", "Declaring", "Resolving", "Loading", "Reading", "Observing", "Managing",
    ]

    /// What a layer uses of the layers behind it, as "file:line names Type of Layer".
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

    @Test("of the core never name a type of a later folder")
    func layersPointDown() throws {
        let core = "Sources/TacklineCore"
        let files = try Self.layers.enumerated().flatMap { layer, folder in
            try SourceTree.files(in: "\(core)/\(folder)").map { (layer: layer, path: $0.path, source: $0.source) }
        }
        #expect(Set(files.map(\.layer)).count == Self.layers.count)
        #expect(Self.upwardReferences(files) == [])
        // No file escapes the rule by lying elsewhere.
        #expect(try SourceTree.files(in: core).count == files.count)
    }

    @Test("that point upwards would be found")
    func findsUpwardReferences() {
        let files = [
            (layer: 0, path: "low", source: SourceText("struct Low {\n    // A High.\n    var text = \"High\"\n}")),
            (layer: 0, path: "bad", source: SourceText("extension Low {\n    func lift(_ high: High?) {}\n}")),
            (layer: 6, path: "high", source: SourceText("public final class High {\n    var low: Low?\n}")),
        ]
        #expect(Self.upwardReferences(files) == ["bad:2 names High of Reading"])
    }

    @Test("of the core import nothing but the standard library, Foundation and the C library")
    func coreImports() throws {
        let allowed: Set = [
            "Swift", "Synchronization", "Observation", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin",
            // For Apple systems only.
            "Combine", "os",
        ]
        for file in try SourceTree.files(in: "Sources/TacklineCore") {
            #expect(file.source.imports.isSubset(of: allowed), "\(file.path)")
        }
    }

    /// On Apple's systems a program that links Swift Testing does not start outside of Xcode's tests.
    @Test("import Swift Testing only where users' tests do, and never for an example")
    func testingStaysInTests() throws {
        let files = try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers")
        let importing = files.filter { $0.source.imports.contains("Testing") }
        #expect(!importing.isEmpty)
        for file in importing { #expect(file.path.hasPrefix("Sources/TacklineTesting/"), "\(file.path)") }
        let others =
            try files.filter { !$0.path.hasPrefix("Sources/TacklineTesting/") }
            + SourceTree.files(in: "Examples")
        for file in others { #expect(!file.source.imports.contains("TacklineTesting"), "\(file.path)") }
    }

    @Test("of providers use the core as anybody can")
    func providersUsePublicAPI() throws {
        let hidden = Set(
            try SourceTree.files(in: "Sources/TacklineCore").flatMap(\.source.topLevelTypes)
                .filter { $0.access != "public" }.map(\.name)
        )
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

    @Test("list every member of FlagsLoader, each of which hides a flag of its name")
    func loaderMembers() throws {
        var members: Set<String> = []
        for file in try SourceTree.files(in: "Sources") {
            let tokens = file.source.tokens
            for (index, token) in tokens.enumerated().dropLast()
            where token.depth == 0 && ["class", "extension"].contains(token.text)
                && tokens[index + 1].text == "FlagsLoader"
            {
                let body = tokens[(index + 2)...].drop { $0.depth == 0 }.prefix { $0.depth > 0 }
                for (keyword, name) in zip(body, body.dropFirst())
                where keyword.depth == 1 && ["var", "let", "func"].contains(keyword.text) {
                    members.insert(name.text)
                }
            }
        }
        #expect(members.isSuperset(of: ["flags", "providers", "changes", "snapshot", "isEnabled", "manifest"]))
        #expect(members == FlagIndex.loaderMembers)
    }

    @Test("name no public type like a module")
    func typesAndModulesDiffer() throws {
        let modules = try SourceTree.modules()
        #expect(modules.isSuperset(of: ["Tackline", "TacklineCore", "TacklineMemory"]))
        for file in try SourceTree.files(in: "Sources") + SourceTree.files(in: "Providers") {
            let clashes = file.source.topLevelTypes.filter { $0.access == "public" && modules.contains($0.name) }
            #expect(clashes == [], "\(file.path)")
        }
    }

    @Test("have no file of more than 400 lines")
    func filesAreShort() throws {
        for folder in ["Sources", "Providers", "Tests", "Examples", "Docs"] {
            for file in try SourceTree.files(in: folder) {
                let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
                #expect(count <= 400, "\(file.path) has \(count) lines")
            }
        }
    }
}
