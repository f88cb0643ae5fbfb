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
            try FileManager.default.createDirectory(at: folder.file("Sources/Deep"), withIntermediateDirectories: true)
            _ = try folder.file(
                "Sources/Flags.swift",
                """
                struct UserExperiments: FlagCollectionProtocol {
                    @Flag(key: "sson", default: false) var allowsSSON: Bool
                    @Flag(key: .absolute("max_attempts"), default: 3) var maxAttempts: UInt8
                    @Flag(default: nil) var theme: Theme?
                    // theme is read nowhere; "theme" neither.
                }
                struct Secrets { @Flag(default: false) var boomFeature: Bool }
                """)
            _ = try folder.file(
                "Sources/Deep/Use.swift",
                "let a = loader.allowsSSON /* maxAttempts */\nlet b = at(\"secrets/boom_feature\")")
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

        @Test("manifest writes the OpenFeature CLI's form, and reads it back")
        func openFeature() async throws {
            let tool = try await tool("manifest", "manifest.json", "--format", "openfeature")
            #expect(tool.status == 0 && tool.errors.contains("\"theme\" has no default"))
            _ = try folder.file("openfeature.json", tool.output)
            let back = try await self.tool("manifest", "openfeature.json")
            #expect(back.status == 0 && back.output.contains("max_attempts          integer  3"))
            let own = try await self.tool("manifest", "manifest.json", "--format", "json")
            #expect(try FlagManifest(json: Array(own.output.utf8)) == FlagManifest(json: Array(Samples.manifest.utf8)))
        }

        @Test("manifest says what is wrong with a file that is none")
        func wrong() async throws {
            _ = try folder.file("values.json", Samples.values)
            let tool = try await tool("manifest", "values.json")
            #expect(tool.status == 2 && tool.errors.contains("FlagManifest(loader)"))
            #expect(try await self.tool("manifest", "none.json").errors.contains("none.json cannot be read"))
        }

        @Test("lint reports what is expired, has no owner, or is used nowhere")
        func lint() async throws {
            let tool = try await tool("lint", "manifest.json", "--sources", "Sources")
            #expect(tool.status == 1 && tool.errors == "")
            #expect(
                tool.output == """
                    Expired: remove the flag from the code, or move its date
                      sson on 2020-01-01 (Ada) LOGIN-12

                    Without an owner: say who answers for it, with the metadata's owner
                      secrets/boom_feature

                    Mentioned by no source file: remove the flag, or name further folders
                      max_attempts (Ben)
                      theme (Ada)

                    """)
        }

        @Test("lint passes where nothing is left to report, and speaks JSON")
        func skipping() async throws {
            let good = try await tool("lint", "manifest.json", "--skip", "expired", "--skip", "owner")
            #expect(good.status == 0 && good.output == "manifest.json: good: nothing to report\n")
            let json = try await tool("lint", "manifest.json", "--sources", "Sources", "--json")
            #expect(try json.status == 1 && json.list("findings").count == 4)
            #expect(try json.members()["sourceFiles"] == 2)
            #expect(try await tool("lint", "manifest.json", "--skip", "nothing").status == 64)
            #expect(try await tool("lint", "manifest.json", "--sources", "Nowhere").errors.contains("is not there"))
        }

        @Test("lint finds a flag whose property is not known by its key in quotes only")
        func withoutProperty() async throws {
            _ = try folder.file(
                "keys.json",
                #"{ "flags": { "user": { "flagType": "boolean", "defaultValue": false } } }"#)
            _ = try folder.file("Sources/Keys.swift", "let user = 1, other = user")
            let arguments = ["lint", "keys.json", "--skip", "owner", "--sources", "Sources/Keys.swift"]
            #expect(try await Tool.run(arguments, in: folder.url).output.contains("  user\n"))
            _ = try folder.file("Sources/Keys.swift", "let value = flags[\"user\"]")
            #expect(try await Tool.run(arguments, in: folder.url).status == 0)
        }

        @Test("lint tells flags of one key apart by their collections")
        func sharedKey() async throws {
            let flag =
                #"{ "key": "a", "owner": "Ada", "expiryDate": "2020-01-01T00:00:00Z", "type": { "kind": "any" } }"#
            _ = try folder.file(
                "shared.json",
                """
                { "tacklineManifest": 1, "collections": [
                  { "name": "Shop", "flags": [\(flag)] },
                  { "flags": [{ "key": "b", "owner": "Ben", "type": { "kind": "any" } }, \(flag)] }] }
                """)
            let text = try await tool("lint", "shared.json")
            #expect(text.output.contains("  a of Shop on 2020-01-01 (Ada)\n  a of collection 2 on 2020-01-01 (Ada)\n"))
            let places = try await tool("lint", "shared.json", "--format", "github").output.split(separator: "\n")
            #expect(places.count == 2 && places[0].contains(",line=2,") && places[1].contains(",line=3,"))
        }

        @Test("lint follows no symbolic link in a circle")
        func circle() async throws {
            try FileManager.default.createSymbolicLink(
                at: folder.file("Sources/Deep/Again"), withDestinationURL: folder.file("Sources"))
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("Sources/self.swift").path, withDestinationPath: "self.swift")
            let tool = try await tool("lint", "manifest.json", "--sources", "Sources", "--json")
            #expect(try tool.status == 1 && tool.members()["sourceFiles"] == 2)
        }
    }
#endif
