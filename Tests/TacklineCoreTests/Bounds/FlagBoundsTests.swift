import Foundation
import Tackline
import TacklineTestSupport
import Testing

private struct Bounded: FlagCollectionProtocol {
    @Flag(default: 3, in: 1...10, description: "The number of attempts")
    var attempts: Int
    @Flag(default: 0.5, in: 0...1)
    var share: Double
    @Flag(default: .seconds(5), in: .milliseconds(100) ... .seconds(60))
    var timeout: Duration
    @Flag(default: nil, in: 1...65_535)
    var port: Int?
    @Flag(default: "list", among: ["list", "grid"])
    var layout: String
    @Flag(default: [1], among: [[1], [1, 2]])
    var steps: [Int]
    @Flag(default: "de", matching: /[a-z]{2}(-[A-Z]{2})?/)
    var language: String
    @Flag(default: "v1", matching: "v\\d+")
    var version: String
}

@Suite("The bounds of a flag", .hangLimit)
struct FlagBoundsTests {
    @Test("admit the values at their edges, and refuse those outside for the next provider")
    func edges() throws {
        let first = MemoryProvider(), second = MemoryProvider()
        let flags = FlagsLoader(Bounded.self, providers: [first, second], issueReporter: .silent)
        let within: [(String, EncodedFlagValue)] = [
            ("attempts", 1), ("attempts", 10), ("share", 0), ("share", 1), ("timeout", 0.1), ("timeout", 60),
            ("port", .null),
            ("port", 65_535), ("layout", "grid"), ("steps", [1, 2]), ("language", "de-AT"), ("version", "v12"),
        ]
        let outside: [(String, EncodedFlagValue)] = [
            ("attempts", 0), ("attempts", 11), ("share", -0.1), ("share", .double(.nan)), ("share", .double(.infinity)),
            ("timeout", 0.099), ("timeout", 60.1), ("timeout", -5), ("port", 0), ("port", 65_536), ("layout", "List"),
            ("layout", ""), ("steps", [2]), ("language", "deutsch"), ("language", "de\n"), ("version", "v"),
            ("version", "xv1"),
            ("attempts", .unparsed("11")),
        ]
        for (key, value) in within {
            first.setValue(value, for: FlagKeyPath(key))
            let handle = try #require(flags.flag(at: key))
            #expect(handle.explain().source == .provider("MemoryProvider"), "\(key) \(value)")
            first.setValue(nil, for: FlagKeyPath(key))
        }
        for (key, value) in outside {
            let handle = try #require(flags.flag(at: key))
            let usual = handle.defaultValue
            second.setValue(usual, for: FlagKeyPath(key))
            first.setValue(value, for: FlagKeyPath(key))
            #expect(handle.explain().source == .provider("MemoryProvider 2"), "\(key) \(value)")
            #expect(handle.value == usual)
            #expect(throws: FlagWriteError.self) { try handle.setValue(value) }
            #expect(first.value(for: FlagKeyPath(key)) == value, "a refused write changed something")
            first.setValue(nil, for: FlagKeyPath(key))
            second.setValue(nil, for: FlagKeyPath(key))
        }
    }

    @Test("are in the messages of refused values and writes")
    func messages() throws {
        let issues = IssueRecorder()
        let memory = MemoryProvider(values: ["attempts": 99])
        let flags = FlagsLoader(Bounded.self, providers: [memory], issueReporter: issues.reporter)
        #expect(flags.attempts == 3)
        #expect(issues.codes == [.refusedValue])
        #expect(issues.issues.first?.message.contains("a value from 1 to 10") == true)
        func message(_ write: () throws(FlagWriteError) -> Void) -> String? {
            do throws(FlagWriteError) {
                try write()
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(
            message { () throws(FlagWriteError) in try flags.$attempts.setValue(0) } == """
                Flag "attempts" was not written. The value cannot be kept: expected a value from 1 to 10, found the integer 0.
                """)
        #expect(
            message { () throws(FlagWriteError) in try flags.$layout.setValue("table") } == """
                Flag "layout" was not written. The value cannot be kept: expected one of "list", "grid", found the string \
                "table".
                """)
        #expect(
            message { () throws(FlagWriteError) in try flags.$language.setValue("DE") } == """
                Flag "language" was not written. The value cannot be kept: expected a text that matches \
                [a-z]{2}(\\-[A-Z]{2})?, found the string "DE".
                """)
        #expect(memory.document == FlagDocument(["attempts": 99]))
        try flags.$attempts.setValue(10)
        #expect(flags.attempts == 10)
    }

    @Test("make a default outside of them, and a pattern that can't be used, mistakes that validate() throws")
    func mistakes() throws {
        struct Wrong: FlagCollectionProtocol {
            @Flag(default: 0, in: 1...10) var attempts: Int
            @Flag(default: "table", among: ["list"]) var layout: String
            @Flag(default: "DE", matching: "[a-z]{2}") var language: String
            @Flag(default: "", matching: "(a") var open: String
            @Flag(default: "aa", matching: /(a)\1/) var back: String
            @Flag(default: "x", among: ["y"], description: .init(tags: ["secret"])) var password: String
        }
        let issues = IssueRecorder()
        let flags = FlagsLoader(Wrong.self, providers: [], issueReporter: issues.reporter)
        #expect(issues.codes == Array(repeating: .invalidBounds, count: 6))
        let text = issues.issues.map(\.message).joined(separator: "\n")
        for part in [
            "its default is the integer 0, and its bounds need a value from 1 to 10. Correct the default or the bounds.",
            "its default is the string \"table\", and its bounds need one of \"list\"",
            "its pattern \"(a\" can't be used: a \")\" is missing at character 3",
            "its pattern \"(a)\\\\1\" can't be used: \"\\1\" isn't possible at character 5",
            "flag \"password\"", "its default is a secret",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(throws: (any Error).self) { try flags.validate() }
        #expect(flags.attempts == 0 && flags.layout == "table")
        try FlagsLoader(Bounded.self, providers: []).validate()
    }

    @Test("hold for a default that is changed at run time")
    func changedDefault() {
        let issues = IssueRecorder()
        let flags = FlagsLoader(Bounded.self, providers: [], issueReporter: issues.reporter)
        flags.$attempts.setDefault(10)
        #expect(flags.attempts == 10 && issues.codes.isEmpty)
        flags.$attempts.setDefault(11)
        #expect(flags.attempts == 10 && issues.codes == [.invalidBounds])
        flags.$attempts.resetDefault()
        #expect(flags.attempts == 3)
    }

    @Test("belong to each declaration, also where they differ from one loader to the next")
    func varying() {
        struct Varying: FlagCollectionProtocol {
            @TaskLocal static var limit = 10
            @Flag(default: 3, in: 1...limit) var attempts: Int
        }
        let memory = MemoryProvider(values: ["attempts": 7])
        let wide = FlagsLoader(Varying.self, providers: [memory], issueReporter: .silent)
        Varying.$limit.withValue(5) {
            let narrow = FlagsLoader(Varying.self, providers: [memory], issueReporter: .silent)
            #expect(narrow.attempts == 3 && wide.attempts == 7)
            #expect(narrow.flag(at: "attempts")?.bounds == FlagBounds(.range(minimum: 1, maximum: 5)))
        }
        let again = FlagsLoader(Varying.self, providers: [memory], issueReporter: .silent)
        #expect(again.attempts == 7 && wide.attempts == 7)
    }
}

@Suite("A pattern", .hangLimit)
struct FlagPatternTests {
    @Test("matches texts as a whole, as the regular expressions of the standard library do")
    func matches() throws {
        let patterns = [
            "a", "abc", "a|b", "a*", "(ab)+c?", "[a-c]+", "[^a-c]", "a{2}", "a{2,}", "a{1,3}b", "(a|b)*c", ".", "a.c",
            "\\d+",
            "\\w+\\s\\w*", "[\\d-]+", "[a-]", "(?:ab|cd)e", "(?<n>a)b", "^ab$", "^a$|^b$|c$", "\\.", "a+?b", "[.]", "",
            "(|a)b",
            "x?y?z?",
        ]
        let texts = [
            "", "a", "b", "ab", "abc", "aab", "aaab", "c", "aac", "abab", "ababc", "cde", "abe", "12", "1-2", "ab cd",
            ".", "-",
            "xz", "zyx", "a\nc", "é", "aé",
        ]
        for text in patterns {
            let pattern = try FlagPattern(text)
            let expression = try Regex(text)
            for candidate in texts {
                let expected = try expression.wholeMatch(in: candidate) != nil
                #expect(pattern.matches(candidate) == expected, "\(text) and \(candidate)")
            }
        }
    }

    @Test("takes linear time for texts with which others need hours")
    func linear() throws {
        let long = String(repeating: "a", count: FlagPattern.maximumTextLength)
        for text in ["(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*b", "((a{0,9}){0,9})*b", "a{0,99}a{0,99}b"] {
            #expect(try !FlagPattern(text).matches(long))
        }
        // Of hapijs/joi#3119, HarperFast/harper#1779, tdegrunt/jsonschema#417 and slevithan/xregexp#245.
        for (text, found) in [
            ("((a+)+)+$", "a!"), ("^[\\\\/]$|([\\\\/a-zA-Z_0-9:-]+)+$", "/Users/kyle."), ("(\\w+\\.?)+@\\w+", "."),
            ("^([\\w_%+-]+\\.?)+@([\\w-]+\\.)+[a-zA-Z]{2,24}$", "VeryLongNameThatIsNoAddress"),
        ] {
            #expect(try !FlagPattern(text).matches(String(repeating: found, count: 100)))
        }
        #expect(try FlagPattern("a*").matches(long))
        #expect(try !FlagPattern("a*").matches(long + "a"))
    }

    @Test("is refused with the place and the reason if it can't be used")
    func mistakes() {
        let reasons: [(String, String)] = [
            ("(a", "a \")\" is missing at character 3"),
            ("a)", "there is a parenthesis without its partner at character 2"),
            ("[a", "a \"]\" is missing at character 3"), ("[]", "the class is empty at character 3"),
            ("*a", "\"*\" has nothing to repeat; write \"\\*\" for the character at character 1"),
            ("a**", "a quantifier follows another one at character 3"),
            ("a{3,1}", "the first number is the greater one at character 6"),
            ("(?=a)", "only groups that begin with \"(\", \"(?:\" or \"(?<name>\" are possible at character 3"),
            ("(?<=a)b", "a look behind isn't possible at character 4"),
            ("a$b", "\"$\" is possible only at the ends of the pattern at character 2"),
            ("\\p{L}", "\"\\p\" isn't possible at character 2"),
            ("[z-a]", "the range of the class has no order at character 5"),
            ("(){2000}(){2000}", "it has more than 2000 parts, counting those that are repeated"),
            ("((((a{99}){99}){99}){99})", "it has more than 2000 parts, counting those that are repeated"),
            ("\\u{D800}", "the number of a character is wrong at character 9"),
            ("a{", "a number is missing at character 3"),
            (String(repeating: "(", count: 60), "more than 50 groups are inside each other at character 52"),
            (String(repeating: "a", count: 2001), "it has more than 2000 characters"),
        ]
        for (text, reason) in reasons {
            do throws(FlagPatternError) {
                _ = try FlagPattern(text)
                Issue.record("\(text) was taken")
            } catch {
                #expect("\(error)" == reason, "\(text)")
            }
        }
    }

    @Test("never traps, whatever its text")
    func hostile() {
        var generator = SeededGenerator(seed: 7)
        let parts = Array("ab()[]{}|*+?.^$\\-,0129duxUpé<>!:=")
        for _ in 0..<5_000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in parts.randomElement(using: &generator)
                })
            if let pattern = try? FlagPattern(text) { _ = pattern.matches("ab12é") }
        }
    }
}

@Suite("A duration", .hangLimit)
struct FlagDurationTests {
    @Test("is a number of seconds, exactly or not at all")
    func values() throws {
        let equal: [(EncodedFlagValue, Duration)] = [
            (5, .seconds(5)), (-5, .seconds(-5)), (.double(0.25), .milliseconds(250)),
            (.double(-0.001), .milliseconds(-1)),
            (.unparsed("2.5"), .milliseconds(2500)),
            (.double(1e-18), Duration(secondsComponent: 0, attosecondsComponent: 1)),
            (0, .zero), (.double(-0.0), .zero), (.integer(Int128(Int64.max)), .seconds(Int64.max)),
            (.integer(Int128(Int64.min)), .seconds(Int64.min)), (.double(1e3), .seconds(1000)),
        ]
        for (encoded, duration) in equal { #expect(try Duration(encoded: encoded) == duration, "\(encoded)") }
        let refused: [EncodedFlagValue] = [
            "5 s", true, .double(.nan), .double(.infinity), .double(1e-19), .double(1e300),
            .integer(Int128(Int64.max) + 1),
            .unparsed("5s"), .unparsed(""), .unparsed("nan"), .unparsed("0x10"), [], .integer(.max), .integer(.min),
        ]
        for encoded in refused { #expect(throws: FlagValueError.self, "\(encoded)") { try Duration(encoded: encoded) } }
    }

    @Test("comes back exactly through JSON and property lists")
    func exact() throws {
        var generator = SeededGenerator(seed: 3)
        var durations: [Duration] = [
            .seconds(Int64.max), .seconds(Int64.min),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
            Duration(secondsComponent: 0, attosecondsComponent: -1), .nanoseconds(1), .milliseconds(100),
        ]
        for _ in 0..<500 {
            durations.append(
                Duration(
                    secondsComponent: .random(in: .min ... .max, using: &generator)
                        >> Int.random(in: 0...63, using: &generator),
                    attosecondsComponent: .random(in: 0...999_999_999_999_999_999, using: &generator)))
        }
        for duration in durations {
            let encoded = duration.encoded
            let throughJSON = try FlagJSONReader().read(FlagJSONWriter().bytes(of: encoded))
            #expect(try Duration(encoded: throughJSON) == duration)
            let list = try FlagPropertyListWriter(format: .xml).bytes(of: ["timeout": encoded])
            guard case .object(let members) = try FlagPropertyListReader().read(list), let read = members["timeout"]
            else {
                Issue.record("\(duration) is gone")
                continue
            }
            #expect(try Duration(encoded: read) == duration)
        }
    }
}
