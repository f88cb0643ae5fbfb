#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineTestSupport
    import Testing

    @Suite("tackline validate", .hangLimit)
    struct ValidateTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        private func validate(_ arguments: [String]) async throws -> Tool { try await tool(["validate"] + arguments) }

        /// A file, further arguments, and the findings, which begin with the file's name.
        typealias Example = (name: String, text: String, arguments: [String], findings: [String])

        static let flag = #"{ "key": "a", "type": { "kind": "boolean" } }"#
        static let definitions = """
            { "flags": {
              "sson": { "state": "ON", "variants": { "on": true } },
              "theme": { "state": "ENABLED", "variants": { "a": "blue" },
                         "defaultVariant": "b" },
              "ssonn": { "state": "ENABLED", "variants": { "on": true }, "defaultVariant": "on" } } }
            """
        static let compared = ["--manifest", "manifest.json"]
        static let examples: [Example] = [
            (
                "bad.json", "{ \"a\": 1,\n  \"é\": tru }", [],
                [#":2:8: error: "t" where a value is expected; write a value"#]
            ),
            (
                "bad.plist", "<plist version=\"1.0\">\n<dict><key>a</key>\n<integer>x</integer></dict></plist>", [],
                [#": error: the value at "a" is out of range, or of a type that a flag cannot have; correct it"#]
            ),
            (
                "list.json", "[true, false]", [],
                [
                    #": error: the file holds an array, and flags need an object, such as { "key": true }; name another file"#
                ]
            ),
            (
                "flags.yaml", "sson: true\n", [],
                [": error: this is YAML, which tackline does not read; make it JSON, for example with yq -o=json"]
            ),
            (
                "typo.json",
                """
                { "flags": { "a": { "state": "ENABLED", "variants": { "on": 1, "off": 2 }, "defaultVariant": "off",
                  "targeting": { "if": [ { "ends_with": [ { "var": "emial" }, ".com" ] }, "onn" ] } } } }
                """, ["--context", "context.json"],
                [
                    """
                    :2:45: warning: /flags/a/targeting/if/0/ends_with/0/var: no context has the attribute "emial"; did you \
                    mean "email"?
                    """,
                    #":2:75: error: /flags/a/targeting/if/1: there is no variant "onn"; did you mean "on"?"#,
                ]
            ),
            (
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
                """, compared,
                [
                    #":3:3: warning: no flag has the key "ssno"; did you mean "sson"?"#,
                    #":4:3: error: flag "sson": expected true or false, found the integer 1; correct the value"#,
                    #":4:3: warning: flag "sson" expired on 2020-01-01; remove it from the code and from here"#,
                    """
                    :5:16: warning: the key "secrets/boom_feature" occurs here a second time, and the flat \
                    one is used; remove one
                    """,
                    #":5:38: warning: no flag has the key "secrets/other"; remove it, or declare the flag"#,
                    """
                    :7:3: error: flag "max_attempts": expected an integer from 0 to 255, found the integer 300; correct \
                    the value
                    """,
                    """
                    :8:3: error: flag "theme": expected one of "light", "dark", found the string "blue"; correct the value
                    """,
                ]
            ),
            (
                "wrong.plist",
                """
                <plist version="1.0"><dict><key>secrets</key>
                  <dict><key>boom_feature</key> <string>yes</string></dict>
                </dict></plist>
                """, compared,
                [
                    """
                    : error: flag "secrets/boom_feature": expected true or false, found the string "yes"; correct the value
                    """
                ]
            ),
            (
                "rules.json", definitions, compared,
                [
                    #":2:3: warning: flag "sson" expired on 2020-01-01; remove it from the code and from here"#,
                    #":2:13: error: /flags/sson/state: the state needs to be "ENABLED" or "DISABLED""#,
                    """
                    :3:48: error: flag "theme", variant "a": expected one of "light", "dark", found the string "blue"; \
                    correct the value
                    """,
                    #":4:14: error: /flags/theme/defaultVariant: there is no variant "b"; did you mean "a"?"#,
                    #":5:3: warning: no flag has the key "ssonn"; did you mean "sson"?"#,
                ]
            ),
            (
                "twice.json", #"{ "tacklineManifest": 1, "collections": [{ "flags": [\#(flag), \#(flag)] }] }"#, [],
                [#": error: several flags have the key "a"; give one of their collections a prefix"#]
            ),
            (
                "newer.json", #"{ "tacklineManifest": 9, "collections": [] }"#, [],
                [
                    """
                    :1:3: error: expected a version up to 1, found the integer 9 at "tacklineManifest": export it with \
                    FlagManifest(loader), and use a Tackline as new as the app's
                    """
                ]
            ),
        ]

        @Test(
            "names each mistake with its place and what to do, and goes on with the next file",
            arguments: examples.indices)
        func findings(index: Int) async throws {
            let (name, text, arguments, findings) = Self.examples[index]
            _ = try folder.file(name, text)
            _ = try folder.file("context.json", #"{ "email": "ada@example.com", "age": 36 }"#)
            let tool = try await validate([name, "context.json"] + arguments)
            let lines = tool.output.split(separator: "\n").map(String.init)
            #expect(tool.status == 1 && lines.filter { $0.hasPrefix(name) } == findings.map { name + $0 })
            #expect(lines.last?.hasPrefix("context.json: good") == true || arguments == Self.compared)
        }

        @Test("passes good files of each sort, and reads as values what is said to be values")
        func good() async throws {
            let tool = try await validate(["flags.json", "rollout.json", "manifest.json"])
            #expect(tool.status == 0 && tool.errors == "")
            #expect(
                tool.output == """
                    flags.json: good: 3 top-level values
                    rollout.json: good: flag definitions, 2 flags
                    manifest.json: good: a manifest, 4 flags

                    """)
            _ = try folder.file("rules.json", Self.definitions)
            #expect(try await validate(["rules.json", "--as", "values"]).status == 0)
        }

        @Test("fails for warnings only if it is strict")
        func strict() async throws {
            _ = try folder.file("extra.json", #"{ "ssno": true }"#)
            let lenient = try await validate(["extra.json"] + Self.compared)
            #expect(lenient.status == 0)
            #expect(lenient.output.contains("extra.json: good, with 1 warning: 1 top-level value"))
            let strict = try await validate(["extra.json", "--strict", "--json"] + Self.compared)
            #expect(try strict.status == 1 && strict.members()["isGood"] == false)
        }

        @Test("notes what has no value only on request, also inside a flag that is an object")
        func missing() async throws {
            _ = try folder.file("few.json", #"{ "max_attempts": 3, "theme": null }"#)
            let quiet = try await validate(["few.json", "--manifest", "manifest.json"])
            #expect(quiet.status == 0 && quiet.output == "few.json: good: 2 top-level values\n")
            let tool = try await validate(["few.json", "--manifest", "manifest.json", "--missing"])
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
            let inside = try await validate(["search.json", "--manifest", "search.manifest.json", "--missing"])
            #expect(inside.output == "search.json: good: 1 top-level value\n")
        }

        struct AppFlags: FlagCollectionProtocol {
            struct Limits: Codable, FlagValue {
                var perMinute = 90
                var note: String?
            }
            @Flag(default: Limits()) var limits: Limits
            @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
            @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String
        }

        @Test("obeys the members of object flags and the bounds in values and variants, as set does, and in the schema")
        func boundsAndMembers() async throws {
            let manifest = FlagManifest(FlagsLoader(AppFlags.self, providers: []))
            try manifest.jsonData().write(to: folder.file("app.json"))
            let good = #"{ "attempts": 10, "language": "fr", "limits": { "perMinute": 1 } }"#
            _ = try folder.file("good.json", good)
            #expect(try await validate(["good.json", "--manifest", "app.json"]).status == 0)
            _ = try folder.file(
                "bad.json", #"{ "attempts": 11, "language": "french", "limits": { "perMinute": "ninety" } }"#)
            let variants = #""variants": { "many": 99 }, "defaultVariant": "many""#
            _ = try folder.file("rules.json", #"{ "flags": { "attempts": { "state": "ENABLED", \#(variants) } } }"#)
            let bad = try await validate(["bad.json", "rules.json", "--manifest", "app.json"])
            let lines = bad.output.split(separator: "\n")
            #expect(bad.status == 1 && lines.count == 4 && lines[0].contains("from 1 to 10"), "\(bad.output)")
            #expect(lines[1].contains("a text that matches [a-z]{2}") && lines[3].contains("variant \"many\""))
            #expect(lines[2].contains(#"found the string "ninety" at "perMinute"; correct the value"#))
            let set = try await tool("set", "good.json", "limits", #"{"perMinute": true}"#, "--manifest", "app.json")
            #expect(set.status == 2 && set.errors.contains("expected an integer"), "\(set.errors)")
            #expect(try folder.text("good.json") == good)
            let schema = try await validate(["--schema", "--manifest", "app.json"]).output
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
            let tool = try await validate(["document.json"] + versions)
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
            let rules = try await validate(["rules.json", "--format", "github"] + versions)
            #expect(rules.status == 1 && rules.output.contains("::1.0, 1.1: flag \"limits/size\", variant \"a\""))
            #expect(try await validate(["document.json", "--versions", "a.json"]).status == 64)
            #expect(try await validate(["document.json", "--versions", "1=none.json"]).status == 2)
        }

        @Test("writes annotations of GitHub Actions, which no name in them can end")
        func github() async throws {
            _ = try folder.file("a,b.json", #"{ "max_attempts": 300, "x\u001b[2J%<&": 1 }"#)
            let tool = try await validate(
                ["a,b.json", "flags.json", "--manifest", "manifest.json", "--missing", "--format", "github"])
            let lines = tool.output.split(separator: "\n")
            let first = "::error file=a%2Cb.json,line=1,col=3,title=tackline validate::flag \"max_attempts\": "
            #expect(tool.status == 1 && lines.contains { $0.hasPrefix(first) }, "\(tool.output)")
            #expect(lines.contains { $0.hasPrefix("::warning file=a%2Cb.json") && $0.contains(#"x\u{1B}[2J%25<&"#) })
            #expect(lines.contains { $0.hasPrefix("::notice file=flags.json") })
            #expect(lines.allSatisfy { $0.hasPrefix("::") } && !tool.output.contains("\u{1B}"))
            #expect(try await validate(["flags.json", "--json", "--format", "github"]).status == 64)
        }

        @Test("warns of a document that a remote provider refuses by default, with the setting to change")
        func remoteLimits() async throws {
            _ = try folder.file("large.json", #"{ "a": 1 }"# + String(repeating: " ", count: 1 << 20))
            let tool = try await validate(["large.json"])
            let warning = "large.json: warning: a RemoteJSONProvider with its default configuration refuses"
            #expect(tool.status == 0 && tool.output.contains(warning) && tool.output.contains("its maximumBodyBytes"))
        }

        @Test("prints a result that programs can read")
        func json() async throws {
            _ = try folder.file("bad.json", "{ \"sson\": 1 }")
            let tool = try await validate(["bad.json", "--manifest", "manifest.json", "--json"])
            #expect(tool.status == 1)
            let result = try tool.members()
            #expect(result["command"] == "validate" && result["version"] == 1 && result["isGood"] == false)
            for member in [
                "line\": 1", "column\": 3", "key\": \"sson\"", "severity\": \"error\"", "path\": \"bad.json\"",
            ] {
                #expect(tool.output.contains("\"\(member)"))
            }
        }

        @Test("prints a schema that is JSON, and takes no files then")
        func schema() async throws {
            let values = try await validate(["--schema", "--manifest", "manifest.json"])
            #expect(values.status == 0)
            #expect(try values.members()["$schema"] == "http://json-schema.org/draft-07/schema#")
            #expect(values.output.contains("\"secrets/boom_feature\"") && values.output.contains("\"maximum\": 255"))
            for arguments in [["--schema"], ["--schema", "--manifest", "manifest.json", "flags.json"], []] {
                #expect(try await validate(arguments).status == 64)
            }
        }
    }
#endif
