#if CommandLine
    import Foundation
    import Tackline
    import TacklineCore
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("tackline generate swift", .hangLimit)
    struct GenerateTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        @Test("writes, from the manifest of code that it wrote and which compiles, the same code")
        func roundTrip() async throws {
            let about = FlagMetadata(name: "Shop", description: "What customers see")
            let manifest = FlagManifest(FlagsLoader(ShopFlags.self, description: about, providers: []))
            try manifest.jsonData().write(to: folder.file("manifest.json"))
            let tool = try await tool("generate", "swift", "manifest.json", "--name", "ShopFlags")
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            #expect(try tool.output == Samples.text(ofPackageFile: "Tests/TacklineCLITests/Generating/ShopFlags.swift"))
        }

        @Test("writes the flags of definitions with their keys, by the types of their variants")
        func definitions() async throws {
            _ = try folder.file(
                "rollout.json",
                #"""
                { "flags": {
                  "new-welcome.banner": { "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off" },
                  "class": { "state": "DISABLED", "variants": { "a": 1, "b": 2.5 }, "defaultVariant": "b",
                    "metadata": { "description": "How\nmany */" } },
                  "shop/limits": { "state": "ENABLED", "variants": { "x": { "a": 1 } }, "defaultVariant": "x" },
                  "shop/1st": { "state": "ENABLED", "variants": { "x": "\"\\(", "y": "" }, "defaultVariant": "x" }
                } }
                """#)
            let tool = try await tool("generate", "swift", "rollout.json")
            #expect(tool.status == 0, "\(tool.errors)")
            for line in [
                "@Flag(key: \"new-welcome.banner\", default: false)\n    var newWelcomeBanner: Bool",
                "    /// How\n    /// many */\n    @Flag(default: 2.5, description: \"How\\nmany */\")\n    var `class`: Double",
                "@FlagCollection var shop: Shop",
                "default: [\"a\": .integer(1)])\n        var limits: EncodedFlagValue",
                "@Flag(default: \"\\\"\\\\(\")\n        var _1st: String",
            ] {
                #expect(tool.output.contains(line), "\(line) in \(tool.output)")
            }
        }

        @Test(
            "says that a default which is none of the cases became nil, and refuses values and what is no name in Swift"
        )
        func refusals() async throws {
            let manifest = Samples.manifest.replacing(#""owner": "Ada", "default": null"#, with: #""default": "blue""#)
            _ = try folder.file("foreign.json", manifest)
            for (arguments, status, words) in [
                (["foreign.json"], 0, #"the default of "theme" is none of its cases; it became nil"#),
                (["flags.json"], 2, "name a manifest or flag definitions"),
                (["manifest.json", "--name", "a b"], 64, "is not a name for a type of yours in Swift"),
            ] as [([String], Int32, String)] {
                let generated = try await tool(["generate", "swift"] + arguments)
                #expect(generated.status == status && generated.errors.contains(words), "\(generated.errors)")
            }
        }

        @Test(
            "makes names that Swift takes of any text",
            arguments: ["", "🚩", "1", "a b", "Ünï", "--", "_", "self", "x\u{0}y"])
        func names(text: String) {
            #expect(SwiftNames.isIdentifier(SwiftNames.property(text)), "\(SwiftNames.property(text))")
            #expect(SwiftNames.isIdentifier(SwiftNames.type(text)), "\(SwiftNames.type(text))")
        }
    }
#endif
