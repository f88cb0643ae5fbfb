#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import TacklineUsage
    import Testing

    @testable import TacklineCLI

    @Suite("tackline lint", .hangLimit)
    struct LintTests: ToolSuite {
        let folder: TemporaryFolder

        init() throws { folder = try Samples.folder() }

        @Test("reports what is expired or has no owner, and passes where nothing is left to report")
        func manifest() async throws {
            let tool = try await tool("lint", "manifest.json")
            #expect(tool.status == 1 && tool.errors == "")
            #expect(
                tool.output == """
                    Expired: remove the flag from the code, or move its date
                      sson on 2020-01-01 (Ada) LOGIN-12

                    Without an owner: say who answers for it, with the metadata's owner
                      secrets/boom_feature

                    """)
            let good = try await self.tool("lint", "manifest.json", "--skip", "expired", "--skip", "owner")
            #expect(good.status == 0 && good.output == "manifest.json: good: nothing to report\n")
            #expect(try await self.tool("lint", "manifest.json", "--json").list("findings").count == 2)
            #expect(try await self.tool("lint", "manifest.json", "--skip", "nothing").status == 64)
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
            try usage(since).save()
            for read in reads + [(0, "other", 1)] {
                let usage = usage(read.daysAgo)
                usage.flagWasResolved(FlagResolution(key: FlagKeyPath(read.key), value: read.value, source: .default))
                try usage.save()
            }
        }

        @Test("names the flags that could go, with their declarations and what their removal leaves, of merged records")
        func usage() async throws {
            try record(
                "usage/phone.json",
                reads: [(50, "sson", false), (50, "max_attempts", 3), (2, "max_attempts", 3), (1, "sson", true)])
            try record("usage/pad.json", reads: [(55, "max_attempts", 4), (40, "theme", "dark"), (3, "sson", false)])
            let arguments = ["lint", "manifest.json", "--usage", "usage", "--skip", "owner"]
            let tool = try await self.tool(arguments)
            func day(_ daysAgo: Int) -> String { (Date() - Double(daysAgo) * 86_400).dayText }
            #expect(
                tool.output == """
                    Expired and still read: replace the flag by a value, or move its date
                      sson on 2020-01-01 (Ada) LOGIN-12: last read on \(day(1)); removing it leaves one of true, false; declared as allowsSSON

                    Not read for 30 days: remove the flag
                      secrets/boom_feature: not read since \(day(60)); its default is false; declared as secrets.boomFeature
                      theme (Ada): last read on \(day(40)); its default is null; declared as theme

                    One value everywhere for 30 days: replace the flag by it
                      max_attempts (Ben): last read on \(day(2)); removing it leaves 3; declared as maxAttempts

                    """, "\(tool)")
            #expect(tool.status == 1 && tool.errors == "")
            let json = try await self.tool(arguments + ["--json", "--days", "45"])
            #expect(json.output.contains("\"overdue\""))
            // A kill switch stays.
            _ = try folder.file(
                "permanent.json",
                Samples.manifest.replacing("\"owner\": \"Ben\"", with: "\"tags\": [\"permanent\"]"))
            let permanent = try await self.tool("lint", "permanent.json", "--usage", "usage", "--skip", "owner")
            #expect(permanent.output.contains("Not read") && !permanent.output.contains("One value"))
            // What a record doesn't cover says nothing.
            try record("young.json", since: 5, reads: [(5, "max_attempts", 3)])
            let young = try await self.tool("lint", "manifest.json", "--usage", "young.json", "--skip", "owner")
            #expect(young.output.contains("Expired: remove") && !young.output.contains("Not read"))
            #expect(young.errors.contains("use a smaller number of --days"))
            try FileManager.default.createDirectory(at: folder.file("empty"), withIntermediateDirectories: true)
            for (file, message) in [
                ("manifest.json", "no member \"tacklineUsage\""), ("empty", "no files that end in .json"),
            ] {
                let wrong = try await self.tool("lint", "manifest.json", "--usage", file)
                #expect(wrong.status == 2 && wrong.errors.contains(message), "\(wrong)")
            }
            #expect(try await self.tool("lint", "manifest.json", "--usage", "young.json", "--days", "0").status == 2)
        }
    }
#endif
