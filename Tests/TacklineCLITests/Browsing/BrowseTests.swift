#if CommandLine
    import Foundation
    import TacklineBrowser
    import TacklineCore
    import TacklineLoopback
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI
    import TacklineManifest

    @Suite("The command browse", .hangLimit)
    struct BrowseTests {
        static let values = #"{ "sson": true, "secrets": { "boom_feature": false }, "attempts": 3 }"#

        static let manifest = FlagManifest(
            collections: [
                .init(
                    name: "Shop", description: "What customers see",
                    flags: [
                        .init(
                            key: "sson", name: "Single sign-on", type: .init(.boolean), defaultValue: false,
                            metadata: .init(description: "Sign on once.", owner: "team-id")),
                        .init(key: "attempts", type: .init(.integer, range: 0...255), defaultValue: 1),
                        .init(key: "theme", type: .init(.string, cases: ["light", "dark"]), defaultValue: "light"),
                        .init(
                            key: "secrets/boom_feature", groups: ["Secrets"], type: .init(.boolean), defaultValue: false
                        ),
                    ])
            ])

        @Test("prints a table where the output is not a terminal, with a line for each flag")
        func table() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", Self.values)
            let tool = try await Tool.run("browse", file.path, environment: ["LC_ALL": "C.UTF-8"])
            #expect(tool.status == 0)
            let rows = tool.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.count == 4)
            #expect(rows[1] == ["flags.json", "attempts", "3", "flags.json"])
            #expect(rows[3] == ["secrets", "secrets/boom_feature", "false", "flags.json"])
            let found = try await Tool.run("browse", file.path, "--search", "boom")
            #expect(found.output.split(separator: "\n").count == 2)
        }

        @Test("prints what there is to see as JSON")
        func json() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", Self.values)
            let manifest = try folder.file("manifest.json", try Self.manifest.jsonText())
            let tool = try await Tool.run("browse", file.path, "--manifest", manifest.path, "--json")
            #expect(tool.status == 0)
            let snapshot = try FlagsBrowserJSON.read(FlagsBrowserSnapshot.self, from: tool.output)
            #expect(snapshot.flags.map(\.key) == ["sson", "attempts", "theme", "secrets/boom_feature"])
            #expect(snapshot.flags.map(\.value.text) == ["true", "3", "\"light\"", "false"])
            #expect(snapshot.flags[0].metadata.owner == "team-id")
            #expect(snapshot.flags[2].source == .default)
            #expect(snapshot.sections.map(\.title) == ["Shop", "Shop / Secrets"])
        }

        @Test("says what is wrong with a source, and ends with 2, or with 64 for a URL that can be none")
        func failures() async throws {
            let folder = try TemporaryFolder()
            let broken = try folder.file("broken.json", "{ \"a\": tru }")
            let tool = try await Tool.run("browse", broken.path)
            #expect(tool.status == 2)
            #expect(tool.errors.contains("broken.json:1:8: error: "), "\(tool.errors)")
            #expect(try await Tool.run("browse", folder.file("absent.json").path).status == 2)
            #expect(try await Tool.run("browse", broken.path, "--manifest", broken.path).status == 2)
            let silent = try await Tool.run("browse", "http://127.0.0.1:1/", environment: ["TACKLINE_TOKEN": "x"])
            #expect(silent.status == 2)
            #expect(silent.errors.contains("cannot be reached: "))
            // No proxy gets the token.
            let console = try LoopbackServer { _ in .response(.text("", status: 404)) }
            let direct = try await Tool.run(
                "browse", console.url.absoluteString,
                environment: ["TACKLINE_TOKEN": "x", "http_proxy": "http://127.0.0.1:1"])
            #expect(direct.errors.contains("does not know this token (status 404)"), "\(direct.errors)")
            #expect(try await Tool.run("browse", "https://127.0.0.1/").status == 64)
            #expect(try await Tool.run("browse", "http://127.0.0.1:1/", "--manifest", "m").status == 64)
            #expect(try await Tool.run("browse", "http://127.0.0.1:1/", "--read-only").status == 64)
        }

        @Test("edits a file through the types of its manifest")
        func editing() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", Self.values)
            let backend = try FileBackend(path: file.path, manifest: Self.manifest, isReadOnly: false)
            let flags = try await backend.snapshot().flags
            #expect(flags[1].control == .integer(minimum: 0, maximum: 255))
            #expect(flags[2].control.options.map(\.label) == ["light", "dark"])
            _ = try await backend.perform(.set(flag: flags[2].id, to: .text("dark")))
            _ = try await backend.perform(.set(flag: flags[1].id, to: .value(7)))
            #expect(try folder.text("flags.json").contains("\"theme\": \"dark\""))
            for (flag, text) in [(flags[1], "300"), (flags[2], "blue"), (flags[0], "perhaps")] {
                let command = FlagsBrowserCommand.set(flag: flag.id, to: .text(text))
                let preview = await #expect(throws: FlagsBrowserError.self) { try await backend.preview(command) }
                let error = await #expect(throws: FlagsBrowserError.self) { try await backend.perform(command) }
                #expect(error?.code == .invalidValue)
                let reason = preview?.message.dropFirst("Not valid yet: ".count) ?? ""
                #expect(preview?.message.hasPrefix("Not valid yet: ") == true && reason.contains("found \"\(text)\""))
                #expect(error?.message == "Flag \"\(flag.key)\" was not written: \(reason) Nothing has changed.")
            }
            #expect(try await backend.snapshot().flags.map(\.value.text) == ["true", "7", "\"dark\"", "false"])
            _ = try await backend.perform(.undo())
            #expect(try await backend.snapshot().flags[1].value.text == "3")
        }

        @Test("refuses what is outside of the manifest's bounds")
        func bounds() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", #"{ "ratio": 0.5, "language": "de" }"#)
            let manifest = try FlagManifest(
                json: Array(
                    """
                    { "tacklineManifest": 1, "collections": [{ "flags": [
                      { "key": "ratio", "type": { "kind": "number", "minimum": 0, "maximum": 1 } },
                      { "key": "language", "type": { "kind": "string", "pattern": "[a-z]{2}" } }
                    ] }] }
                    """.utf8))
            let backend = try FileBackend(path: file.path, manifest: manifest, isReadOnly: false)
            let flags = try await backend.snapshot().flags
            for (flag, good, bad) in [(flags[0], "0.25", "1.5"), (flags[1], "en", "eng")] {
                let error = await #expect(throws: FlagsBrowserError.self) {
                    try await backend.perform(.set(flag: flag.id, to: .text(bad)))
                }
                #expect(error?.code == .invalidValue && error?.message.contains("found \"\(bad)\"") == true)
                _ = try await backend.perform(.set(flag: flag.id, to: .text(good)))
            }
            #expect(try folder.text("flags.json") == #"{ "ratio": 0.25, "language": "en" }"#)
        }

        @Test("refuses an element that the manifest's list does not take")
        func elements() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", #"{ "sizes": [1] }"#)
            let type = FlagManifest.ValueType(.array, element: .init(.integer, range: 0...255))
            let manifest = FlagManifest(collections: [.init(flags: [.init(key: "sizes", type: type)])])
            let backend = try FileBackend(path: file.path, manifest: manifest, isReadOnly: false)
            let id = try await backend.snapshot().flags[0].id
            for text in [#"["x"]"#, "[1, 300]"] {
                let error = await #expect(throws: FlagsBrowserError.self) {
                    try await backend.perform(.set(flag: id, to: .text(text)))
                }
                #expect(error?.code == .invalidValue)
            }
            _ = try await backend.perform(.set(flag: id, to: .text("[1, 2]")))
            #expect(try await backend.snapshot().flags[0].value.encoded == [1, 2])
        }

        @Test("takes flags that come in a file without a manifest, and keeps those that go")
        func growing() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", #"{ "a": true }"#)
            let backend = try FileBackend(path: file.path, manifest: nil, isReadOnly: false)
            var updates = backend.updates().makeAsyncIterator()
            _ = await updates.next()
            let before = try await backend.snapshot()
            _ = try folder.file("flags.json", #"{ "b": { "c": 1.5 } }"#)
            var after = before
            while after.flags.count < 2 {
                _ = try #require(await updates.next())
                after = try await backend.snapshot()
            }
            #expect(after.flags.map(\.key).sorted() == ["a", "b/c"])
            #expect(after.flag(id: before.flags[0].id)?.value.kind == .null)
            #expect(after.revision > before.revision)
        }

        @Test("keeps the layout of a value file, as set does")
        func layout() async throws {
            let folder = try TemporaryFolder()
            let text = "// Ours.\n" + Samples.values
            let file = try folder.file("flags.json", text)
            let backend = try FileBackend(path: file.path, manifest: nil, isReadOnly: false)
            let snapshot = try await backend.snapshot()
            let flag = try #require(snapshot.flags.first { $0.key == "sson" })
            _ = try await backend.perform(.set(flag: flag.id, to: .value(false)))
            #expect(try folder.text("flags.json") == text.replacing("\"sson\": true", with: "\"sson\": false"))
            #expect(try await backend.snapshot().flag(id: flag.id)?.value.text == "false")
            _ = try await backend.perform(.undo())
            #expect(try folder.text("flags.json") == text)
        }

        @Test("edits flag definitions as flag definitions: state and default variant")
        func definitions() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("rollout.json", Samples.definitions)
            let backend = try FileBackend(path: file.path, manifest: nil, isReadOnly: false)
            let snapshot = try await backend.snapshot()
            #expect(snapshot.sections.map(\.title) == ["plain", "reservations"])
            #expect(snapshot.flags.map(\.name) == ["enabled", "default variant", "enabled", "default variant"])
            #expect(snapshot.flags.map(\.value.text) == ["true", "\"off\"", "true", "\"off\""])
            #expect(snapshot.flags[3].control.options.map(\.label) == ["off", "on"])
            let variant = snapshot.flags[3].id
            _ = try await backend.perform(.set(flag: variant, to: .text("on")))
            let head = #""defaultVariant": "off",\#n      "targeting""#.replacing("\\#n", with: "\n")
            let after = Samples.definitions.replacing(head, with: head.replacing("off", with: "on"))
            #expect(after != Samples.definitions)
            #expect(try folder.text("rollout.json") == after)
            _ = try await backend.perform(.set(flag: snapshot.flags[0].id, to: .value(false)))
            #expect(
                try folder.text("rollout.json")
                    == after.replacing(
                        #""plain": { "state": "ENABLED""#, with: #""plain": { "state": "DISABLED""#))
            _ = try await backend.perform(.undo())
            _ = try await backend.perform(.undo())
            #expect(try folder.text("rollout.json") == Samples.definitions)
            for command in [
                FlagsBrowserCommand.set(flag: variant, to: .text("maybe")), .reset(flag: variant), .resetAll(),
            ] {
                await #expect(throws: FlagsBrowserError.self) { try await backend.perform(command) }
            }
            #expect(try folder.text("rollout.json") == Samples.definitions)
        }

        @Test("follows flag definitions that somebody else edits")
        func definitionsChange() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("rollout.json", Samples.definitions)
            let backend = try FileBackend(path: file.path, manifest: nil, isReadOnly: false)
            var updates = backend.updates().makeAsyncIterator()
            _ = await updates.next()
            _ = try folder.file(
                "rollout.json",
                #"{ "flags": { "x": { "state": "DISABLED", "variants": { "a": 1 }, "defaultVariant": "a" } } }"#)
            var snapshot = try await backend.snapshot()
            while !snapshot.flags.contains(where: { $0.key == "x/defaultVariant" }) {
                _ = try #require(await updates.next())
                snapshot = try await backend.snapshot()
            }
            #expect(snapshot.flags.first { $0.key == "x/state" }?.value.text == "false")
        }

        @Test("refuses a manifest, and says what to name", arguments: [true, false])
        func manifests(isOurs: Bool) async throws {
            let folder = try TemporaryFolder()
            let text =
                isOurs
                ? try Self.manifest.jsonText()
                : #"{ "flags": { "a": { "flagType": "boolean", "defaultValue": false } } }"#
            let file = try folder.file("manifest.json", text)
            let tool = try await Tool.run("browse", file.path)
            #expect(tool.status == 2 && tool.output == "")
            #expect(tool.errors.contains("holds a manifest") && tool.errors.contains("--manifest"))
        }

        @Test("edits nothing with --read-only")
        func readOnly() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", Self.values)
            let backend = try FileBackend(path: file.path, manifest: nil, isReadOnly: true)
            let snapshot = try await backend.snapshot()
            #expect(snapshot.isReadOnly)
            await #expect(throws: FlagsBrowserError.self) {
                try await backend.perform(.resetAll())
            }
            #expect(try folder.text("flags.json") == Self.values)
        }
    }
#endif
