#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @Suite("tackline validate, with a manifest whose flags have bounds", .hangLimit)
    struct BoundsTests {
        struct BoundedFlags: FlagCollectionProtocol {
            @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
            @Flag(default: 0.5, bounds: .range(0...1)) var share: Double
            @Flag(default: .seconds(5), bounds: .range(.zero ... .seconds(60))) var timeout: Duration
            @Flag(default: "list", bounds: .oneOf(["list", "grid"])) var layout: String
            @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String
        }

        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let manifest = FlagManifest(FlagsLoader(BoundedFlags.self, providers: []))
            _ = try folder.file("manifest.json", manifest.jsonText())
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(["validate"] + arguments + ["--manifest", "manifest.json"], in: folder.url)
        }

        @Test("refuses values outside of them, in values and in the variants of rules, with their places")
        func refusals() async throws {
            let edges = #"{ "attempts": 10, "share": 1, "timeout": 60, "layout": "grid", "language": "fr" }"#
            _ = try folder.file("good.json", edges)
            #expect(try await tool("good.json").status == 0)
            _ = try folder.file(
                "bad.json",
                #"{ "attempts": 11, "share": 1.5, "timeout": 60.5, "layout": "table", "language": "french" }"#)
            let bad = try await tool("bad.json")
            #expect(bad.status == 1)
            for phrase in [
                "from 1 to 10", "a value from 0.0 to 1.0", "a value from 0 to 60", #"one of "list", "grid""#,
                "a text that matches [a-z]{2}",
            ] {
                #expect(bad.output.contains(phrase), "\(phrase) in \(bad.output)")
            }
            _ = try folder.file(
                "rules.json",
                """
                { "flags": { "attempts": {
                  "state": "ENABLED", "variants": { "few": 1, "many": 99 }, "defaultVariant": "few" } } }
                """)
            let rules = try await tool("rules.json")
            #expect(rules.status == 1 && rules.output.contains("from 1 to 10"), "\(rules.output)")
        }

        @Test("writes them into the JSON Schema of value files")
        func schema() async throws {
            let members = try await tool("--schema").members()
            guard case .object(let properties)? = members["properties"] else {
                Issue.record("\(members)")
                return
            }
            func bound(_ key: String, _ name: String) -> EncodedFlagValue? {
                if case .object(let schema)? = properties[key] { schema[name] } else { nil }
            }
            #expect(bound("attempts", "minimum") == 1 && bound("attempts", "maximum") == 10)
            #expect(bound("share", "maximum") == 1.0 && bound("timeout", "maximum") == 60)
            #expect(bound("layout", "enum") == ["list", "grid", .null])
            #expect(bound("language", "pattern") == "^(?:[a-z]{2})$")
        }
    }
#endif
