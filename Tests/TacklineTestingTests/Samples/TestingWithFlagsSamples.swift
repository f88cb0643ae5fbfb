import TacklineCore
import TacklineTesting
import TacklineTestSupport
import Testing

// What the guide "Testing with flags" shows, so that it is run.

/// What the samples test.
struct Checkout {
    private let flags: FlagsLoader<AppFlags>

    init(_ flags: FlagsLoader<AppFlags>) {
        self.flags = flags
    }

    var steps: Int { flags.newCheckout ? 2 : 5 }
    /// Whatever the checkout looks like.
    var total: Int { flags.newCheckout && flags.theme == .dark ? 40 + 2 : 42 }
    var attempts: Int { Int(flags.limit) }
}

@Suite("The samples of the guide \"Testing with flags\"", .hangLimit)
struct TestingWithFlagsSamples {
    let flags = FlagsLoader(AppFlags.self, providers: [])

    @Test(.flags(\AppFlags.newCheckout, true))
    func newCheckoutHasTwoSteps() {
        #expect(Checkout(flags).steps == 2)
    }

    @Suite(
        .flags {
            $0.set(\AppFlags.newCheckout, to: true)
            $0.set(\AppFlags.limit, to: 1)
        })
    struct CheckoutTests {
        let flags = FlagsLoader(AppFlags.self, providers: [])

        @Test func triesOnce() {
            #expect(Checkout(flags).attempts == 1)
        }
    }

    @Test func scoped() {
        withFlags {
            $0.set(\AppFlags.newCheckout, to: true)
        } operation: {
            #expect(Checkout(flags).steps == 2)
        }
        #expect(Checkout(flags).steps == 5)
    }

    @Test(
        arguments: FlagCombinations.all {
            $0.vary(\AppFlags.newCheckout)
            $0.vary(\AppFlags.theme)
        })
    func totalIsRight(values: ScopedFlagValues) {
        withFlags(values) {
            #expect(Checkout(flags).total == 42)
        }
    }

    @Test func scripted() async throws {
        let server = ScriptedProvider(values: ["new_checkout": false])
        let flags = FlagsLoader(AppFlags.self, providers: [server], issueReporter: .failingTest())
        let unreachable = FlagError(.inputOutput, provider: "server", reason: "the network is gone")

        // As if the server had pushed it.
        server.push(["new_checkout": true])
        // What the next two refreshes come to.
        server.script(.values(["limit": 5]), .failure(unreachable))
        // The next write fails.
        server.failWrites(unreachable)
        // Refreshes hang from now on, and this one does when the arrival was seen.
        server.refreshGate.close()
        async let outcome = server.refresh()
        try await server.refreshGate.waitForArrivals(1)
        #expect(flags.limit == 3)
        server.refreshGate.open()
        #expect(try await outcome == .changed(["limit"]))
        #expect(flags.newCheckout && flags.limit == 5)
        await #expect(throws: FlagError.self) { try await server.refresh() }
        #expect(throws: FlagError.self) { try flags.$limit.setValue(6) }
    }

    @Test func readsNothingElse() {
        let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented])

        withFlags {
            $0.set(\AppFlags.newCheckout, to: true)
        } operation: {
            // Fails the test if it reads any flag but newCheckout.
            #expect(Checkout(flags).steps == 2)
        }
    }

    @Test func flagsAreDeclaredWell() throws {
        try FlagsLoader(AppFlags.self, providers: []).validate()
    }

    @Test func changes() async {
        let server = ScriptedProvider(values: ["new_checkout": false])
        let flags = FlagsLoader(AppFlags.self, providers: [server])
        var changes = flags.$newCheckout.changes.makeAsyncIterator()
        server.push(["new_checkout": true])
        #expect(await changes.next(isolation: #isolation)?.new == true)
    }
}
