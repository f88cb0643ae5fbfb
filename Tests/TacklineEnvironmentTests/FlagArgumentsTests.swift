import Dispatch
import Foundation
import TacklineComposition
import TacklineCore
import TacklineEnvironment
import TacklineMemory
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("Flag arguments", .hangLimit)
struct FlagArgumentsTests {
    private enum Theme: String, CaseIterable, FlagValue { case light, dark }

    private struct Size: Codable, Equatable, FlagValue {
        var name: String
        var width: Int?
    }

    private struct Flags: FlagCollectionProtocol {
        @Flag(default: false) var newCheckout: Bool
        @Flag(default: 3) var limit: UInt8
        @Flag(default: "") var title: String
        @Flag(default: .light) var theme: Theme
        @Flag(default: 0) var factor: Double
        @Flag(default: nil) var nickname: String?
        @Flag(default: .distantPast) var end: Date
        @Flag(default: Data()) var bytes: Data
        @Flag(default: Size(name: "")) var size: Size
        @Flag(default: [], description: FlagMetadata(tags: ["secret"])) var tokens: [String]
        @Flag(default: false, computed: { (flags: Flags) in flags.newCheckout }) var isNew: Bool
        @FlagCollection var secrets: SecretFlags
    }

    private struct SearchFlags: FlagCollectionProtocol {
        @Flag(default: 10) var pageSize: Int
    }

    /// Returns what is wrong with some arguments, as text.
    private func mistakes<each Collection: FlagCollectionProtocol>(
        _ arguments: [String], _ loaders: repeat FlagsLoader<each Collection>
    ) -> [String] {
        do throws(FlagError) {
            try FlagArguments.apply(to: repeat each loaders, arguments: arguments)
            return []
        } catch {
            return error.underlying.map(\.description)
        }
    }

    @Test("are wrong where a value is outside of the bounds of its flag")
    func bounds() {
        struct Bounded: FlagCollectionProtocol {
            @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
            @Flag(default: nil, bounds: .oneOf(["list", "grid"])) var layout: String?
        }
        let flags = FlagsLoader(Bounded.self, providers: [], issueReporter: .silent)
        #expect(mistakes(["--flag=attempts=10", "--flag=layout=grid"], flags) == [])
        #expect(flags.attempts == 10 && flags.layout == "grid")
        let mistakes = mistakes(["--flag=attempts=11", "--flag=layout=table"], flags)
        #expect(mistakes.count == 2 && mistakes.first?.contains("a value from 1 to 10") == true, "\(mistakes)")
        #expect(flags.attempts == 3 && flags.layout == nil)
    }

    @Test("give the app each value that the test set, of whatever type, above all its providers")
    func values() throws {
        let texts = ["", " ", "Two words", "a=b", "true", "-x", "--flag=limit=9", "\"quoted\"", "é\u{301}\n🙂", "null"]
        for text in texts {
            var launch = ["-AppleLanguages", "(de)", "--verbose"]
            launch += FlagArguments(Flags.self) {
                $0.set(\.newCheckout, to: true)
                $0.set(\.limit, to: 7)
                $0.set(\.limit, to: 9)
                $0.set(\.title, to: text)
                $0.set(\.theme, to: .dark)
                $0.set(\.factor, to: -0.5)
                $0.set(\.nickname, to: text)
                $0.set(\.end, to: Date(timeIntervalSince1970: 1_800_000_000.25))
                $0.set(\.bytes, to: Data(text.utf8))
                $0.set(\.size, to: Size(name: text, width: nil))
                $0.set(\.tokens, to: [text, "x"])
                $0.set(\.secrets.boomFeature, to: true)
            }
            launch += FlagArguments(SearchFlags.self) { $0.set(\.pageSize, to: 50) }
            launch += ["--", "--flag=limit=1"]
            let flags = FlagsLoader(
                Flags.self, providers: [MemoryProvider(values: ["limit": 1])], issueReporter: .failingTest())
            let search = FlagsLoader(SearchFlags.self, providers: [], issueReporter: .failingTest())
            try FlagArguments.apply(to: flags, search, arguments: launch)
            #expect(flags.newCheckout && flags.isNew && flags.secrets.boomFeature)
            #expect(flags.limit == 9 && flags.theme == .dark && flags.factor == -0.5 && search.pageSize == 50)
            #expect(flags.title == text && flags.nickname == text && flags.size == Size(name: text, width: nil))
            #expect(flags.end == Date(timeIntervalSince1970: 1_800_000_000.25) && flags.bytes == Data(text.utf8))
            #expect(flags.tokens == [text, "x"])
            #expect(flags.$limit.resolution().source == .provider("launch arguments"))
            // A second call replaces the values of the first one.
            try FlagArguments.apply(to: flags, search, arguments: ["--flag", "limit=8"])
            #expect(flags.limit == 8 && flags.title.isEmpty && flags.providers.count == 2 && search.pageSize == 10)
        }
    }

    @Test(
        "that a scheme gave the test are passed on to the app, in one word or two, and what sets no flag fails its launch"
    )
    func passedOn() throws {
        let given = [
            "-x", "1", "--flag=limit=5", "--flag", "title=a b", "--flag", "theme=dark=x", "--", "--flag=limit=6",
        ]
        let passedOn = Array(FlagArguments.passedOn(from: given))
        #expect(passedOn == ["--flag=limit=5", "--flag=title=a b", "--flag=theme=dark=x"])
        let flags = FlagsLoader(Flags.self, providers: [], issueReporter: .silent)
        try FlagArguments.apply(to: flags, arguments: Array(passedOn.prefix(2)))
        #expect(flags.limit == 5 && flags.title == "a b")
        for wrong in [["--flag="], ["--flag"], ["--flag", "limit"], ["--flag=limit"], ["--flag==5"]] {
            let passedOn = Array(FlagArguments.passedOn(from: wrong))
            #expect(passedOn.count == 1 && mistakes(passedOn, flags).count == 1, "\(wrong)")
            #expect(mistakes(wrong, flags) == mistakes(passedOn, flags), "\(wrong)")
        }
        #expect(
            mistakes(["--flag="], flags) == [
                #"The argument "--flag=" sets no flag. Write it like --flag=key=value. [malformed-argument]"#
            ])
        #expect(Array(FlagArguments.passedOn).isEmpty)
    }

    @Test(
        "fail the launch if a flag is misspelt, outdated, refused, given twice or not reached, and change nothing then")
    func mistakes() {
        let flags = FlagsLoader(Flags.self, providers: [MemoryProvider(values: ["limit": 1])], issueReporter: .silent)
        let search = FlagsLoader(SearchFlags.self, providers: [], issueReporter: .silent)
        let arguments = [
            "--flag=new_chekout=true", "--flag=gone=1", "--flag=limit=300", "--flag=is_new=true", "--flag=title=a",
            "--flag=title=a", "--flag=title=b", "--flag=title=c", "--flag=tokens=x", "--flag", "--flag=",
            "--flag=page_size=20",
        ]
        let found = mistakes(arguments, flags, search)
        let malformed = #"The argument "--flag=" sets no flag. Write it like --flag=key=value. [malformed-argument]"#
        let again = "is given again with another value. Pass one of them. [malformed-argument]"
        func ineffective(_ key: String, _ reason: String) -> String {
            "The launch argument for the flag \"\(key)\" has no effect: \(reason). Correct it. [ineffective-argument]"
        }
        #expect(
            found == [
                malformed, malformed, "The launch argument for the flag \"title\" \(again)",
                "The launch argument for the flag \"title\" \(again)",
                #"The arguments set "gone", and there is no such flag. Remove the argument, or correct the key. [unknown-flag]"#,
                ineffective("is_new", "the flag's value is computed"),
                ineffective("limit", "expected an integer from 0 to 255, found the untyped text \"300\""),
                """
                The arguments set "new_chekout", and there is no such flag. Did you mean "new_checkout"? [unknown-flag]
                """,
                ineffective("tokens", "expected an array in JSON, found the string \"a secret\""),
            ])
        #expect(flags.providers.count == 1 && search.providers.isEmpty && flags.title.isEmpty && search.pageSize == 10)
        // In a chain for production, nothing is overridden.
        let production = FlagsLoader(Flags.self, environment: .production, providers: [])
        #expect(
            mistakes(["--flag=limit=5"], production) == [
                ineffective("limit", "the environment of its loader takes no overrides")
            ])
        #expect(mistakes([], production).isEmpty && mistakes(["-limit", "5", "--flagged=1"], production).isEmpty)
        // Nothing traps, and several threads that apply arguments leave one provider.
        let odd = [
            ["--flag", "--"], ["--", "--flag=x=1"], ["--flag==1"], ["--flag=\u{301}=1"], ["--flag=\0=\0"],
            [String(repeating: "--flag=", count: 10_000)], Array(repeating: "--flag=limit=5", count: 10_000),
        ]
        for arguments in odd { _ = mistakes(arguments, flags) }
        #expect(flags.limit == 5)
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            #expect(mistakes(["--flag=title=t\(number % 2)"], flags).isEmpty)
        }
        #expect(flags.providers.count == 2 && ["t0", "t1"].contains(flags.title))
        // What a test can't say fails the launch too.
        let reported = IssueRecorder()
        let wrong = FlagIssueReporter.withReporter(reported.reporter) {
            Array(
                FlagArguments(Flags.self) {
                    $0.set(\.title.count, to: 3)
                    $0.set(\.factor, to: .infinity)
                    $0.set(\.nickname, to: nil)
                    $0.set(\.title, to: "a\0b")
                    $0.set(\.limit, to: 5)
                })
        }
        #expect(wrong.count == 5 && wrong.contains("--flag=limit=5") && reported.issues.isEmpty)
        #expect(mistakes(wrong, flags).count == 4)
    }

    @Test("end the program with status 64 and each name, if they are wrong")
    func exit() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(64), observing: [\.standardErrorContent]
        ) {
            struct Few: FlagCollectionProtocol { @Flag(default: 3) var limit: Int }
            let flags = FlagsLoader(Few.self, providers: [])
            FlagArguments.applyOrExit(to: flags, arguments: ["--flag=limit=4"])
            guard flags.limit == 4 else { return }
            FlagArguments.applyOrExit(to: flags, arguments: ["--flag=limt=5", "--flag=other=1"])
        }
        let said = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            said.contains(
                #"Tackline: The arguments set "limt", and there is no such flag. Did you mean "limit"?"#))
        #expect(said.contains(#"The arguments set "other""#))
    }
}
