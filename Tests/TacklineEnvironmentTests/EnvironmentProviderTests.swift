import Foundation
import Tackline
import TacklineTestSupport
import TacklineTesting
import Testing

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false) var allowsSSON: Bool
    @Flag(default: 3) var limit: Int
    @FlagCollection var secrets: SecretFlags
}

struct SecretFlags: FlagCollectionProtocol {
    @Flag(default: false) var boomFeature: Bool
}

@Suite("An environment provider", .hangLimit)
struct EnvironmentProviderTests {
    private func provider(_ environment: [String: String], prefix: String = "APP") -> EnvironmentProvider {
        EnvironmentProvider(prefix: prefix, environment: environment)
    }

    @Test("gives the text of a flag's variable, and the flag's type decides what it means")
    func values() {
        let provider = provider(["APP_SECRETS_BOOM_FEATURE": "true", "APP_LIMIT": "12", "LIMIT": "1", "APP_X": ""])
        #expect(provider.value(at: "x") == .unparsed("") && provider.value(at: "y") == nil)
        let loader = FlagsLoader(AppFlags.self, providers: [provider])
        #expect(loader.secrets.boomFeature && loader.limit == 12 && !loader.allowsSSON)
        #expect(loader.$limit.explain().value == 12)
    }

    @Test("makes the name of a variable as documented, and finds it whatever the prefix begins with")
    func names() {
        let cases: [(String, FlagKeyPath, String)] = [
            ("APP", "secrets/boom_feature", "APP_SECRETS_BOOM_FEATURE"), ("APP_", "a", "APP_A"), ("", "a/b", "A_B"),
            ("", "2fa", "_2FA"), ("9", "a", "_9_A"), ("app", "x", "app_X"), ("P", "kebab-case.dot", "P_KEBAB_CASE_DOT"),
            ("P", "größe", "P_GR__E"), ("P", "ıſ", "P___"), ("", "=\0\n", "___"),
        ]
        for (prefix, key, variable) in cases {
            let provider = provider([variable: "1", "OTHER": "2"], prefix: prefix)
            #expect(provider.variableName(for: key) == variable && provider.value(for: key) == .unparsed("1"))
        }
    }

    @Test("takes the variables of the process where none are given")
    func process() async {
        await #expect(processExitsWith: .success) {
            setenv("APP_LIMIT", "7", 1)
            precondition(EnvironmentProvider(prefix: "APP").value(at: "limit") == .unparsed("7"))
        }
    }

    @Test("lists keys that share a variable, and variables that belong to no flag, with the nearest one")
    func issues() {
        let provider = provider([
            "APP_SECRETS_BOM_FEATURE": "1", "APP_QUITE_OTHER": "1", "OTHER": "1", "APP_LIMIT": "1",
        ])
        let log = IssueRecorder()
        let loader = FlagsLoader(AppFlags.self, providers: [provider], issueReporter: log.reporter)
        let issues = provider.issues(comparedWith: loader.root.allFlags.map(\.keyPath) + ["se/cret", "se_cret"])
        #expect(
            issues.map(\.message) == [
                "The environment variable APP_QUITE_OTHER belongs to no flag. Remove or correct it.",
                """
                The environment variable APP_SECRETS_BOM_FEATURE belongs to no flag. Did you mean \
                APP_SECRETS_BOOM_FEATURE?
                """,
                """
                The flags "se/cret" and "se_cret" share the environment variable APP_SE_CRET, so setting it sets all. \
                Give each its key.
                """,
            ]
        )
        provider.reportUnknownFlags(in: loader)
        #expect(log.codes == [.unknownFlag, .unknownFlag])
    }

    @Test("keeps the rules for providers")
    func conformance() async {
        await FlagProviderConformance(holding: ["a/b": .unparsed("x"), "c": .unparsed("1")]) {
            provider(["APP_A_B": "x", "APP_C": "1"])
        }.expectConformance()
    }
}
