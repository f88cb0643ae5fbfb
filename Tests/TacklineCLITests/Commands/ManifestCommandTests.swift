#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @Suite("tackline manifest and lint", .hangLimit)
    struct ManifestCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("manifest.json", Samples.manifest)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        @Test("manifest shows a table")
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

        @Test("manifest writes the OpenFeature CLI's form")
        func openFeature() async throws {
            let tool = try await tool("manifest", "manifest.json", "--format", "openfeature")
            #expect(tool.status == 0 && tool.errors.contains("\"theme\" has no default"))
            #expect(tool.output.contains("\"flagType\": \"integer\""))
            let own = try await self.tool("manifest", "manifest.json", "--format", "json")
            #expect(try FlagManifest(json: Data(own.output.utf8)) == FlagManifest(json: Data(Samples.manifest.utf8)))
        }

        @Test("manifest says what is wrong with a file that is none")
        func wrong() async throws {
            _ = try folder.file("values.json", Samples.values)
            let tool = try await tool("manifest", "values.json")
            #expect(tool.status == 2 && tool.errors.contains("FlagManifest(loader)"))
            #expect(try await self.tool("manifest", "none.json").errors.contains("none.json cannot be read"))
        }

        @Test("lint reports what is expired or has no owner")
        func lint() async throws {
            let tool = try await tool("lint", "manifest.json")
            #expect(tool.status == 1 && tool.errors == "")
            #expect(
                tool.output == """
                    Expired: remove the flag from the code, or move its date
                      sson on 2020-01-01 (Ada) LOGIN-12

                    Without an owner: say who answers for it, with the metadata's owner
                      secrets/boom_feature

                    """)
        }

        @Test("lint passes where nothing is left to report, and speaks JSON")
        func skipping() async throws {
            let good = try await tool("lint", "manifest.json", "--skip", "expired", "--skip", "owner")
            #expect(good.status == 0 && good.output == "manifest.json: good: nothing to report\n")
            let json = try await tool("lint", "manifest.json", "--json")
            #expect(try json.status == 1 && json.list("findings").count == 2)
            #expect(try await tool("lint", "manifest.json", "--skip", "nothing").status == 64)
        }
    }
#endif
