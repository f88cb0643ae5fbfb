import TacklineCore
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("The unimplemented provider")
struct UnimplementedProviderTests {
    @Test("reports which flag was read, once, to the loader's issue reporter, and the flag has its default")
    func reports() {
        let issues = IssueRecorder()
        let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented], issueReporter: issues.reporter)
        for _ in 0..<3 { #expect(!flags.newCheckout) }
        #expect(issues.issues.map(\.code) == [.unimplementedFlag] && issues.issues.first?.key == "new_checkout")
        #expect(
            issues.issues.map(\.message) == [
                """
                Flag "new_checkout" was read and nothing gives it a value: provider "unimplemented" was asked for it, \
                so the flag falls through to what is behind, or to its default. Give it a value with withFlags, or in a \
                provider before "unimplemented".
                """
            ])
    }

    @Test("fails the test where nobody chose a reporter, but not for flags that the test gives values")
    func failsTheTest() {
        let flags = FlagsLoader(AppFlags.self, providers: [MemoryProvider(values: ["limit": 7]), .unimplemented])
        withFlags(AppFlags.self) {
            $0.set(\.theme, to: .dark)
        } operation: {
            #expect(flags.limit == 7 && flags.theme == .dark)
        }
        withKnownIssue {
            _ = flags.newCheckout
        } matching: { issue in
            (issue.error as? FlagError)?.code == .unimplementedFlag
        }
    }
}
