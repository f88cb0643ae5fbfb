#if CommandLine
    import Foundation
    import Tackline
    import TacklineCore
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("tackline generate swift", .hangLimit)
    struct GenerateTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Returns a manifest without the names of types, which are only for people.
        private func bare(_ manifest: FlagManifest) -> FlagManifest {
            var manifest = manifest
            for listing in manifest.collections.indices {
                for flag in manifest.collections[listing].flags.indices {
                    manifest.collections[listing].flags[flag].type.name = ""
                    if var element = manifest.collections[listing].flags[flag].type.element {
                        element.name = ""
                        manifest.collections[listing].flags[flag].type.element = element
                    }
                }
            }
            return manifest
        }

        @Test("writes, from the manifest of code, code whose manifest says the same, and which compiles")
        func roundTrip() async throws {
            let about = FlagMetadata(name: "Shop", description: "What customers see")
            let written = FlagManifest(FlagsLoader(WrittenFlags.self, description: about, providers: []))
            try written.jsonData().write(to: folder.file("manifest.json"))
            let tool = try await Tool.run("generate", "swift", "manifest.json", "--name", "ShopFlags", in: folder.url)
            #expect(tool.status == 0 && tool.errors == "", "\(tool.errors)")
            // The source in the test target is compiled.
            let copy = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ShopFlags.swift")
            let compiled = try String(contentsOf: copy, encoding: .utf8)
            #expect(tool.output == compiled)
            let generated = FlagManifest(FlagsLoader(ShopFlags.self, description: about, providers: []))
            #expect(bare(generated) == bare(written))
            #expect(generated.allFlags.map(\.type.name).contains("Optional<Theme>"))
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
            let tool = try await Tool.run("generate", "swift", "rollout.json", in: folder.url)
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

        @Test("says that a default which is none of the cases became nil")
        func foreignDefault() async throws {
            let manifest = Samples.manifest.replacing(#""owner": "Ada", "default": null"#, with: #""default": "blue""#)
            _ = try folder.file("manifest.json", manifest)
            let generated = try await Tool.run("generate", "swift", "manifest.json", in: folder.url)
            #expect(generated.status == 0)
            #expect(generated.errors.contains(#"the default of "theme" is none of its cases; it became nil"#))
        }

        @Test("refuses values, which do not say what flags there are, and what is no name in Swift")
        func refusals() async throws {
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("manifest.json", Samples.manifest)
            let values = try await Tool.run("generate", "swift", "flags.json", in: folder.url)
            #expect(values.status == 2 && values.errors.contains("name a manifest or flag definitions"))
            let name = try await Tool.run("generate", "swift", "manifest.json", "--name", "a b", in: folder.url)
            #expect(name.status == 64 && name.errors.contains("is not a name for a type of yours in Swift"))
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
