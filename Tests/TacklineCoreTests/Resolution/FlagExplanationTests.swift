import TacklineComputed
import TacklineCore
import TacklineMemory
import Testing

@Suite("An explanation")
struct FlagExplanationTests {
    @Test("shows every provider's answer, the winner and the reason")
    func text() {
        let user = FlagsLoader(
            UserExperiments.self,
            providers: [
                MemoryProvider(name: "overrides"),
                MemoryProvider(name: "remote", values: ["max_attempts": 300]),
                MemoryProvider(name: "region defaults", values: ["max_attempts": 5]),
                MemoryProvider(name: "last", values: ["max_attempts": 6]),
            ],
            issueReporter: .silent)
        #expect(
            user.$maxAttempts.explain().description == """
                max_attempts = 5 (UInt8), from provider "region defaults": the first usable value in the chain
                  How often a password may be wrong
                    overrides        no value
                    remote           refused: expected an integer from 0 to 255, found the integer 300
                  > region defaults  5
                    last             6
                    default          3
                """)
    }

    @Test("shows that the default is in force, and the reason")
    func defaults() {
        let user = FlagsLoader(UserExperiments.self, providers: [])
        let explanation = user.$allowsSSON.explain()
        #expect(explanation.source == .default && explanation.value == false && explanation.providers.isEmpty)
        #expect(explanation.reason == "the chain has no providers")
        #expect(explanation.key == "sson" && explanation.metadata.name == "allowsSSON")
    }

    @Test("agrees with a read")
    func agreesWithReads() {
        let user = FlagsLoader(
            UserExperiments.self, providers: [MemoryProvider(values: ["theme": "dark"]), ComputedProvider { _ in nil }])
        for flag in user.allFlags {
            #expect(flag.explain().value == flag.value)
        }
        #expect(user.$theme.explain().value == "dark")
        #expect(user.$theme.resolution() == FlagResolution(value: .dark, source: .provider("MemoryProvider")))
        #expect(user.$theme.resolution(from: ComputedProvider.self).source == .default)
        #expect(user.$theme.flagValue(from: ComputedProvider.self) == nil)
        #expect(user.$theme.flagValue(from: ComputedProvider.self, fallback: true) == .light)
    }
}
