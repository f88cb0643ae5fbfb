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

    private let one = ScopedFlagValues { $0.set(\AppFlags.limit, to: 1) }

    @Test("wins over providers and computed values, reaches their inputs, nests, and ends with its operation")
    func wins() {
        #expect(flags.limit == 7)
        let result = withFlags(AppFlags.self) {
            $0.set(\.limit, to: 1)
            $0.set(\.boomCheckout, to: true)
        } operation: {
            #expect(flags.limit == 1 && flags.boomCheckout && !flags.newCheckout)
            #expect(flags.$limit.resolution().source == .scope)
            withFlags(AppFlags.self) {
                $0.set(\.limit, to: 2)
            } operation: {
                #expect(flags.limit == 2 && flags.boomCheckout)
            }
            return flags.limit
        }
        #expect(result == 1)
        #expect(flags.limit == 7 && !flags.boomCheckout)
        withFlags(AppFlags.self) {
            $0.set(\.newCheckout, to: true)
            $0.set(\.secrets.boomFeature, to: true)
        } operation: {
            #expect(flags.boomCheckout)
        }
    }

    @Test("holds in child tasks and not in detached ones")
    func children() async {
        await withFlags(one) {
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
        #expect(throws: Failure.self) { try withFlags(one) { () throws(Failure) in throw Failure() } }
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
                group.addTask {
                    guard number % 2 == 0 else { return await expectLimit(7) }
                    await withFlags(AppFlags.self) {
                        $0.set(\.limit, to: number)
                    } operation: {
                        await expectLimit(number)
                    }
                }
            }
        }
        #expect(flags.limit == 7)
    }

    private func expectLimit(_ limit: UInt8) async {
        for _ in 0..<20 {
            #expect(flags.limit == limit)
            await Task.yield()
        }
    }

    @Test("fails the test and sets nothing when a key path leads to no flag, or to a property that limits one")
    func noFlag() {
        for (values, message) in [
            (ScopedFlagValues { $0.set(\AppFlags.notAFlag, to: true) }, "leads to no flag"),
            (ScopedFlagValues { $0.set(\AppFlags.cappedLimit, to: 9) }, "The nearest flag is \\AppFlags.limit."),
        ] {
            withKnownIssue {
                withFlags(values) { #expect(flags.limit == 7) }
            } matching: { issue in
                (issue.error as? FlagError)?.message.contains(message) == true
            }
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

    @Test("of a test wins over its suite's", .flags(\AppFlags.limit, 2), .flags(\AppFlags.newCheckout, true))
    func test() {
        #expect(flags.limit == 2 && flags.newCheckout)
    }

    @Test(
        "holds in each case of a test with arguments, in parallel, as does its suite's",
        .flags(AppFlags.self) { $0.set(\.theme, to: .dark) }, arguments: 0..<3)
    func cases(_ number: Int) async {
        for _ in 0..<20 {
            #expect(flags.theme == .dark && flags.limit == 9)
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
}
