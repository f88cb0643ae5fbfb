import Synchronization
import TacklineCore
import TacklineMemory
import TacklineTesting
import Testing

@Suite("The unimplemented provider")
struct UnimplementedProviderTests {
    @Test("reports to the loader's issue reporter which flag was read, and the flag gives its default")
    func reports() {
        let issues = Mutex<[FlagError]>([])
        let reporter = FlagIssueReporter { issue in issues.withLock { $0.append(issue) } }
        let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented], issueReporter: reporter)
        #expect(!flags.newCheckout)
        let issue = issues.withLock { $0.first }
        #expect(issue?.code == .unimplementedFlag && issue?.key == "new_checkout")
        #expect(
            issue?.message == """
                Flag "new_checkout" was read and nothing gives it a value: provider "unimplemented" was asked for it, \
                so the flag falls through to what is behind, or to its default. Give it a value with withFlags, or in a \
                provider before "unimplemented".
                """)
    }

    @Test("fails the test where nobody chose a reporter")
    func failsTheTest() {
        let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented])
        withKnownIssue {
            _ = flags.newCheckout
        } matching: { issue in
            (issue.error as? FlagError)?.code == .unimplementedFlag
        }
    }

    @Test("says nothing of flags that the test gives values, by a scope or by a provider before it")
    func answered() {
        let flags = FlagsLoader(
            AppFlags.self, providers: [MemoryProvider(values: ["new_checkout": true]), .unimplemented],
            issueReporter: .failingTest())
        #expect(flags.newCheckout)
        let bare = FlagsLoader(AppFlags.self, providers: [.unimplemented], issueReporter: .failingTest())
        withFlags(AppFlags.self) {
            $0.set(\.newCheckout, to: true)
        } operation: {
            #expect(bare.newCheckout)
        }
    }

    @Test("reports each flag once, and to its own reporter if it has one")
    func ownReporter() {
        let count = Mutex(0)
        let provider = UnimplementedProvider(
            issueReporter: FlagIssueReporter { _ in count.withLock { $0 += 1 } })
        let flags = FlagsLoader(AppFlags.self, providers: [provider], issueReporter: .failingTest())
        for _ in 0..<3 { _ = flags.newCheckout }
        #expect(count.withLock { $0 } == 1)
    }
}
