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
            try usage(since).save()
            for read in reads + [(0, "other", 1)] {
                let usage = usage(read.daysAgo)
                usage.flagWasResolved(FlagResolution(key: FlagKeyPath(read.key), value: read.value, source: .default))
                try usage.save()
            }
        }

        @Test("names the flags that could go, with their declarations and what their removal leaves, of merged records")
        func lint() async throws {
            try record(
                "usage/phone.json",
                reads: [(50, "sson", false), (50, "max_attempts", 3), (2, "max_attempts", 3), (1, "sson", true)])
            try record("usage/pad.json", reads: [(55, "max_attempts", 4), (40, "theme", "dark"), (3, "sson", false)])
            let arguments = ["lint", "manifest.json", "--usage", "usage", "--skip", "owner"]
            let tool = try await Tool.run(arguments, in: folder.url)
            func day(_ daysAgo: Int) -> String { (Date() - Double(daysAgo) * 86_400).dayText }
            #expect(
                tool.output == """
                    Expired and still read: fix the flag to a value, or move its date
                      sson on 2020-01-01 (Ada) LOGIN-12: last read on \(day(1)); its removal leaves one of true, false; declared as allowsSSON

                    Read by nothing for 30 days: remove the flag
                      secrets/boom_feature: not read since \(day(60)); its default is false; declared as secrets.boomFeature
                      theme (Ada): last read on \(day(40)); its default is null; declared as theme

                    One value everywhere for 30 days: fix the flag to it
                      max_attempts (Ben): last read on \(day(2)); its removal leaves 3; declared as maxAttempts

                    """, "\(tool)")
            #expect(tool.status == 1 && tool.errors == "")
            let json = try await Tool.run(arguments + ["--json", "--days", "45"], in: folder.url)
            #expect(json.output.contains("\"overdue\""))
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
            // A record of no day.
            _ = try folder.file("none.json", #"{"tacklineUsage": 1, "flags": {}, "hasMoreFlags": false}"#)
            let none = try await self.tool("lint", "manifest.json", "--usage", "none.json")
            #expect(none.status == 1 && !none.output.contains("Read by nothing"), "it covers no day")
            try FileManager.default.createDirectory(at: folder.file("empty"), withIntermediateDirectories: true)
            for (file, message) in [
                ("manifest.json", "no member \"tacklineUsage\""), ("absent.json", "cannot be read"),
                ("empty", "no files that end in .json"),
            ] {
                let wrong = try await self.tool("lint", "manifest.json", "--usage", file)
                #expect(wrong.status == 2 && wrong.errors.contains(message), "\(wrong)")
            }
            #expect(try await self.tool("lint", "manifest.json", "--usage", "none.json", "--days", "0").status == 2)
        }
    }
#endif
