import Foundation
import Synchronization
import TacklineCore
@testable import TacklineEnvironment
import TacklineTesting
import TacklineTestSupport
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

    @Test("finds variables whatever the prefix begins with, and needs none")
    func prefixes() {
        let environment = ["SHOP_A": "1", "_9_A": "2", "A": "3", "OTHER": "4"]
        for (prefix, value) in [("SHOP", "1"), ("9", "2"), ("", "3"), ("APP", nil)] as [(String, String?)] {
            let provider = EnvironmentProvider(prefix: prefix, environment: environment)
            #expect(provider.value(for: "a") == value.map { .unparsed($0) }, "\(prefix)")
        }
    }

    @Test("gives the text of a flag's variable, and the flag's type decides what it means")
    func values() {
        let provider = provider(["APP_SECRETS_BOOM_FEATURE": "true", "APP_LIMIT": "12", "LIMIT": "1", "APP_X": ""])
        #expect(provider.value(at: "secrets/boom_feature") == .unparsed("true"))
        #expect(provider.value(at: "x") == .unparsed(""))
        #expect(provider.value(at: "y") == nil)
        let loader = FlagsLoader(AppFlags.self, providers: [provider])
        #expect(loader.secrets.boomFeature)
        #expect(loader.limit == 12)
        #expect(!loader.allowsSSON)
        // An explanation shows what the flag's type makes of the text.
        #expect(loader.secrets.$boomFeature.explain().value == true)
        #expect(loader.$limit.explain().value == 12)
    }

    @Test("makes the name of a variable as documented")
    func names() {
        let cases: [(String, FlagKeyPath, String)] = [
            ("APP", "secrets/boom_feature", "APP_SECRETS_BOOM_FEATURE"), ("APP_", "a", "APP_A"), ("", "a/b", "A_B"),
            ("", "2fa", "_2FA"), ("app", "x", "app_X"), ("P", "kebab-case.dot", "P_KEBAB_CASE_DOT"),
            ("P", "größe", "P_GR__E"), ("P", "ıſ", "P___"),
        ]
        for (prefix, key, variable) in cases {
            #expect(provider([:], prefix: prefix).variableName(for: key) == variable)
        }
    }

    @Test("tells of two keys that share a variable, once, when it is set and both are asked for")
    func collisionWhileReading() {
        let issues = Mutex<[FlagError]>([])
        FlagIssueReporter.withReporter(FlagIssueReporter { issue in issues.withLock { $0.append(issue) } }) {
            let provider = provider(["APP_A_B": "1"])
            for _ in 0..<2 {
                for key: FlagKeyPath in ["a/b", "a_b", "c/d", "c_d"] { _ = provider.value(for: key) }
            }
        }
        #expect(
            issues.withLock { $0 }.map(\.description) == [
                """
                The flags "a/b" and "a_b" share the environment variable APP_A_B, so setting it sets both. Give one of \
                them another key. [shared-variable]
                """
            ]
        )
    }

    @Test("lists keys that share a variable, and variables that belong to no flag, with the nearest one")
    func issues() {
        let provider = provider([
            "APP_SECRETS_BOM_FEATURE": "1", "APP_QUITE_OTHER": "1", "OTHER": "1", "APP_LIMIT": "1",
        ])
        let loader = FlagsLoader(AppFlags.self, providers: [provider])
        let issues = provider.issues(comparedWith: loader.root.allFlags.map(\.keyPath) + ["se/cret", "se_cret"])
        #expect(
            issues.map(\.message) == [
                "The environment variable APP_QUITE_OTHER belongs to no flag. Remove the variable, or correct its name.",
                """
                The environment variable APP_SECRETS_BOM_FEATURE belongs to no flag. Did you mean \
                APP_SECRETS_BOOM_FEATURE, for the flag "secrets/boom_feature"?
                """,
                """
                The flags "se/cret" and "se_cret" share the environment variable APP_SE_CRET, so setting it sets both. \
                Give one of them another key.
                """,
            ]
        )
        let reported = Mutex<[FlagError.Code]>([])
        provider.reportUnknownFlags(
            in: loader, to: FlagIssueReporter { issue in reported.withLock { $0.append(issue.code) } })
        #expect(reported.withLock { $0 } == [.unknownFlag, .unknownFlag])
    }

    @Test("reports misspelt variables to the loader's reporter")
    func reporterOfLoader() {
        let reported = Mutex<[FlagError.Code]>([])
        let provider = provider(["APP_SECRETS_BOOM_FEATURES": "true"])
        let loader = FlagsLoader(
            ReporterFlags.self, providers: [provider],
            issueReporter: FlagIssueReporter { issue in reported.withLock { $0.append(issue.code) } })
        provider.reportUnknownFlags(in: loader)
        #expect(reported.withLock { $0 } == [.unknownFlag])
    }

    private struct ReporterFlags: FlagCollectionProtocol {
        @Flag(key: .absolute("secrets/boom_feature"), default: false, description: "Boom") var boomFeature: Bool
    }

    @Test("keeps the rules for providers")
    func conformance() async {
        await FlagProviderConformance(holding: ["a/b": .unparsed("x"), "c": .unparsed("1")]) {
            provider(["APP_A_B": "x", "APP_C": "1"])
        }.expectConformance()
    }

    // MARK: The file

    private func withFile<Result>(_ text: String, _ body: (URL) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString).env")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url)
    }

    @Test("reads a .env file, over which the variables of the process win")
    func file() throws {
        let text = """
            \u{FEFF}# a comment
            APP_A=plain text  # a comment
              export APP_B = "quoted # no comment\\n\\$\\"\\\\\\x" # a comment
            APP_C='single \\n "quotes"'\r
            APP_D=
            APP_E=a#b=c
            APP_E=later
            APP_F=file
            """
        let provider = try withFile(text) { url in
            EnvironmentProvider(prefix: "APP", environmentFile: url, environment: ["APP_F": "process"])
        }
        #expect(provider.status == .ready)
        #expect(provider.value(at: "a") == .unparsed("plain text"))
        #expect(provider.value(at: "b") == .unparsed("quoted # no comment\n$\"\\\\x"))
        #expect(provider.value(at: "c") == .unparsed("single \\n \"quotes\""))
        #expect(provider.value(at: "d") == .unparsed(""))
        #expect(provider.value(at: "e") == .unparsed("later"))
        #expect(provider.value(at: "f") == .unparsed("process"))
    }

    @Test("takes a file that is not there for an empty one, and refuses one that is no text, or no file")
    func unusableFiles() throws {
        let status = { (url: URL) in
            EnvironmentProvider(prefix: "", environmentFile: url, environment: [:]).status
        }
        let folder = FileManager.default.temporaryDirectory
        #expect(status(folder.appending(path: UUID().uuidString)) == .ready)
        guard case .failed = status(folder) else {
            Issue.record("a folder was read")
            return
        }
        try withFile("") { url in
            try Data([0xFF, 0xFE]).write(to: url)
            guard case .failed(let error) = status(url) else {
                Issue.record("bytes that are no text were read")
                return
            }
            #expect(error.message.contains("it is UTF-16 and not UTF-8; save it as UTF-8."))
        }
    }
}
