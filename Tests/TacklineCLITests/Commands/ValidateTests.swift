#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("tackline validate", .hangLimit)
    struct ValidateTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("flags.json", Samples.values)
            _ = try folder.file("rollout.json", Samples.definitions)
            _ = try folder.file("manifest.json", Samples.manifest)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(["validate"] + arguments, in: folder.url)
        }

        @Test("passes good files of each sort")
        func good() async throws {
            let tool = try await tool("flags.json", "rollout.json", "manifest.json")
            #expect(tool.status == 0 && tool.errors == "")
            #expect(
                tool.output == """
                    flags.json: good: 3 values at the top
                    rollout.json: good: flag definitions, 2 flags
                    manifest.json: good: a manifest, 4 flags

                    """)
        }

        @Test("names the line and the column of a mistake, and goes on with the next file")
        func syntax() async throws {
            _ = try folder.file("bad.json", "{ \"a\": 1,\n  \"é\": tru }")
            _ = try folder.file(
                "bad.plist", "<plist version=\"1.0\">\n<dict><key>a</key>\n<integer>x</integer></dict></plist>")
            let tool = try await tool("bad.json", "bad.plist", "flags.json")
            #expect(tool.status == 1 && tool.errors == "")
            let lines = tool.output.split(separator: "\n")
            #expect(lines[0].hasPrefix("bad.json:2:8: error: ") && lines[0].contains("; "))
            #expect(lines[1].hasPrefix("bad.plist: error: ") && lines[1].contains("\"a\""))
            #expect(lines[2] == "flags.json: good: 3 values at the top")
        }

        @Test("finds variants that there are not, and attributes that no context has")
        func typos() async throws {
            _ = try folder.file(
                "typo.json",
                """
                { "flags": { "a": { "state": "ENABLED", "variants": { "on": 1, "off": 2 }, "defaultVariant": "off",
                  "targeting": { "if": [ { "ends_with": [ { "var": "emial" }, ".com" ] }, "onn" ] } } } }
                """)
            _ = try folder.file("context.json", #"{ "email": "ada@example.com", "age": 36 }"#)
            let tool = try await tool("typo.json", "--context", "context.json")
            #expect(tool.status == 1)
            #expect(
                tool.output == """
                    typo.json:2:45: warning: /flags/a/targeting/if/0/ends_with/0/var: no context has the attribute "emial"; \
                    did you mean "email"?
                    typo.json:2:75: error: /flags/a/targeting/if/1: there is no variant "onn"; did you mean "on"?

                    """)
        }

        @Test("finds attributes that resemble those of the manifest and of a context, and takes these")
        func attributes() async throws {
            _ = try folder.file(
                "typo.json",
                """
                { "flags": { "sson": { "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
                  "targeting": { "if": [ { "==": [ { "var": "emial" }, "a" ] }, "on",
                                         { "==": [ { "var": "age" }, "36" ] }, "on",
                                         { "==": [ { "var": "anything" }, 1 ] }, "on", { "var": "extar" }, "on" ] } } } }
                """)
            let more = #"{ "attributes": { "email": "string", "age": "integer", "anything": "any" }, "#
            _ = try folder.file("app.json", more + Samples.manifest.drop { $0 != "{" }.dropFirst())
            _ = try folder.file("context.json", #"{ "extra": true }"#)
            let expected = [
                """
                typo.json:2:38: warning: /flags/sson/targeting/if/0/==/0/var: no context has the attribute "emial"; did you mean \
                "email"?
                """,
                """
                typo.json:4:74: warning: /flags/sson/targeting/if/6/var: no context has the attribute "extar"; did you mean \
                "extra"?
                """,
            ]
            let lines = try await tool("typo.json", "--manifest", "app.json", "--context", "context.json").output
                .split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.contains("/targeting/") } == expected)
            let without = try await tool("typo.json", "--manifest", "app.json").output
            #expect(!without.contains("extar"))
            #expect(try await !tool("typo.json", "--manifest", "manifest.json").output.contains("no context has"))
        }

        @Test("says where a text is not JSON")
        func spoiltFlag() async throws {
            _ = try folder.file(
                "twice.json",
                """
                { "flags": { "a": { "state": "ENABLED", "variants": { "on": 1 } },
                  "b": { "state": "ENABLED", "state": "DISABLED", "variants": { "on": 1 } } } }
                """)
            let tool = try await tool("twice.json")
            #expect(
                tool.status != 0 && (tool.output + tool.errors).contains("twice.json:2:30: "),
                "\(tool.output)")
        }

        @Test("compares values with a manifest")
        func manifest() async throws {
            _ = try folder.file(
                "wrong.json",
                """
                {
                  "$schema": "flags.schema.json",
                  "ssno": true,
                  "sson": 1,
                  "secrets": { "boom_feature": true, "other": 1 },
                  "secrets/boom_feature": true,
                  "max_attempts": 300,
                  "theme": "blue"
                }
                """)
            let tool = try await tool("wrong.json", "--manifest", "manifest.json")
            #expect(tool.status == 1)
            #expect(
                tool.output == """
                    wrong.json:3:3: warning: no flag has the key "ssno"; did you mean "sson"?
                    wrong.json:4:3: error: flag "sson": expected true or false, found the integer 1; correct the value
                    wrong.json:4:3: warning: flag "sson" expired on 2020-01-01; remove it from the code and from here
                    wrong.json:5:16: warning: the key "secrets/boom_feature" stands here a second time and is shadowed by \
                    the flat one; remove one
                    wrong.json:5:38: warning: no flag has the key "secrets/other"; remove it, or declare the flag
                    wrong.json:7:3: error: flag "max_attempts": expected an integer from 0 to 255, found the integer 300; \
                    correct the value
                    wrong.json:8:3: error: flag "theme": expected one of "light", "dark", found the string "blue"; \
                    correct the value

                    """)
        }

        @Test("says what has no value, and lets the file pass")
        func missing() async throws {
            _ = try folder.file("few.json", #"{ "max_attempts": 3, "theme": null }"#)
            let tool = try await tool("few.json", "--manifest", "manifest.json")
            #expect(tool.status == 0)
            #expect(tool.output.contains(#"few.json: note: no value for "sson", "secrets/boom_feature"; "#))
        }

        @Test("warns of a document that a remote provider refuses by default, with the setting to change")
        func remoteLimits() async throws {
            func flagd(_ value: String) -> String {
                #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": "\#(value)"}, "defaultVariant": "on"}}}"#
            }
            for (name, document, words) in [
                (
                    "large.json", #"{ "a": 1 }"# + String(repeating: " ", count: 1 << 20),
                    "more than 1 MiB, its maximumBodyBytes"
                )
            ] {
                _ = try folder.file(name, document)
                let tool = try await tool(name)
                #expect(tool.status == 0)
                let warning = "\(name): warning: a RemoteJSONProvider with its default configuration refuses"
                #expect(tool.output.contains(warning) && tool.output.contains(words), "\(tool.output)")
            }
            _ = try folder.file("short.flagd.json", flagd("x"))
            #expect(try await tool("short.flagd.json").output.contains("RemoteJSONProvider") == false)
        }

        @Test("finds a wrong value in a property list too, without its place")
        func propertyList() async throws {
            _ = try folder.file(
                "wrong.plist",
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict>
                  <key>secrets</key>
                  <dict><key>boom_feature</key> <string>yes</string></dict>
                </dict></plist>
                """)
            let tool = try await tool("wrong.plist", "--manifest", "manifest.json")
            #expect(tool.status == 1)
            #expect(
                tool.output.hasPrefix("wrong.plist: error: flag \"secrets/boom_feature\": expected true or false"))
        }

        @Test("checks flag definitions with their places, alone and against a manifest")
        func definitions() async throws {
            _ = try folder.file(
                "bad.json",
                """
                { "flags": {
                  "sson": { "state": "ON", "variants": { "on": true } },
                  "theme": { "state": "ENABLED", "variants": { "a": "blue" },
                             "defaultVariant": "b" },
                  "ssonn": { "state": "ENABLED", "variants": { "on": true }, "defaultVariant": "on" } } }
                """)
            let alone = try await tool("bad.json")
            #expect(alone.status == 1)
            let lines = alone.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines[0].hasPrefix("bad.json:2:13: error: /flags/sson/state: the state needs to be"))
            #expect(lines[1].hasPrefix("bad.json:4:14: error: /flags/theme/defaultVariant: "))
            let compared = try await tool("bad.json", "--manifest", "manifest.json")
            #expect(compared.output.contains("bad.json:3:48: error: flag \"theme\", variant \"a\": expected one of"))
            #expect(
                compared.output.contains("bad.json:5:3: warning: no flag has the key \"ssonn\"; did you mean \"sson\"?")
            )
            let asValues = try await tool("bad.json", "--as", "values")
            #expect(asValues.status == 0)
        }

        @Test("finds two flags with one key in a manifest, and a manifest from the future")
        func manifests() async throws {
            let flag = #"{ "key": "a", "type": { "kind": "boolean" } }"#
            _ = try folder.file(
                "twice.json", #"{ "tacklineManifest": 1, "collections": [{ "flags": [\#(flag), \#(flag)] }] }"#)
            _ = try folder.file("newer.json", #"{ "tacklineManifest": 9, "collections": [] }"#)
            let tool = try await tool("twice.json", "newer.json")
            #expect(tool.status == 1)
            #expect(tool.output.contains("twice.json: error: several flags have the key \"a\""))
            #expect(tool.output.contains("newer.json:1:3: error: ") && tool.output.contains("version 9"))
        }

        @Test("prints a result that programs can read")
        func json() async throws {
            _ = try folder.file("bad.json", "{ \"sson\": 1 }")
            let tool = try await tool("bad.json", "--manifest", "manifest.json", "--json")
            #expect(tool.status == 1)
            let result = try FlagDocument(tool.members())
            #expect(result.root["command"] == "validate" && result.root["version"] == 1)
            #expect(result.root["isGood"] == false)
            guard case .array(let files)? = result.root["files"], case .object(let file)? = files.first,
                case .array(let findings)? = file["findings"], case .object(let finding)? = findings.first
            else {
                Issue.record("\(tool.output)")
                return
            }
            #expect(finding["line"] == 1 && finding["column"] == 3 && finding["key"] == "sson")
            #expect(finding["severity"] == "error" && finding["path"] == "bad.json")
        }

        @Test("prints a schema that is JSON, and takes no files then")
        func schema() async throws {
            let values = try await tool("--schema", "--manifest", "manifest.json")
            #expect(values.status == 0)
            #expect(try values.members()["$schema"] == "http://json-schema.org/draft-07/schema#")
            #expect(values.output.contains("\"secrets/boom_feature\"") && values.output.contains("\"maximum\": 255"))
            for arguments in [["--schema"], ["--schema", "--manifest", "manifest.json", "flags.json"], []] {
                #expect(try await Tool.run(["validate"] + arguments, in: folder.url).status == 64)
            }
        }
    }
#endif
