import Foundation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("A test of every flag read", .hangLimit)
struct EveryFlagReadTests {
    enum Theme: String, CaseIterable, FlagValue { case light, dark, system }

    /// A type with many cases.
    struct Percent: RawRepresentable, CaseIterable, FlagValue {
        let rawValue: Int
        static let allCases = (0...100).map(Percent.init)
    }

    struct Ten: FlagCollectionProtocol {
        @Flag(default: false) var a: Bool
        @Flag(default: false) var b: Bool
        @Flag(default: false) var c: Bool
        @Flag(default: false) var d: Bool
        @Flag(default: false) var e: Bool
        @Flag(default: .light) var theme: Theme
        @Flag(default: nil) var choice: Bool?
        @Flag(default: 3) var limit: Int
        @Flag(default: 3, bounds: .range(1...5)) var attempts: Int
        @Flag(default: "list", bounds: .oneOf(["list", "grid"])) var layout: String
        @Flag(default: Percent(rawValue: 1)) var percent: Percent
        @Flag(default: false, computed: { (flags: Many) in flags.g0.a && flags.g1.b }) var both: Bool

        /// Switches that can be numbered.
        var switches: [Bool] { [a, b, c, d, e] }
    }

    /// Two hundred flags.
    struct Many: FlagCollectionProtocol {
        @FlagCollection var g0: Ten
        @FlagCollection var g1: Ten
        @FlagCollection var g2: Ten
        @FlagCollection var g3: Ten
        @FlagCollection var g4: Ten
        @FlagCollection var g5: Ten
        @FlagCollection var g6: Ten
        @FlagCollection var g7: Ten
        @FlagCollection var g8: Ten
        @FlagCollection var g9: Ten
        @FlagCollection var h0: Ten
        @FlagCollection var h1: Ten
        @FlagCollection var h2: Ten
        @FlagCollection var h3: Ten
        @FlagCollection var h4: Ten
        @FlagCollection var h5: Ten
        @FlagCollection var h6: Ten
        @FlagCollection var h7: Ten
        @FlagCollection var h8: Ten
        @FlagCollection var h9: Ten
    }

    let flags = FlagsLoader(
        Many.self, providers: [MemoryProvider(values: ["g0/theme": "dark", "g0/limit": 7])],
        issueReporter: .failingTest())

    /// The texts that a test's runs wrote, and the issues that they recorded.
    final class Record: Sendable {
        private let lines = Mutex<(runs: [String], issues: [String], error: String?)>(([], [], nil))

        func add(run: String) { lines.withLock { $0.runs.append(run) } }
        func add(issue: String) { lines.withLock { $0.issues.append(issue) } }
        func end(_ error: any Error) { lines.withLock { $0.error = "\(error)" } }

        var runs: [String] { lines.withLock { $0.runs } }
        var issues: [String] { lines.withLock { $0.issues } }
        var error: String? { lines.withLock { $0.error } }
    }

    /// Runs a body as a test with the trait, and keeps its issues from the test that calls it.
    private func run(
        _ trait: EveryFlagReadTrait = .everyFlagRead(by: Many.self),
        _ body: @escaping @Sendable (Ten, FlagsLoader<Many>) async throws -> String
    ) async throws -> Record {
        let record = Record()
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let flags = flags
        let silence = IssueHandlingTrait.compactMapIssues { issue in
            record.add(
                issue: ([issue.error.map { "\($0)" } ?? ""] + issue.comments.map(\.rawValue)).joined(separator: "|"))
            return nil
        }
        try await silence.provideScope(for: test, testCase: testCase) {
            do {
                try await trait.provideScope(for: test, testCase: testCase) {
                    record.add(run: try await body(flags.g0, flags))
                }
            } catch {
                record.end(error)
            }
        }
        return record
    }

    @Test("runs it once for each combination of the values that it reads, and follows branches")
    func combinations() async throws {
        // Three flags of two hundred.
        let three = try await run { flags, all in "\(flags.a) \(flags.b) \(all.g9.c) \(flags.a)" }
        #expect(Set(three.runs).count == 8 && three.runs.count == 8 && three.runs[0] == "false false false false")
        // Short circuits.
        #expect(try await run { flags, _ in "\(flags.a && flags.b && flags.c && flags.d)" }.runs.count == 5)
        // A flag that is read where another one is on, and nothing at all.
        let branches = try await run { flags, _ in
            if flags.a { return "a \(flags.b)" }
            return flags.c ? "c \(flags.d)" : "none"
        }
        #expect(branches.runs.sorted() == ["a false", "a true", "c false", "c true", "none"])
        #expect(try await run { _, _ in "" }.runs.count == 1)
        // Cases, optionals, and values that a provider gives; a number has one value, unless the test gives others.
        let values = try await run { flags, _ in "\(flags.theme) \(flags.limit) \(flags.percent.rawValue)" }
        #expect(values.runs == ["dark 7 1", "light 7 1", "system 7 1"])
        let bounded = try await run { flags, _ in "\(flags.attempts) \(flags.layout)" }.runs
        #expect(Set(bounded) == ["3 list", "1 list", "5 list", "3 grid", "1 grid", "5 grid"] && bounded.count == 6)
        let given = try await run(
            .everyFlagRead(by: Many.self) {
                $0.vary(\Many.g0.limit, over: [7, 0, -1])
                $0.vary(\Many.g0.theme, over: [.light])
            }
        ) { flags, _ in "\(flags.theme) \(flags.limit)" }
        #expect(Set(given.runs) == ["dark 7", "dark 0", "dark -1", "light 7", "light 0", "light -1"])
        #expect(try await run { flags, _ in "\(flags.choice, default: "nil")" }.runs == ["nil", "false", "true"])
        // The inputs of a computed flag. Inspecting flags is no reading.
        #expect(try await run { flags, _ in "\(flags.both)" }.runs == ["false", "false", "true"])
        #expect(
            try await run { _, all in "\(all.snapshot()) \(all.$g0.allFlags[0].explain())" }.runs.count
                == 1)
        // Child tasks, in whatever order they read.
        let children = try await run { _, all in
            async let first = all.g0.a
            async let second = all.g1.a
            async let third = Task { all.g2.a }.value
            return await "\(first) \(second) \(third)"
        }
        #expect(Set(children.runs).count == 8 && children.runs.count <= 16)
        for record in [three, branches, values, given, children] { #expect(record.issues == [] && record.error == nil) }
    }

    @Test("leaves flags as the test sets them, and other collections and tests alone")
    func scopes() async throws {
        let inside = try await run { flags, _ in
            withFlags {
                $0.set(\Many.g0.a, to: true)
            } operation: {
                "\(flags.a) \(flags.b)"
            }
        }
        #expect(inside.runs == ["true false", "true true"])
        let around = try await withFlags {
            $0.set(\Many.g0.a, to: true)
        } operation: {
            try await run { flags, _ in "\(flags.a) \(flags.b)" }
        }
        #expect(around.runs == ["true false", "true true"])
        let app = FlagsLoader(AppFlags.self, providers: [])
        #expect(try await run { _, _ in "\(app.newCheckout)" }.runs == ["false"])
        let two = EveryFlagReadTrait.everyFlagRead(by: Many.self, AppFlags.self)
        #expect(try await run(two) { flags, _ in "\(app.newCheckout) \(flags.a)" }.runs.count == 4)
        // Tests that run at the same time.
        let records = try await withThrowingTaskGroup(of: Record.self) { group in
            for _ in 0..<8 { group.addTask { try await run { flags, all in "\(flags.a) \(all.g3.b)" } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for record in records {
            #expect(record.runs == ["false false", "true false", "false true", "true true"], "\(record.runs)")
        }
        #expect(!flags.g0.a)
    }

    @Test("names the smallest set of values with which it fails")
    func causes() async throws {
        struct Failure: Error {}
        // Five flags and a theme are read, and two of them matter.
        let two = try await run { flags, _ in
            let switches = flags.switches
            #expect(!(switches[1] && flags.theme == .system))
            return ""
        }
        #expect(two.runs.count < 97, "\(two.runs.count)")
        #expect(two.issues.count == 1, "\(two.issues)")
        #expect(two.issues.first?.contains("The test fails with g0.b = true, g0.theme = system, and passes") == true)
        // Two causes; the errors are thrown, or by a requirement.
        let thrown = try await run { flags, all in
            if flags.a { throw Failure() }
            try #require(!all.g1.c)
            return "passed"
        }
        #expect(thrown.runs == ["passed"] && thrown.issues.count == 2 && thrown.error == nil)
        #expect(thrown.issues.contains { $0.hasPrefix("Failure()|The test fails with g0.a = true, and passes") })
        #expect(thrown.issues.contains { $0.contains("The test fails with g1.c = true, and passes") })
        // What fails on its own fails once, as it is, and known issues and warnings are no failures.
        let own = try await run { flags, _ in
            #expect(flags.a)
            return ""
        }
        #expect(own.runs.count == 1 && own.issues == [""])
        let error = try await run { flags, _ in if flags.a { "" } else { throw Failure() } }
        #expect(error.runs == [] && error.issues == [] && error.error == "Failure()")
        let known = try await run { flags, _ in
            withKnownIssue {
                #expect(flags.a)
            } when: {
                !flags.a
            }
            return ""
        }
        #expect(known.runs.count == 2 && known.issues == [""])
        // What fails now and then, and what fails after two of three changes have been left out.
        let count = Mutex(0)
        let flaky = try await run { flags, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            #expect(number != 2)
            return "\(flags.a)"
        }
        #expect(flaky.issues.count == 1 && flaky.issues[0].contains("depends on more than its flags"))
        let odd = try await run { flags, _ in
            let on = [flags.a, flags.b, flags.c].count { $0 }
            #expect(on != 1 && on != 3)
            return ""
        }
        #expect(odd.issues.map { $0.contains(", g") } == [false, false, false], "\(odd.issues)")
        // The failure in the guide.
        let app = FlagsLoader(AppFlags.self, providers: [])
        let guide = try await run(.everyFlagRead(by: AppFlags.self)) { _, _ in
            #expect((app.newCheckout && app.theme == .dark ? 40 : 42) == 42)
            return ""
        }
        let package = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        let page = try String(
            contentsOf: package.appending(path: "Docs/Tackline.docc/EveryFlagRead.md"), encoding: .utf8)
        let comment = try #require(guide.issues.first?.split(separator: "|").last)
        #expect(page.contains("\n↳ \(comment)\n".replacing("4 runs", with: "3 runs")), "\(comment)")
        // A run that is cancelled, for example by a time limit, is the last one.
        let task = Task {
            try await run { flags, all in
                if flags.b {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try Task.checkCancellation()
                }
                return "\(flags.a) \(all.g5.a)"
            }
        }
        let cancelled = try await task.value
        #expect(cancelled.error == "CancellationError()" && cancelled.runs.count == 1, "\(cancelled.runs)")
    }

    @Test("takes pairs of values beyond the limit")
    func pairs() async throws {
        let pairs = try await run { flags, all in
            let switches = [all.g0, all.g1, all.g2, all.g3].flatMap(\.switches)
            #expect(!(switches[3] && switches[17]))
            return switches.map { $0 ? "1" : "0" }.joined()
        }
        #expect(pairs.runs.count < 40, "\(pairs.runs.count)")
        #expect(pairs.issues.count == 1)
        #expect(pairs.issues.first?.contains("fails with g0.d = true, g3.c = true, and passes") == true)
        // A limit that branches reach, and a flag that is read in one of many combinations.
        let few = try await run(.everyFlagRead(by: Many.self, limit: 4)) { flags, _ in
            flags.a ? "\(flags.b) \(flags.c) \(flags.d)" : flags.e ? "\(flags.theme)" : ""
        }
        #expect(few.runs.count >= 8 && few.runs.count <= 12, "\(few.runs.count)")
    }

    @Test(
        "is a trait of tests and suites, with arguments too",
        .everyFlagRead(by: Many.self, AppFlags.self), .flags(\Many.g0.a, true), arguments: [true, false])
    func trait(isOn: Bool) {
        #expect(flags.g0.a)
        #expect(flags.g0.b == flags.g0.b && isOn == isOn)
    }
}
