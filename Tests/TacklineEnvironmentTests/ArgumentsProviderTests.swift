import TacklineCore
import TacklineEnvironment
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("An arguments provider", .hangLimit)
struct ArgumentsProviderTests {
    private func provider(_ arguments: String...) -> ArgumentsProvider {
        ArgumentsProvider(arguments: arguments)
    }

    @Test("reads both forms, and the flag's type decides what a text means")
    func forms() {
        let provider = provider(
            "run", "--flag", "secrets/boom_feature=true", "--flag=text=a=b", "-limit", "-5", "-allows_sson", "YES",
            "--other", "-verbose", "-x", "1", "--flag", "x=2", "--", "-y", "1"
        )
        #expect(provider.value(at: "text") == .unparsed("a=b"))
        #expect(provider.value(at: "x") == .unparsed("2"))
        #expect(provider.value(at: "y") == nil)
        #expect(provider.value(at: "verbose") == nil)
        let loader = FlagsLoader(AppFlags.self, providers: [provider])
        #expect(loader.secrets.boomFeature)
        #expect(loader.allowsSSON)
        #expect(loader.limit == -5)
        // Any list of arguments.
        for arguments in [[], ["--flag"], ["-"], ["-x"], ["--"], ["", "-", "--flag="], ["--flag", "--flag="]] {
            #expect(ArgumentsProvider(arguments: arguments).document == FlagDocument(), "\(arguments)")
        }
    }

    @Test("lists flags that do not exist with the nearest one, and arguments that set none")
    func issues() {
        let provider = provider(
            "--flag", "boom_feature=1", "--flag", "quite_other=1", "--flag", "nonsense", "--flag==x", "-limits", "1",
            "-NSDocumentRevisionsDebugMode", "YES", "--flag", "limit=1")
        let loader = FlagsLoader(AppFlags.self, providers: [provider])
        let issues = provider.issues(comparedWith: loader.root.allFlags.map(\.keyPath))
        let none = "and there is no such flag."
        #expect(
            issues.map(\.message) == [
                "The argument \"--flag=nonsense\" sets no flag. Write it like --flag=key=value.",
                "The argument \"--flag==x\" sets no flag. Write it like --flag=key=value.",
                "The arguments set \"boom_feature\", \(none) Did you mean \"secrets/boom_feature\"?",
                "The arguments set \"limits\", \(none) Did you mean \"limit\"?",
                "The arguments set \"quite_other\", \(none) Remove the argument, or correct the key.",
            ]
        )
    }

    @Test("finds no fault with what is right, and gives up on names that are too long")
    func noIssues() {
        #expect(provider("-limit", "1", "file.txt").issues(comparedWith: ["limit"]) == [])
        let long = String(repeating: "x", count: 100_000)
        #expect(provider("--flag", "\(long)=1").issues(comparedWith: ["limit"]).count == 1)
    }

    @Test("keeps the rules for providers")
    func conformance() async {
        await FlagProviderConformance(holding: ["a/b": .unparsed("x"), "c": .unparsed("1")]) {
            provider("--flag", "a/b=x", "-c", "1")
        }.expectConformance()
    }
}
