#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import TacklineUsage
    import Testing

    @testable import TacklineCLI

    @Suite("The usage of flags", .hangLimit)
    struct UsageTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.file("manifest.json", Samples.manifest)
            try FileManager.default.createDirectory(at: folder.file("Sources"), withIntermediateDirectories: true)
            _ = try folder.file(
                "Sources/Flags.swift",
                """
                struct UserFlags: FlagCollectionProtocol {
                    @Flag(key: "sson", default: false)
                    var allowsSSON: Bool
                    @Flag(default: 3) var maxAttempts: UInt8
                    @Flag(default: nil) var theme: Theme?
                }
                """)
            _ = try folder.file(
                "Sources/Use.swift",
                """
                // allowsSSON is a flag.
                var maxAttempts = 5
                func login(_ flags: Flags) {
                    if flags.allowsSSON, let user {
                        show(user)
                    } else if !flags.allowsSSON {
                        retry(times: flags.maxAttempts)
                    }
                    flags.$allowsSSON.explain()
                    withFlags { $0.set(\\.allowsSSON, true) }
                    set("sson", true)
                    switch flags.theme { default: break }
                }
                """)
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url)
        }

        /// Writes a record of reads so many days ago.
        private func record(
            _ file: String, since: Int = 60, reads: [(daysAgo: Int, key: String, value: EncodedFlagValue)]
        ) throws {
            func date(_ daysAgo: Int) -> Date { Date() - Double(daysAgo) * 86_400 }
            func usage(_ daysAgo: Int) -> FlagUsage {
                let date = date(daysAgo)
                return FlagUsage(file: folder.file(file), now: { date })
            }
            let first = usage(since)
            first.loaderWasMade(
                ObservedLoader(keys: ["sson", "max_attempts", "secrets/boom_feature", "theme"]) { false })
            try first.save()
            for read in reads + [(0, "other", 1)] {
                let usage = usage(read.daysAgo)
                usage.flagWasResolved(ResolvedFlag(key: FlagKeyPath(read.key), value: read.value, source: .default))
                try usage.save()
            }
        }

        @Test("names the flags that could go, with their declarations and what their removal leaves, of merged records")
        func lint() async throws {
            try record(
                "usage/phone.json",
                reads: [(50, "sson", false), (50, "max_attempts", 3), (2, "max_attempts", 3), (1, "sson", true)])
            try record("usage/pad.json", reads: [(55, "max_attempts", 4), (40, "theme", "dark"), (3, "sson", false)])
            let arguments = ["lint", "manifest.json", "--usage", "usage", "--sources", "Sources", "--skip", "owner"]
            let tool = try await Tool.run(arguments + ["--skip", "unused"], in: folder.url)
            let day = FlagUsageRecord.Day(Date())
            #expect(
                tool.output == """
                    Expired and still read: fix the flag to a value, or move its date
                      sson on 2020-01-01 (Ada) LOGIN-12: last read on \(day.advanced(by: -1)); its removal leaves one of true, false; declared as allowsSSON at Sources/Flags.swift:3

                    Read by nothing for 30 days: remove the flag
                      secrets/boom_feature: not read since \(day.advanced(by: -60)); its default is false; declared as secrets.boomFeature
                      theme (Ada): last read on \(day.advanced(by: -40)); its default is null; declared as theme at Sources/Flags.swift:5

                    One value everywhere for 30 days: fix the flag to it
                      max_attempts (Ben): last read on \(day.advanced(by: -2)); its removal leaves 3; declared as maxAttempts at Sources/Flags.swift:4

                    """, "\(tool)")
            #expect(tool.status == 1 && tool.errors == "")
            let json = try await Tool.run(arguments + ["--json", "--days", "45"], in: folder.url)
            #expect(json.output.contains("\"Sources/Flags.swift:4\"") && json.output.contains("\"overdue\""))
            // A kill switch stays.
            _ = try folder.file(
                "permanent.json",
                Samples.manifest.replacing("\"owner\": \"Ben\"", with: "\"tags\": [\"permanent\"]"))
            let permanent = try await self.tool("lint", "permanent.json", "--usage", "usage", "--skip", "owner")
            #expect(permanent.output.contains("Read by nothing") && !permanent.output.contains("One value"))
            // What a record doesn't cover says nothing.
            try record("young.json", since: 5, reads: [(5, "max_attempts", 3)])
            let young = try await self.tool("lint", "manifest.json", "--usage", "young.json", "--skip", "owner")
            #expect(young.output.contains("Expired: remove") && !young.output.contains("Read by nothing"))
            #expect(young.errors.contains("say a smaller number of --days"))
            // A record of other flags, or of none.
            _ = try folder.file("none.json", #"{"tacklineUsage": 1, "flags": {}}"#)
            let none = try await self.tool("lint", "manifest.json", "--usage", "none.json")
            #expect(none.errors.contains("nothing is known of them: sson, max_attempts,"))
            for (file, message) in [
                ("manifest.json", "no member \"tacklineUsage\""), ("absent.json", "cannot be read"),
                ("Sources", "no files that end in .json"),
            ] {
                let wrong = try await self.tool("lint", "manifest.json", "--usage", file)
                #expect(wrong.status == 2 && wrong.errors.contains(message), "\(wrong)")
            }
            #expect(try await self.tool("lint", "manifest.json", "--usage", "none.json", "--days", "0").status == 2)
        }

        @Test("shows what remains of each place when a flag is retired, and warns of other values")
        func retire() async throws {
            try record("usage.json", reads: [(3, "sson", true), (2, "max_attempts", 3), (1, "max_attempts", 4)])
            let files = ["--manifest", "manifest.json", "--sources", "Sources", "--usage", "usage.json"]
            let tool = try await Tool.run(["retire", "sson"] + files, in: folder.url)
            let day = FlagUsageRecord.Day(Date())
            #expect(
                tool.output
                    == """
                    sson fixed to true
                      declared as allowsSSON, takes a Boolean; default false; owner Ada; expires 2020-01-01
                      usage: last read on \(day.advanced(by: -3)); values in 30 days: true

                    Sources/Flags.swift:3
                      var allowsSSON: Bool
                      → nothing: the declaration goes

                    Sources/Use.swift:4
                      if flags.allowsSSON, let user {
                      → if let user {

                    Sources/Use.swift:6
                      } else if !flags.allowsSSON {
                      → the else of this if, or nothing

                    Sources/Use.swift:9
                      flags.$allowsSSON.explain()
                      → nothing: what follows, explains or writes the flag goes

                    Sources/Use.swift:10
                      withFlags { $0.set(\\.allowsSSON, true) }
                      → nothing: the key path goes

                    Sources/Use.swift:11
                      set("sson", true)
                      → nothing: the key goes

                    6 places in 2 files. Nothing was changed.

                    """, "\(tool)")
            #expect(tool.status == 0 && tool.errors == "")
            let wrong = try await Tool.run(["retire", "max_attempts"] + files, in: folder.url)
            #expect(wrong.status == 2 && wrong.errors.contains("reads were given 4, 3"), "\(wrong)")
            let other = try await Tool.run(
                ["retire", "max_attempts", "--value", "3", "--json"] + files, in: folder.url)
            #expect(other.status == 1 && other.errors.contains("were given 4, too"), "\(other)")
            #expect(other.output.contains("retry(times: 3)") && !other.output.contains("var maxAttempts = 5"))
            let unseen = try await Tool.run(
                ["retire", "theme", "--manifest", "manifest.json", "--sources", "Sources"], in: folder.url)
            #expect(unseen.status == 2 && unseen.errors.contains("Say with --value"))
            let unknown = try await Tool.run(["retire", "ssonn", "--value", "1"] + files, in: folder.url)
            #expect(unknown.status == 2 && unknown.errors.contains("sson"))
        }

        @Test("leaves of a line what the conditions leave, and never traps on what is no Swift")
        func lines() {
            let cases: [(line: String, value: String, remains: String)] = [
                ("if a.FLAG {", "true", "the body of this if; its else goes"),
                ("} else if a.FLAG {", "false", "the else of this if, or nothing"),
                ("guard self.a.FLAG else { return }", "true", "nothing: the guard goes"),
                ("guard a().b[1].FLAG, x else { return }", "true", "guard x else { return }"),
                ("guard x, a.FLAG else { return }", "false", "the body of the guard; what follows goes"),
                ("if x && a.FLAG {", "true", "if x {"), ("if a.FLAG && x || y {", "true", "if x || y {"),
                ("if a.FLAG && x || y {", "false", "if y {"), ("if x || a.FLAG {", "false", "if x {"),
                ("if x && y || a.FLAG {", "true", "the body of this if; its else goes"),
                ("if f(x, a.FLAG) {", "true", "if f(x, true) {"), ("if !(a.FLAG) && x {", "false", "if x {"),
                ("if x == a.FLAG {", "true", "if x == true {"), ("if a.FLAG == true, x {", "true", "if x {"),
                ("let t = a.FLAG ? \"a:b\" : f(x ? 1 : 2) // c", "true", "let t = \"a:b\" // c"),
                ("let t = a.FLAG ? 1 : f(x ? 1 : 2)", "false", "let t = f(x ? 1 : 2)"),
                ("f(a.FLAG ? x ? 1 : 2 : 3, y)", "true", "f(x ? 1 : 2, y)"),
                ("switch a.FLAG {", ".dark", "the case of .dark"),
                ("while a.FLAG {", "false", "nothing: the loop goes"),
                ("let n = a.FLAG + 1", "3", "let n = 3 + 1"),
                ("return a?.FLAG ?? false", "true", "return true ?? false"),
                ("Text(a.FLAG)  ", "\"x\"", "Text(\"x\")"),
                ("if a.FLAG == \"x\" {", "\"x\"", "the body of this if; its else goes"),
            ]
            for (line, value, remains) in cases {
                let column =
                    line.utf8.count - line[(line.firstRange(of: "FLAG")?.lowerBound ?? line.startIndex)...].utf8.count
                let fixed = FixedLine(Array(line.utf8), column: column, value: value)
                #expect(fixed.remains == remains, "\(line)")
            }
            var random = SeededGenerator(seed: 44)
            let parts = [
                "(", ")", "?", ":", "!", "&&", "||", ".", "FLAG", "a", "\"", "\\", "{", ",", "==", "if", " ", "é", "//",
                "true",
            ]
            for _ in 0..<2_000 {
                let words = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                    parts.randomElement(using: &random)
                }
                let line = Array(words.joined().utf8)
                for column in 0...line.count { _ = FixedLine(line, column: column, value: "true").remains.utf8.count }
            }
        }
    }
#endif
