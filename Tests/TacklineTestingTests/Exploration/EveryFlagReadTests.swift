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
    enum Five: String, CaseIterable, FlagValue { case one, two, three, four, five }

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
        @Flag(default: .light) var theme: Theme
        @Flag(default: .one) var five: Five
        @Flag(default: nil) var choice: Bool?
        @Flag(default: 3) var limit: Int
        @Flag(default: 3, bounds: .range(1...5)) var attempts: Int
        @Flag(default: 3, bounds: .range(1...5)) var pages: Int?
        @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String?
        @Flag(default: "list", bounds: .oneOf(["list", "grid"])) var layout: String
        @Flag(default: Percent(rawValue: 1)) var percent: Percent
        @Flag(default: false, computed: { (flags: Many) in flags.g0.a && flags.g1.b }) var both: Bool

        /// Switches that can be numbered.
        var switches: [Bool] { [a, b, c, d] }
    }

    /// Seventy flags.
    struct Many: FlagCollectionProtocol {
        @FlagCollection var g0: Ten
        @FlagCollection var g1: Ten
        @FlagCollection var g2: Ten
        @FlagCollection var g3: Ten
        @FlagCollection var g4: Ten
    }

    let flags = FlagsLoader(
        Many.self, providers: [MemoryProvider(values: ["g0/theme": "dark", "g0/limit": 7])],
        issueReporter: .failingTest())
    let app = FlagsLoader(AppFlags.self, providers: [])

    /// The texts that a test's runs wrote, the issues that they recorded, the number of known issues, and the error.
    struct Record {
        var runs: [String] = []
        var issues: [String] = []
        var known = 0
        var error: String?
    }

    /// Runs a body as a test with traits, and keeps its issues from the test that calls it.
    private func run(
        _ traits: FlagsTrait..., body: @escaping @Sendable (Ten, FlagsLoader<Many>) async throws -> String
    ) async throws -> Record {
        let record = Mutex(Record())
        let test = try #require(Test.current)
        let testCase = try #require(Test.Case.current)
        let flags = flags
        var function: @concurrent @Sendable () async throws -> Void = {
            let text = try await body(flags.g0, flags)
            record.withLock { $0.runs.append(text) }
        }
        for trait in traits.isEmpty ? [.everyFlagRead(by: Many.self)] : traits.reversed() {
            function = { [function] in
                try await trait.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
        let silence = IssueHandlingTrait.compactMapIssues { issue in
            let texts = [issue.error.map { "\($0)" } ?? ""] + issue.comments.map(\.rawValue)
            record.withLock { record in
                if issue.isFailure { record.issues.append(texts.joined(separator: "|")) } else { record.known += 1 }
            }
            return nil
        }
        try await silence.provideScope(for: test, testCase: testCase) { [function] in
            do { try await function() } catch { record.withLock { $0.error = "\(error)" } }
        }
        return record.withLock { $0 }
    }

    @Test("runs it once for each combination of the values that it reads, and follows branches")
    func combinations() async throws {
        // Three flags of seventy.
        let three = try await run { flags, all in "\(flags.a) \(flags.b) \(all.g4.c) \(flags.a)" }
        #expect(Set(three.runs).count == 8 && three.runs.count == 8 && three.runs[0] == "false false false false")
        // Cases, and values that a provider gives; a number has one value.
        let values = try await run { flags, _ in "\(flags.theme) \(flags.limit) \(flags.percent.rawValue)" }
        #expect(values.runs == ["dark 7 1", "light 7 1", "system 7 1"])
        let bounded = try await run { flags, _ in "\(flags.attempts) \(flags.layout)" }.runs
        #expect(Set(bounded) == ["3 list", "1 list", "5 list", "3 grid", "1 grid", "5 grid"] && bounded.count == 6)
        // The nil of optionals.
        #expect(try await run { flags, _ in "\(flags.choice, default: "nil")" }.runs == ["nil", "false", "true"])
        #expect(try await run { flags, _ in "\(flags.pages, default: "nil")" }.runs == ["3", "1", "5", "nil"])
        #expect(try await run { flags, _ in flags.language ?? "nil" }.runs == ["de", "nil"])
        // The inputs of a computed flag. Inspecting flags is no reading.
        #expect(try await run { flags, _ in "\(flags.both)" }.runs == ["false", "false", "true"])
        let inspected = try await run { _, all in "\(all.snapshot()) \(all.$g0.allFlags[0].explain())" }
        #expect(inspected.runs.count == 1)
        // Child tasks, in whatever order they read.
        let children = try await run { _, all in
            async let first = all.g0.a
            async let second = all.g1.a
            async let third = Task { all.g2.a }.value
            return await "\(first) \(second) \(third)"
        }
        #expect(Set(children.runs).count == 8 && children.runs.count == 8)
        for record in [three, values, children] { #expect(record.issues == [] && record.error == nil) }
    }

    @Test("tries the values that the test gives, of any flag and outside of its bounds, and refuses a wrong key path")
    func variations() async throws {
        let given = try await run(
            .everyFlagRead(by: Many.self) {
                $0.vary(\Many.g0.limit, over: [7, 0])
                $0.vary(\Many.g0.limit, over: [0, -1])
                $0.vary(\Many.g0.theme, over: [.light])
                $0.vary(\Many.g0.attempts, over: [99])
                $0.vary(\AppFlags.limit, over: [8])
            }
        ) { flags, _ in
            if flags.limit == 0 { return "\(flags.theme)" }
            if flags.limit == 7 { return "\(flags.attempts)" }
            return "\(app.limit) \(app.newCheckout)"
        }
        #expect(Set(given.runs) == ["dark", "light", "3", "99", "3 false", "8 false"] && given.runs.count == 6)
        let wrong = try await run(.everyFlagRead(by: AppFlags.self) { $0.vary(\AppFlags.cappedLimit, over: [1]) }) {
            _, _ in "\(app.newCheckout)"
        }
        #expect(wrong.issues.count == 1 && wrong.issues[0].contains("leads to no flag"))
        // A value of its own that depends on another flag.
        let own = try await run { flags, _ in
            let memory = MemoryProvider(values: ["g0/attempts": flags.a ? 4 : 2])
            let other = FlagsLoader(Many.self, providers: [memory])
            return withExtendedLifetime(other) { "\(other.g0.attempts)" }
        }
        #expect(own.runs.sorted() == ["1", "1", "2", "4", "5", "5"])
    }

    /// 20,250 combinations.
    private static let manyValues: @Sendable (Ten, FlagsLoader<Many>) -> String = { _, all in
        let fives = [all.g0.five, all.g1.five, all.g2.five]
        let numbers = [all.g0.attempts, all.g1.attempts, all.g2.attempts, all.g3.attempts]
        return "\(all.g0.a) \(fives) \(numbers)"
    }

    @Test("fails if it takes more runs than its limit or reads no flag, unless that is allowed as a known issue")
    func limits() async throws {
        let body = Self.manyValues
        let failed = try await run(body: body)
        #expect(failed.runs.count == 256 && Set(failed.runs).count == 256)
        #expect(failed.issues.count == 1 && failed.known == 0)
        #expect(failed.issues[0].contains("After 256 runs, ") && failed.issues[0].contains("five = \"two\""))
        let allowed = try await run(.everyFlagRead(by: Many.self, limit: 10, allowsIncomplete: true), body: body)
        #expect(allowed.runs.count == 10 && allowed.issues == [] && allowed.known == 1)
        let none = try await run { _, _ in "\(app.newCheckout)" }
        #expect(none.runs == ["false"] && none.issues.map { $0.contains("The test read no flag") } == [true])
        let nothing = try await run(.everyFlagRead(by: Many.self, allowsIncomplete: true)) { _, _ in "" }
        #expect(nothing.runs.count == 1 && nothing.issues == [] && nothing.known == 1)
        for limit in [8, 7] {
            let three = try await run(.everyFlagRead(by: Many.self, limit: limit)) { flags, _ in
                "\(flags.a) \(flags.b) \(flags.c)"
            }
            let leftOut = "1 or more combinations were left out: (g0.a = true, g0.b = true"
            #expect(
                three.runs.count == limit && three.issues.map { $0.contains(leftOut) } == (limit == 8 ? [] : [true]))
        }
    }

    /// What a test does, as far as it depends on flags: it reads one and goes on with its value, or ends.
    private indirect enum Node: Sendable {
        case end(Int)
        case read(Int, [Node])
    }

    /// Flags with their values.
    private static let flagsOfTrees: [(values: [String], read: @Sendable (FlagsLoader<Many>) -> String)] = [
        (["false", "true"], { "\($0.g0.a)" }), (["false", "true"], { "\($0.g1.b)" }),
        (["light", "dark", "system"], { "\($0.g2.theme)" }), (["1", "3", "5"], { "\($0.g0.attempts)" }),
        (["nil", "1", "3", "5"], { $0.g0.pages.map { "\($0)" } ?? "nil" }),
        (["nil", "false", "true"], { $0.g0.choice.map { "\($0)" } ?? "nil" }),
    ]

    @Test("finds a fault behind any path of values, or fails because it left the path out")
    func anyPath() async throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<60 {
            var ends = 0
            func node(_ depth: Int) -> Node {
                if depth == 0 || depth < 4 && Int.random(in: 0..<5, using: &random) == 0 {
                    ends += 1
                    return .end(ends)
                }
                let flag = Int.random(in: 0..<Self.flagsOfTrees.count, using: &random)
                return .read(flag, Self.flagsOfTrees[flag].values.map { _ in node(depth - 1) })
            }
            let tree = node(4)
            /// The ends that there are values for.
            func reachable(_ node: Node, _ known: [Int: Int]) -> Set<Int> {
                switch node {
                case .end(let number): [number]
                case .read(let flag, let next):
                    next.indices.filter { known[flag] ?? $0 == $0 }.reduce(into: []) { ends, value in
                        ends.formUnion(reachable(next[value], known.merging([flag: value]) { $1 }))
                    }
                }
            }
            let all = reachable(tree, [:])
            let fault = round.isMultiple(of: 3) ? 0 : all.randomElement(using: &random)
            let limit = round.isMultiple(of: 5) ? Int.random(in: 1...all.count, using: &random) : 1000
            let record = try await run(.everyFlagRead(by: Many.self, limit: limit)) { _, flags in
                var place = tree
                while case .read(let flag, let next) = place {
                    let (values, read) = Self.flagsOfTrees[flag]
                    place = next[try #require(values.firstIndex(of: read(flags)))]
                }
                guard case .end(let number) = place else { return "" }
                #expect(number != fault)
                return "\(number)"
            }
            #expect(Set(record.runs).count == record.runs.count, "No end is reached twice.")
            let isWhole = fault == 0 && limit >= all.count
            #expect(record.issues.isEmpty == isWhole, "\(record.issues)")
            if isWhole { #expect(record.runs.count == all.count) }
        }
    }

    @Test("leaves flags as the test sets them, and other collections and tests alone")
    func scopes() async throws {
        let on = ScopedFlagValues { $0.set(\Many.g0.a, to: true) }
        let inside = try await run { flags, _ in withFlags(on) { "\(flags.a) \(flags.b)" } }
        #expect(inside.runs == ["true false", "true true"])
        for traits in [
            [FlagsTrait.flags(\Many.g0.a, true), .everyFlagRead(by: Many.self)],
            [.everyFlagRead(by: Many.self), .flags(\Many.g0.a, true)],
        ] {
            let around = try await run(traits[0], traits[1]) { flags, _ in "\(flags.a) \(flags.b)" }
            #expect(around.runs == ["true false", "true true"])
        }
        // Two collections, by one trait or by two.
        for traits in [
            [FlagsTrait.everyFlagRead(by: Many.self, AppFlags.self)],
            [.everyFlagRead(by: Many.self), .everyFlagRead(by: AppFlags.self)],
        ] {
            let both = try await run(traits[0], traits[traits.count - 1]) { flags, _ in "\(app.newCheckout) \(flags.a)"
            }
            #expect(both.runs.count == 4 && Set(both.runs).count == 4)
        }
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

    @Test("names a smallest set of values with which it fails")
    func failures() async throws {
        struct Failure: Error {}
        // Four flags and a theme are read, and two of them matter.
        let two = try await run { flags, _ in
            let switches = flags.switches
            #expect(!(switches[1] && flags.theme == .system))
            return ""
        }
        #expect(two.runs.count < 48 && two.issues.count == 1, "\(two.runs.count) \(two.issues)")
        #expect(
            two.issues.first?.contains(#"with g0.b = true, g0.theme = "system". With the flags' own values"#) == true)
        // Two sets; the errors are thrown, or by a requirement.
        let thrown = try await run { flags, all in
            if flags.a { throw Failure() }
            try #require(!all.g1.c)
            return "passed"
        }
        #expect(thrown.runs == ["passed"] && thrown.issues.count == 2 && thrown.error == nil)
        #expect(
            thrown.issues[0] == "Failure()|This is run 2, with g0.a = true. With the flags' own values the test passes."
        )
        #expect(thrown.issues[1].contains("This is run 3, with g1.c = true. With"))
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
        #expect(known.runs.count == 2 && known.issues == [] && known.known == 1)
        // The failure in the guide.
        let guide = try await run(.everyFlagRead(by: AppFlags.self)) { _, _ in
            #expect((app.newCheckout && app.theme == .dark ? 40 : 42) == 42)
            return ""
        }
        let package = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        let page = try String(
            contentsOf: package.appending(path: "Docs/Tackline.docc/TestingWithFlags.md"), encoding: .utf8)
        let comment = try #require(guide.issues.first?.split(separator: "|").last)
        #expect(page.contains("\n↳ \(comment)\n"), "\(comment)")
    }

    @Test("fails if a run doesn't read a flag that it was made for, as where the value is kept from an earlier run")
    func keptValues() async throws {
        let kept = Mutex<Bool?>(nil)
        let record = try await run { flags, _ in
            "\(kept.withLock { kept in kept ?? { kept = flags.a; return flags.a }() })"
        }
        #expect(record.runs == ["false", "false"] && record.issues.count == 1)
        #expect(record.issues[0].contains("1 of 2 runs did not read a flag that they were made for: (g0.a = true)."))
    }

    @Test("ends with its task and says what was left out, while a run that cancels itself is one failure")
    func cancelled() async throws {
        let itself = try await run { flags, all in
            if flags.b {
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
            return "\(flags.a) \(all.g4.a)"
        }
        #expect(itself.runs.count == 4 && itself.error == nil && itself.issues.count == 1)
        #expect(itself.issues[0].hasPrefix("CancellationError()|This is run 2, with g0.b = true."))
        // For example by a time limit.
        let outer = Mutex<Task<Record, any Error>?>(nil)
        let gate = FlagGate(isOpen: false)
        let task = Task {
            try await gate.pass()
            return try await run { flags, all in
                if flags.b { outer.withLock { $0?.cancel() } }
                return "\(flags.a) \(all.g4.a)"
            }
        }
        outer.withLock { $0 = task }
        gate.open()
        let cancelled = try await task.value
        #expect(cancelled.error == "CancellationError()" && cancelled.runs.count == 2)
        #expect(
            cancelled.issues == [
                "|The test was cancelled in run 2, with g0.b = true. 2 or more combinations were left out."
            ])
    }

    @Test(
        "is a trait of tests and suites, with arguments too",
        .everyFlagRead(by: Many.self, AppFlags.self), .flags(\Many.g0.a, true), arguments: [true, false])
    func trait(isOn: Bool) {
        #expect(flags.g0.a)
        #expect(flags.g0.b == flags.g0.b && isOn == isOn)
    }
}
