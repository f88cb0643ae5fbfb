#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
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

        @Test(
            "says what a file with a list or a text at its top holds, and what flags need", arguments: commandsOnValues)
        func noObject(command: [String]) async throws {
            for (name, text, kind) in [("list.json", "[true, false]", "an array"), ("text.json", "\"on\"", "a string")]
            {
                _ = try folder.file(name, text)
                let tool = try await Tool.run([command[0], name] + command.dropFirst(), in: folder.url)
                #expect(tool.status == (command[0] == "validate" ? 1 : 2))
                let said =
                    "the file holds \(kind), and flags need an object, such as { \"key\": true }; name another file"
                #expect((tool.output + tool.errors).contains("\(name)") && (tool.output + tool.errors).contains(said))
                #expect(try folder.text(name) == text)
            }
        }

        static let commandsOnValues = [["validate"], ["get", "a"], ["set", "a", "true"]]

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

        @Test("notes what has no value only on request, also inside a flag that is an object")
        func missing() async throws {
            _ = try folder.file("few.json", #"{ "max_attempts": 3, "theme": null }"#)
            let quiet = try await tool("few.json", "--manifest", "manifest.json")
            #expect(quiet.status == 0 && quiet.output == "few.json: good: 2 values at the top\n")
            let tool = try await tool("few.json", "--manifest", "manifest.json", "--missing")
            #expect(tool.status == 0)
            #expect(tool.output.contains(#"few.json:1:1: note: no value for "sson", "secrets/boom_feature"; "#))
            _ = try folder.file(
                "search.manifest.json",
                """
                { "tacklineManifest": 1, "collections": [
                  { "separator": "/", "flags": [{ "key": "search", "type": { "kind": "object" } }] },
                  { "separator": "/", "flags": [{ "key": "search/button", "type": { "kind": "boolean" } }] }] }
                """)
            _ = try folder.file("search.json", #"{ "search": { "button": true, "label": "x" } }"#)
            let inside = try await self.tool("search.json", "--manifest", "search.manifest.json", "--missing")
            #expect(inside.output == "search.json: good: 1 value at the top\n")
        }

        @Test("refuses the members of an object flag that the app refuses, as set does")
        func members() async throws {
            struct Flags: FlagCollectionProtocol {
                struct Limits: Codable, FlagValue {
                    var perMinute = 90
                    var note: String?
                }
                @Flag(default: Limits()) var limits: Limits
            }
            let manifest = FlagManifest(FlagsLoader(Flags.self, providers: []))
            try manifest.jsonData().write(to: folder.file("limits.manifest.json"))
            _ = try folder.file("limits.json", #"{ "limits": { "perMinute": "ninety" } }"#)
            let tool = try await tool("limits.json", "--manifest", "limits.manifest.json")
            #expect(tool.status == 1)
            #expect(
                tool.output.hasPrefix(
                    #"limits.json:1:15: error: flag "limits": expected an integer from "#)
                    && tool.output.contains(#"found the string "ninety" at "perMinute"; correct the value"#),
                "\(tool.output)")
            let arguments = ["limits.json", "limits", #"{"perMinute": true}"#, "--manifest", "limits.manifest.json"]
            let set = try await Tool.run(["set"] + arguments, in: folder.url)
            #expect(set.status == 2 && set.errors.contains("expected an integer"), "\(set.errors)")
            #expect(try folder.text("limits.json") == #"{ "limits": { "perMinute": "ninety" } }"#)
        }

        @Test("obeys the bounds of flags in values and in the variants of rules")
        func bounds() async throws {
            struct BoundedFlags: FlagCollectionProtocol {
                @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
                @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String
            }
            let manifest = FlagManifest(FlagsLoader(BoundedFlags.self, providers: []))
            try manifest.jsonData().write(to: folder.file("bounds.json"))
            _ = try folder.file("good.json", #"{ "attempts": 10, "language": "fr" }"#)
            #expect(try await tool("good.json", "--manifest", "bounds.json").status == 0)
            _ = try folder.file("bad.json", #"{ "attempts": 11, "language": "french" }"#)
            _ = try folder.file(
                "rules.json",
                #"{ "flags": { "attempts": { "state": "ENABLED", "variants": { "many": 99 }, "defaultVariant": "many" } } }"#
            )
            let bad = try await tool("bad.json", "rules.json", "--manifest", "bounds.json")
            let lines = bad.output.split(separator: "\n")
            #expect(bad.status == 1 && lines.count == 3 && lines[0].contains("from 1 to 10"), "\(bad.output)")
            #expect(lines[1].contains("a text that matches [a-z]{2}") && lines[2].contains("variant \"many\""))
            let schema = try await tool("--schema", "--manifest", "bounds.json").output
            #expect(schema.contains("\"maximum\": 10") && schema.contains(#""^(?:[a-z]{2})$""#))
        }

        @Test("names the versions of an app whose users a value would fail")
        func versions() async throws {
            func manifest(_ name: String, _ flags: String) throws {
                _ = try folder.file(
                    name, #"{ "tacklineManifest": 1, "collections": [{ "separator": "/", "flags": [\#(flags)] }] }"#)
            }
            let small = #"{ "key": "limits/size", "type": { "kind": "integer", "minimum": 0, "maximum": 9 } }"#
            try manifest("a.json", small)
            try manifest(
                "b.json",
                #"{ "key": "limits/size", "type": { "kind": "integer" } }, { "key": "new", "type": { "kind": "any" } }"#
            )
            _ = try folder.file("document.json", #"{ "limits": { "size": 12, "sise": 1 }, "new": 1 }"#)
            let versions = ["--versions", "1.0=a.json", "--versions", "1.1=a.json", "--versions", "2.0=b.json"]
            let tool = try await Tool.run(["validate", "document.json"] + versions, in: folder.url)
            #expect(tool.status == 1 && tool.errors == "")
            #expect(
                tool.output == """
                    document.json:1:15: error: 1.0, 1.1: flag "limits/size": expected an integer from 0 to 9, found the \
                    integer 12
                    document.json:1:27: warning: 1.0, 1.1, 2.0: no flag has the key "limits/sise"
                    document.json:1:40: note: 1.0, 1.1: no flag has the key "new"

                    """, "\(tool.output)")
            _ = try folder.file(
                "rules.json",
                #"{ "flags": { "limits/size": { "state": "ENABLED", "variants": { "a": 12 }, "defaultVariant": "a" } } }"#
            )
            let rules = try await Tool.run(["validate", "rules.json", "--format", "github"] + versions, in: folder.url)
            #expect(rules.status == 1 && rules.output.contains("::1.0, 1.1: flag \"limits/size\", variant \"a\""))
            #expect(try await self.tool("document.json", "--versions", "a.json").status == 64)
            #expect(try await self.tool("document.json", "--versions", "1=none.json").status == 2)
        }

        @Test("writes annotations of GitHub Actions, which no name in them can end")
        func github() async throws {
            _ = try folder.file("a,b.json", #"{ "max_attempts": 300, "x\u001b[2J%<&": 1 }"#)
            let tool = try await tool(
                "a,b.json", "flags.json", "--manifest", "manifest.json", "--missing", "--format", "github")
            let lines = tool.output.split(separator: "\n")
            let first = "::error file=a%2Cb.json,line=1,col=3,title=tackline validate::flag \"max_attempts\": "
            #expect(tool.status == 1 && lines.contains { $0.hasPrefix(first) }, "\(tool.output)")
            #expect(lines.contains { $0.hasPrefix("::warning file=a%2Cb.json") && $0.contains(#"x\u{1B}[2J%25<&"#) })
            #expect(lines.contains { $0.hasPrefix("::notice file=flags.json") })
            #expect(lines.allSatisfy { $0.hasPrefix("::") } && !tool.output.contains("\u{1B}"))
            #expect(try await self.tool("flags.json", "--json", "--format", "github").status == 64)
        }

        @Test("warns of a document that a remote provider refuses by default, with the setting to change")
        func remoteLimits() async throws {
            _ = try folder.file("large.json", #"{ "a": 1 }"# + String(repeating: " ", count: 1 << 20))
            let tool = try await tool("large.json")
            let warning = "large.json: warning: a RemoteJSONProvider with its default configuration refuses"
            #expect(tool.status == 0 && tool.output.contains(warning) && tool.output.contains("its maximumBodyBytes"))
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
            #expect(
                tool.output.contains("newer.json:1:3: error: ")
                    && tool.output.contains("a version up to 1, found the integer 9"))
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
