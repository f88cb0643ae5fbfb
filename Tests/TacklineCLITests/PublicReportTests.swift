#if CommandLine
    import Foundation
    import TacklineTestSupport
    import Testing

    /// Faults that users of other tools for configuration files reported, each with its report.
    @Suite("What users of other tools reported", .hangLimit)
    struct PublicReportTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        /// A report, a script that would show its fault, and the output without the fault.
        typealias Report = (report: String, script: String, output: String)

        static let reports: [Report] = [
            (
                "An edit removes blank lines: github.com/mikefarah/yq/issues/515",
                #"""
                printf '{\n\n  "a": 1,\r\n\n\t"b" :  2\n\n}\n\n' > a.json; tackline set a.json b 3
                printf '{\n\n  "a": 1,\r\n\n\t"b" :  3\n\n}\n\n' | cmp - a.json
                """#, "b = 3 (was 2)\n"
            ),
            (
                "An edit has an indentation of its own: github.com/mikefarah/yq/issues/1359",
                #"printf '{\n    "a": {\n        "b": 1\n    }\n}\n' > a.json; tackline set a.json a/c 2; cat a.json"#,
                "a/c = 2 (had no value)\n{\n    \"a\": {\n        \"b\": 1,\n        \"c\": 2\n    }\n}\n"
            ),
            (
                "An edit spells other values anew: github.com/rust-works/succinctly/issues/3028",
                #"echo '{ "a": 1e3, "b": 1.10, "c": "\u00e9\/", "d": -0.0 }' > a.json; tackline set a.json b 2; cat a.json"#,
                "b = 2 (was 1.1)\n{ \"a\": 1e3, \"b\": 2, \"c\": \"\\u00e9\\/\", \"d\": -0.0 }\n"
            ),
            (
                "An edit changes the permissions: github.com/mikefarah/yq/issues/180",
                "chmod 640 flags.json; tackline set flags.json sson false; ls -l flags.json | cut -c 1-10",
                "sson = false (was true)\n-rw-r-----\n"
            ),
            (
                "An edit replaces a symbolic link by a file: github.com/npm/npm/issues/12002",
                "ln -s flags.json a.json; tackline set a.json sson false; readlink a.json; tackline get flags.json sson",
                "sson = false (was true)\nflags.json\nfalse\n"
            ),
            (
                "A file that is read and written is empty afterwards: github.com/jqlang/jq/issues/2152",
                // The shell has emptied the file, which the tool then refuses.
                "tackline set flags.json sson false; tackline set - sson true < flags.json > flags.json; echo $?",
                """
                sson = false (was true)
                tackline: -:1:1: error: the document ends too early; complete it
                2

                """
            ),
            (
                "A full disk empties the file: github.com/nextcloud/server/issues/25175",
                #"(ulimit -f 0; trap "" XFSZ; tackline set flags.json sson false 2>&- ); echo $?; ls -A; tackline get flags.json sson"#,
                "2\nflags.json\nmanifest.json\nrollout.json\ntrue\n"
            ),
            (
                "A byte order mark is no JSON: github.com/node-config/node-config/issues/215",
                #"""
                printf '\357\273\277{ "a": 1 }' > a.json; tackline get a.json a; tackline set a.json a 2
                printf '\357\273\277{ "a": 2 }' | cmp - a.json
                """#, "1\na = 2 (was 1)\n"
            ),
            (
                "Long integers are rounded: github.com/jqlang/jq/issues/369",
                """
                echo '{ "a": 125276004817190914 }' > a.json; tackline get a.json a
                tackline set a.json b 18446744073709551614; cat a.json
                """,
                """
                125276004817190914
                b = 18446744073709551614 (had no value)
                { "a": 125276004817190914, "b": 18446744073709551614 }

                """
            ),
            (
                "A negative number is an unknown option: github.com/pulumi/pulumi/issues/892",
                "tackline set flags.json n -2 2>&1 | grep Help; tackline set flags.json n -- -2",
                """
                Help:  <value>  The value: true, 3, [1, 2] or a text; after -- if it begins with a dash.
                n = -2 (had no value)

                """
            ),
            (
                "A dot in a name makes objects: github.com/NousResearch/hermes-agent/pull/93883",
                #"echo '{ "glm-5.3/on": 1 }' > a.json; tackline set a.json glm-5.3/on 2; tackline set a.json m.1 3; cat a.json"#,
                "glm-5.3/on = 2 (was 1)\nm.1 = 3 (had no value)\n{ \"glm-5.3/on\": 2, \"m.1\": 3 }\n"
            ),
            (
                "Warnings stand among JSON: github.com/dapr/cli/issues/1015",
                "tackline manifest manifest.json --format openfeature 2> notes | tackline validate -; grep -c note notes",
                "-: good: 1 top-level value\n1\n"
            ),
            (
                "head ends the tool with an error: github.com/medialab/xan/issues/759",
                """
                seq 50000 | awk '{ printf "%s\\"key_%05d\\": 1", NR == 1 ? "{" : ",", $1 } END { print "}" }' > a.json
                { tackline diff flags.json a.json; echo $? > status; } | head -n 1; cat status
                """, "+ key_00001: 1\n1\n"
            ),
            (
                "A closed output, whose number the next file that is opened gets, is told from that file",
                "(tackline set flags.json sson false <&- >&- 2>&-); echo $?; tackline get flags.json sson; tackline --help >&-",
                "74\nfalse\ntackline: The output could not be written: Bad file descriptor.\n"
            ),
        ]

        @Test("is no fault of this tool", arguments: reports.indices)
        func report(index: Int) async throws {
            let (report, script, output) = Self.reports[index]
            #expect(try await self.script(script) == output, "\(report)")
        }

        #if os(Linux)
            @Test("A full disk is no failure: github.com/jqlang/jq/pull/719")
            func fullDisk() async throws {
                for arguments in ["manifest manifest.json", "--help", "--version", "--generate-completion-script bash"]
                {
                    #expect(
                        try await script("tackline \(arguments) > /dev/full; echo $?")
                            == "tackline: The output could not be written: No space left on device.\n74\n")
                }
            }
        #endif
    }
#endif
