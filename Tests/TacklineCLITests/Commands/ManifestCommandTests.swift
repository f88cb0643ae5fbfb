#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @Suite("tackline manifest", .hangLimit)
    struct ManifestCommandTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        @Test("shows a table")
        func table() async throws {
            let tool = try await tool("manifest", "manifest.json")
            #expect(tool.status == 0 && tool.errors == "")
            #expect(
                tool.output == """
                    User features: 4 flags
                    key                   type               default  owner  expires            description
                    sson                  Bool               false    Ada    2020-01-01 (past)  Enable single sign-on
                    max_attempts          UInt8              3        Ben
                    secrets/boom_feature  Bool               false
                    theme                 Theme? light|dark  null     Ada

                    """)
        }

        @Test("writes the OpenFeature CLI's form and its own, and of another file says where manifests come from")
        func openFeature() async throws {
            let tool = try await tool("manifest", "manifest.json", "--format", "openfeature")
            #expect(tool.status == 0 && tool.errors.contains("\"theme\" has no default"))
            #expect(tool.output.contains("\"flagType\": \"integer\""))
            let own = try await self.tool("manifest", "manifest.json", "--format", "json")
            #expect(try FlagManifest(json: Data(own.output.utf8)) == FlagManifest(json: Data(Samples.manifest.utf8)))
            #expect(try await self.tool("manifest", "flags.json").errors.contains("FlagManifest(loader)"))
        }

        @Test("has a schema with every kind of type, and every member that a collection, a flag and its type have")
        func schema() throws {
            let schema = try FlagDocument(json: Data(Samples.text(ofPackageFile: "Docs/manifest.schema.json").utf8))
            func expect(_ name: String, _ members: [String]) {
                guard case .object(let properties)? = schema.value(for: FlagKeyPath("definitions/\(name)/properties"))
                else {
                    Issue.record("\(name) is not there")
                    return
                }
                #expect(properties.keys.sorted() == members.sorted(), "\(name)")
            }
            expect("collection", FlagManifest.Listing.members.map(\.name))
            expect("flag", FlagManifest.Entry.members.map(\.name))
            expect("type", FlagManifest.ValueType.members.map(\.name))
            let kinds = FlagManifest.ValueType.Kind.allCases.map { EncodedFlagValue.string($0.rawValue) }
            #expect(schema.value(for: "definitions/kind/enum") == .array(kinds))
            #expect(schema.value(for: "properties/tacklineManifest/const") == .integer(Int128(FlagManifest.version)))
        }
    }
#endif
