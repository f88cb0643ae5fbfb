import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("A scope of flag values", .hangLimit)
struct WithFlagsTests {
    let flags = FlagsLoader(
        AppFlags.self, providers: [MemoryProvider(values: ["limit": 7])], issueReporter: .failingTest())

    @Test("wins over providers and computed values, and ends with its operation")
    func wins() {
        #expect(flags.limit == 7)
        let result = withFlags(AppFlags.self) {
            $0.set(\.limit, to: 1)
            $0.set(\.boomCheckout, to: true)
            $0.set(\.secrets.boomFeature, to: true)
        } operation: {
            #expect(flags.limit == 1)
            #expect(flags.boomCheckout)
            #expect(flags.secrets.boomFeature)
            #expect(flags.$limit.resolution().source == .scope)
            return flags.limit
        }
        #expect(result == 1)
        #expect(flags.limit == 7)
        #expect(!flags.boomCheckout)
    }

    @Test("reaches the inputs of computed flags")
    func computed() {
        withFlags(AppFlags.self) {
            $0.set(\.newCheckout, to: true)
            $0.set(\.secrets.boomFeature, to: true)
        } operation: {
            #expect(flags.boomCheckout)
        }
    }

    @Test("nests, with the innermost value in force")
    func nests() {
        withFlags(AppFlags.self) {
            $0.set(\.limit, to: 1)
        } operation: {
            withFlags(AppFlags.self) {
                $0.set(\.limit, to: 2)
            } operation: {
                #expect(flags.limit == 2)
            }
            withFlags(AppFlags.self) {
                $0.set(\.newCheckout, to: true)
            } operation: {
                #expect(flags.limit == 1)
            }
            #expect(flags.limit == 1)
        }
    }

    @Test("holds in child tasks and not in detached ones")
    func children() async {
        await withFlags(AppFlags.self) {
            $0.set(\.limit, to: 1)
        } operation: {
            async let child = flags.limit
            let task = Task { [flags] in flags.limit }
            let detached = Task.detached { [flags] in flags.limit }
            #expect(await child == 1)
            #expect(await task.value == 1)
            #expect(await detached.value == 7)
        }
    }

    @Test("hands the operation's error on, typed, and ends")
    func throwsOn() async {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try withFlags(AppFlags.self) {
                $0.set(\.limit, to: 1)
            } operation: { () throws(Failure) in
                throw Failure()
            }
        }
        await #expect(throws: Failure.self) {
            try await withFlags(AppFlags.self) {
                $0.set(\.limit, to: 1)
            } operation: { () async throws(Failure) in
                await Task.yield()
                throw Failure()
            }
        }
        #expect(flags.limit == 7)
    }

    @Test("does not reach a hundred tasks that run beside it")
    func parallel() async {
        await withTaskGroup(of: Void.self) { group in
            for number in UInt8(0)..<100 {
                group.addTask { [flags] in
                    guard number % 2 == 0 else {
                        for _ in 0..<20 {
                            #expect(flags.limit == 7)
                            await Task.yield()
                        }
                        return
                    }
                    await withFlags(AppFlags.self) {
                        $0.set(\.limit, to: number)
                    } operation: {
                        for _ in 0..<20 {
                            #expect(flags.limit == number)
                            await Task.yield()
                        }
                    }
                }
            }
        }
        #expect(flags.limit == 7)
    }

    @Test("fails the test when a key path leads to no flag")
    func noFlag() {
        withKnownIssue {
            withFlags(AppFlags.self) {
                $0.set(\.notAFlag, to: true)
            } operation: {
            }
        } matching: { issue in
            (issue.error as? FlagError)?.message.contains("leads to no flag") == true
        }
    }

    @Test("sets nothing by the key path of a property that limits a flag")
    func limitedFlag() {
        withKnownIssue {
            withFlags(AppFlags.self) {
                $0.set(\.cappedLimit, to: 9)
            } operation: {
                #expect(flags.limit == 7)
            }
        } matching: { issue in
            (issue.error as? FlagError)?.message.contains("The nearest flag is \\AppFlags.limit.") == true
        }
    }

    @Test("says what it sets")
    func describes() {
        struct SecretFlags: FlagCollectionProtocol {
            @Flag(default: "", description: FlagMetadata(tags: ["secret"])) var token: String
        }
        let overrides = ScopedFlagValues {
            $0.set(\AppFlags.secrets.boomFeature, to: true)
            $0.set(\AppFlags.theme, to: .dark)
            $0.set(\SecretFlags.token, to: "s3cret")
        }
        #expect("\(overrides)" == #"secrets.boomFeature = true, theme = "dark", token = a secret"#)
        #expect(!everyText(of: overrides).contains("s3cret"))
    }
}

@Suite("The flags trait", .flags(\AppFlags.limit, 9), .hangLimit)
struct FlagTraitTests {
    let flags = FlagsLoader(AppFlags.self, providers: [], issueReporter: .failingTest())

    @Test("of a suite holds in its tests")
    func suite() { #expect(flags.limit == 9) }

    @Test("of a test wins over its suite's", .flags(\AppFlags.limit, 2), .flags(\AppFlags.newCheckout, true))
    func test() {
        #expect(flags.limit == 2)
        #expect(flags.newCheckout)
    }

    @Test(
        "holds in each case of a test with arguments, in parallel",
        .flags(AppFlags.self) { $0.set(\.theme, to: .dark) },
        arguments: 0..<3)
    func cases(_ number: Int) async {
        for _ in 0..<20 {
            #expect(flags.theme == .dark)
            await Task.yield()
        }
    }
}

@Suite("An issue reporter that fails the test")
struct FailingReporterTests {
    @Test("records what a loader reports")
    func records() {
        withKnownIssue {
            let flags = FlagsLoader(
                AppFlags.self, providers: [MemoryProvider(values: ["limit": 300])], issueReporter: .failingTest())
            #expect(flags.limit == 3)
        } matching: { issue in
            (issue.error as? FlagError)?.code == .refusedValue
        }
    }

    @Test("is chosen for an asynchronous operation and its child tasks")
    func asynchronous() async {
        await withKnownIssue {
            await FlagIssueReporter.withReporter(.failingTest()) {
                await Task.yield()
                async let child: Void = FlagIssueReporter.current.report(FlagError(.refusedValue, "A child task."))
                await child
            }
        } matching: { issue in
            (issue.error as? FlagError)?.message == "A child task."
        }
    }
}
