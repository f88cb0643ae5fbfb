#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineMemory
    import TacklineRecording
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI
    @testable import TacklineLaunchGuard

    @Suite("tackline bisect", .hangLimit)
    struct BisectTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let good = (0..<1000).map { "\"flag\($0)\": false" }.joined(separator: ",\n")
            _ = try folder.file("good.json", "{ \(good), \"limit\": 3, \"old\": 1 }")
            let bad = (0..<1000).map { "\"flag\($0)\": true" }.joined(separator: ",\n")
            _ = try folder.file("bad.json", "{ \(bad), \"limit\": 300, \"new\": \"x\" }")
        }

        private func tool(_ arguments: String...) async throws -> Tool {
            try await Tool.run(["bisect", "--good", "good.json", "--bad", "bad.json"] + arguments, in: folder.url)
        }

        /// A command that fails if a condition of the shell holds, in which `has` looks for a text in the values, and that
        /// writes a line for each run.
        private func script(_ condition: String) throws -> String {
            let text =
                "has() { grep -qF \"$1\" \"$values\"; }\nvalues=$1\necho run >>runs\nif \(condition); then exit 1; fi\n"
            _ = try folder.file("check.sh", text)
            return "check.sh"
        }

        private func runs() throws -> Int {
            try folder.text("runs").split(separator: "\n").count
        }

        @Test("finds one flag among a thousand in twenty-odd runs")
        func one() async throws {
            let tool = try await tool("--output", "found.json", "--", "sh", try script("has '\"flag713\": true'"), "{}")
            #expect(
                tool.output == """
                    This flag is enough for the command to fail, of 1003 that differ:
                      ~ flag713: false -> true
                    \(try runs()) sets were tried.

                    """)
            #expect(try tool.status == 0 && runs() <= 25)
            #expect(try folder.text("found.json").filter { !$0.isWhitespace } == #"{"flag713":true}"#)
        }

        @Test("finds flags that fail only together, also one that was removed and one that was added")
        func several() async throws {
            let tool = try await tool(
                "--json", "--", "sh",
                try script("has '\"flag7\": true' && has '\"limit\": 300' && ! has '\"old\"' && has '\"new\"'"), "{}")
            let keys = try tool.list("culprits").compactMap { entry -> String? in
                if case .object(let members) = entry, case .string(let key)? = members["key"] { key } else { nil }
            }
            #expect(keys.sorted() == ["flag7", "limit", "new", "old"])
            #expect(try runs() <= 100)
        }

        @Test("goes on where it was interrupted, and refuses the record of another search")
        func record() async throws {
            let check = try script("has '\"flag42\": true'")
            let first = try await tool("--record", "search.json", "--", "sh", check, "{}")
            let count = try runs()
            let second = try await tool("--record", "search.json", "--", "sh", check, "{}")
            #expect(try runs() == count && second.output.contains("0 sets were tried"))
            #expect(first.output.split(separator: "\n")[1] == second.output.split(separator: "\n")[1])
            let other = try await tool("--record", "search.json", "--", "sh", check, "other", "{}")
            #expect(other.status == 2 && other.errors.contains("is the record of another search"))
            _ = try folder.file("search.json", "{")
            #expect(try await tool("--record", "search.json", "--", "sh", check, "{}").status == 2)
        }

        @Test("hands the values as environment variables too")
        func variables() async throws {
            let tool = try await tool("--variables", "APP", "--", "sh", "-c", "test \"$APP_FLAG9\" != true")
            #expect(tool.output.contains("~ flag9: false -> true"))
            let file = try await self.tool("--", "sh", "-c", "! grep -q '\"flag9\": true' \"$TACKLINE_BISECT_VALUES\"")
            #expect(file.output.contains("~ flag9: false -> true"))
            // The caller's variable for a flag that the bad file lacks does not reach the command.
            let removed = try await Tool.run(
                ["bisect", "--good", "good.json", "--bad", "bad.json", "--variables", "APP"] + [
                    "--", "sh", "-c", "test -n \"$APP_OLD\"",
                ],
                in: folder.url, environment: ["APP_OLD": "7"])
            #expect(removed.output.contains("- old: 1"), "\(removed.errors)")
            // No other user can read the file.
            let folderMode = try await self.tool(
                "--", "sh", "-c",
                "! ls -ld \"$(dirname \"$1\")\" | grep -q ^drwx------ || ! grep -q '\"flag9\": true' \"$1\"", "sh", "{}"
            )
            #expect(folderMode.output.contains("~ flag9: false -> true"), "\(folderMode.errors)")
        }

        @Test("takes the values of a snapshot, of a recording and of a crash record")
        func records() async throws {
            struct CrashedFlags: FlagCollectionProtocol {
                @Flag(default: false) var flag7: Bool
                @Flag(default: 3) var limit: Int
            }
            let memory = MemoryProvider(values: ["flag7": true, "limit": 300])
            let (crashes, recorder) = (FlagCrashRecord(file: folder.file("flags.crash")), SessionRecorder())
            let flags = FlagsLoader(CrashedFlags.self, providers: [memory], observers: [crashes, recorder])
            #expect(flags.flag7 && flags.limit == 300)
            try recorder.session.json().write(to: folder.file("recording.json"))
            try JSONEncoder().encode(flags.snapshot()).write(to: folder.file("snapshot.json"))
            _ = try folder.file("defaults.json", #"{ "flag7": false, "limit": 3 }"#)
            for bad in ["flags.crash", "recording.json", "snapshot.json"] {
                let tool = try await Tool.run(
                    "bisect", "--good", "defaults.json", "--bad", bad, "--", "sh", "-c", "! grep -q 300 {}",
                    in: folder.url)
                #expect(tool.output.contains("  ~ limit: 3 -> 300\n"), "\(bad): \(tool.errors)")
            }
        }

        @Test("says what is wrong with a command that passes, always fails, can't be started, or hangs")
        func mistakes() async throws {
            let passing = try await tool("--", "true")
            #expect(passing.status == 2 && passing.errors.contains("passes with the bad values"))
            let failing = try await tool("--", "false")
            #expect(failing.status == 2 && failing.errors.contains("fails with the good values"))
            let missing = try await tool("--", "no-such-command-here")
            #expect(missing.status == 2 && missing.errors.contains("no-such-command-here cannot be started"))
            #expect(try await tool().status == 64)
            #expect(try await tool("--runs", "0", "--", "true").status == 64)
            let same = try await Tool.run(
                "bisect", "--good", "good.json", "--bad", "good.json", "--", "true", in: folder.url)
            #expect(same.status == 2 && same.errors.contains("nothing to find"))
            let hanging = try await tool(
                "--suspect", "flag3", "--time-limit", "0.3", "--", "sh", "-c",
                "if grep -q '\"flag3\": true' {}; then exec tail -f /dev/null; fi")
            #expect(hanging.output.contains("~ flag3: false -> true"))
        }

        @Test("leaves no values behind if it is ended, and removes those of a search that was killed")
        func leftovers() async throws {
            let temporary = folder.file("temporary")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: temporary.path) }
            // The command ends the search that has started it.
            for signal in ["TERM", "HUP", "KILL"] {
                let ended = try await Tool.run(
                    [
                        "bisect", "--good", "good.json", "--bad", "bad.json", "--", "sh", "-c",
                        "kill -\(signal) $PPID; while kill -0 $PPID 2>/dev/null; do :; done",
                    ], in: folder.url, environment: ["TMPDIR": temporary.path])
                #expect(ended.status != 0 && ended.output == "")
                #expect(try names().count == (signal == "KILL" ? 1 : 0), "\(signal)")
            }
            let next = try await Tool.run(
                ["bisect", "--good", "good.json", "--bad", "bad.json", "--", "true"], in: folder.url,
                environment: ["TMPDIR": temporary.path])
            #expect(try next.status == 2 && names() == [])
        }

        @Test("hands no ignored signal on, so that a pipe in the command ends")
        func pipe() async throws {
            let check = "(yes; echo $? >status) | head -n 1; ! grep -q '\"limit\": 300' {}"
            let tool = try await tool("--", "sh", "-c", check)
            #expect(tool.output.contains("~ limit: 3 -> 300"))
            #expect(try folder.text("status") == "141\n")
        }

        @Test("tries suspects first")
        func suspects() async throws {
            let tool = try await tool(
                "--suspect", "flag5", "--suspect", "limit", "--", "sh", try script("has '\"limit\": 300'"), "{}")
            #expect(try tool.output.contains("~ limit: 3 -> 300") && runs() <= 7)
            #expect(try await self.tool("--suspect", "flag1000", "--", "true").status == 2)
        }

        @Test("takes a search to its end if a command fails now and then")
        func flaky() async throws {
            // It fails in every third run only.
            let check = try script("has '\"flag500\": true' && [ $(($(wc -l <runs) % 3)) = 0 ]")
            let tool = try await tool("--runs", "3", "--", "sh", check, "{}")
            #expect(tool.output.contains("This flag is enough") && tool.output.contains("~ flag500: false -> true"))
        }
    }

    @Suite("The search for culprits")
    struct DifferenceSearchTests {
        @Test("finds every smallest set, whichever it is, in few tries")
        func culprits() throws {
            for count in [1, 2, 3, 7, 100, 1000] {
                for size in 1...min(4, count) {
                    for seed in 0..<20 {
                        var generator = SeededGenerator(seed: UInt64(seed))
                        let wanted = Set((0..<count).shuffled(using: &generator).prefix(size))
                        var tries = 0
                        let found = try DifferenceSearch { set throws(CommandFailure) in
                            tries += 1
                            return wanted.isSubset(of: set)
                        }.smallestSet(of: count)
                        #expect(Set(found) == wanted)
                        let levels = Int.bitWidth - count.leadingZeroBitCount
                        #expect(tries <= 2 * size * levels + 2 * size + 2, "\(count) \(size): \(tries)")
                    }
                }
            }
        }

        @Test("finds a set from which nothing can be left out, also where more differences can mean fewer failures")
        func irregular() throws {
            for seed in 0..<200 {
                var generator = SeededGenerator(seed: UInt64(seed))
                let count = Int.random(in: 2...12, using: &generator)
                // Any set but the empty one may fail or pass; the whole one fails.
                var known: [[Int]: Bool] = [[]: false, Array(0..<count): true]
                func fails(_ set: [Int]) -> Bool {
                    if let result = known[set] { return result }
                    let result = Bool.random(using: &generator)
                    known[set] = result
                    return result
                }
                let found = try withoutActuallyEscaping(fails) { fails in
                    try DifferenceSearch { set throws(CommandFailure) in fails(set) }.smallestSet(of: count)
                }
                #expect(fails(found))
            }
        }
    }

    @Suite("tackline launches", .hangLimit)
    struct LaunchesTests {
        @Test("lists what is held back, with the values that a file has, and ends with 1")
        func list() async throws {
            let folder = try TemporaryFolder()
            _ = try folder.file("remote.json", #"{ "checkout/limit": 300, "theme": "dark" }"#)
            let none = try await Tool.run("launches", ".", in: folder.url)
            #expect(none.status == 0 && none.output == "Nothing is held back in ..\n")
            let launches = LaunchFolder(path: folder.file("launches/shop").path)
            try launches.create()
            var record = LaunchRecord()
            for (key, value) in [("checkout/limit", 300), ("theme", "light")] as [(String, EncodedFlagValue)] {
                let slot = ValueHash.slot(FlagKeyPath(key), "remote")
                record.heldBack.append(
                    LaunchValue(slot: slot, hash: ValueHash.value(value, at: slot), provider: "remote", key: key))
            }
            try launches.write(record)
            let some = try await Tool.run("launches", "launches", "--values", "remote.json", in: folder.url)
            #expect(
                some.output == """
                    shop holds back:
                      checkout/limit of provider "remote": 300 (remote.json)
                      theme of provider "remote"

                    """)
            #expect(some.status == 1)
            _ = try folder.file("good.json", #"{ "checkout/limit": 3, "other": 1 }"#)
            let found = try await Tool.run(
                "bisect", "--good", "good.json", "--bad", "remote.json", "--launches", "launches", "--", "sh", "-c",
                "! grep -q 300 {}", in: folder.url)
            #expect(found.output.contains("~ checkout/limit: 3 -> 300"))
            _ = try folder.file("launches/shop/record", "damaged")
            let damaged = try await Tool.run("launches", "launches", in: folder.url)
            #expect(damaged.status == 2 && damaged.errors.contains("it is damaged"))
            let missing = try await Tool.run("launches", "no-such-folder", in: folder.url)
            #expect(
                missing.status == 2 && missing.errors.contains("name the folder that LaunchGuard(folder:) was given"))
        }
    }
#endif
