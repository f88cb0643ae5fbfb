import Foundation
import Tackline
import TacklineTestSupport
import Testing

private struct Bounded: FlagCollectionProtocol {
    @Flag(default: 3, bounds: .range(1...10), description: "The number of attempts")
    var attempts: Int
    @Flag(default: 0.5, bounds: .range(0...1))
    var share: Double
    @Flag(default: .seconds(5), bounds: .range(.milliseconds(100) ... .seconds(60)))
    var timeout: Duration
    @Flag(default: nil, bounds: .range(1...65_535))
    var port: Int?
    @Flag(default: "list", bounds: .oneOf(["list", "grid"]))
    var layout: String
    @Flag(default: [1], bounds: .oneOf([[1], [1, 2]]))
    var steps: [Int]
    @Flag(default: "de", bounds: .matching("[a-z]{2}(-[A-Z]{2})?"))
    var language: String
    @Flag(default: "v1", bounds: .matching("v\\d+"))
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
            let handle = try #require(flags.flag(at: FlagKeyPath(key)))
            #expect(handle.explain().source == .provider("MemoryProvider"), "\(key) \(value)")
            first.setValue(nil, for: FlagKeyPath(key))
        }
        for (key, value) in outside {
            let handle = try #require(flags.flag(at: FlagKeyPath(key)))
            let usual = handle.defaultValue
            second.setValue(usual, for: FlagKeyPath(key))
            first.setValue(value, for: FlagKeyPath(key))
            #expect(handle.explain().source == .provider("MemoryProvider 2"), "\(key) \(value)")
            #expect(handle.value == usual)
            #expect(throws: FlagError.self) { try handle.setValue(value) }
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
        let error = #expect(throws: FlagError.self) { try flags.$layout.setValue("table") }
        #expect(
            error?.description == """
                Flag "layout" was not written. The value cannot be kept: expected one of "list", "grid", found the string \
                "table". [refused-value]
                """)
        let pattern = #expect(throws: FlagError.self) { try flags.$language.setValue("DE") }
        #expect(
            pattern?.description.contains("a text that matches [a-z]{2}(-[A-Z]{2})?, found the string \"DE\"") == true)
        #expect(memory.document == FlagDocument(["attempts": 99]))
        try flags.$attempts.setValue(10)
        #expect(flags.attempts == 10)
    }

    @Test("make a default outside of them, and a pattern that can't be used, mistakes that validate() throws")
    func mistakes() throws {
        struct Wrong: FlagCollectionProtocol {
            @Flag(default: 0, bounds: .range(1...10)) var attempts: Int
            @Flag(default: "table", bounds: .oneOf(["list"])) var layout: String
            @Flag(default: "DE", bounds: .matching("[a-z]{2}")) var language: String
            @Flag(default: "", bounds: .matching("(a")) var open: String
            @Flag(default: "aa", bounds: .matching("(a)\\2")) var back: String
            @Flag(default: nil, bounds: .matching("[")) var maybe: String?
            @Flag(default: "x", bounds: .oneOf(["y"]), description: .init(tags: ["secret"])) var password: String
        }
        let issues = IssueRecorder()
        let flags = FlagsLoader(Wrong.self, providers: [], issueReporter: issues.reporter)
        #expect(issues.codes == Array(repeating: .invalidBounds, count: 7))
        let text = issues.issues.map(\.message).joined(separator: "\n")
        for part in [
            "its default is the integer 0, and its bounds need a value from 1 to 10. Correct the default or the bounds.",
            "its default is the string \"table\", and its bounds need one of \"list\"",
            "its pattern \"(a\" can't be used: expected ')'", "its pattern \"(a)\\\\2\" can't be used: ",
            "its pattern \"[\" can't be used: ",
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
}

@Suite("The bounds of an optional flag", .hangLimit)
struct OptionalFlagBoundsTests {
    struct Optionals: FlagCollectionProtocol {
        static let layouts = ["list", "grid"]
        static let optionalLayouts: [String?] = ["list", "grid"]

        @Flag(default: nil, bounds: .range(1...10)) var attempts: Int?
        @Flag(default: nil, bounds: .oneOf(["list", "grid"])) var layout: String?
        @Flag(default: nil, bounds: .oneOf(layouts)) var kept: String?
        @Flag(default: nil, bounds: .oneOf(optionalLayouts)) var optional: String?
        @Flag(default: "de", bounds: .matching("[a-z]{2}")) var language: String?
    }

    @Test("are written as for the wrapped type, and nil is within them")
    func wrapped() throws {
        let memory = MemoryProvider()
        let issues = IssueRecorder()
        let flags = FlagsLoader(Optionals.self, providers: [memory], issueReporter: issues.reporter)
        try flags.validate()
        let values: [(String, good: EncodedFlagValue, bad: EncodedFlagValue)] = [
            ("attempts", 10, 11), ("layout", "grid", "table"), ("kept", "grid", "table"),
            ("optional", "grid", "table"), ("language", "fr", "french"),
        ]
        for (key, good, bad) in values {
            let handle = try #require(flags.flag(at: FlagKeyPath(key)))
            for value in [good, .null] {
                try handle.setValue(value)
                #expect(handle.value == value && handle.explain().source == .provider("MemoryProvider"), "\(key)")
            }
            #expect(throws: FlagError.self, "\(key)") { try handle.setValue(bad) }
        }
        try flags.$layout.setValue(nil)
        flags.$language.setDefault(nil)
        #expect(issues.codes == [])
    }
}

@Suite("The bounds of a flag of the app's own type", .hangLimit)
struct OwnTypeBoundsTests {
    /// The order of the cases is not that of their texts.
    enum Level: String, FlagValue, CaseIterable, Comparable {
        case low, middle, high, top
        static func < (left: Level, right: Level) -> Bool { place(left) < place(right) }
        private static func place(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
    }

    struct Own: FlagCollectionProtocol {
        @Flag(default: .low, bounds: .range(.low ... .high)) var level: Level
        @Flag(default: 0.0, bounds: .oneOf([0.0, 1.0])) var weight: Double
        @Flag(default: 3, bounds: .range(1...5), computed: { (_: Own) in nil }) var computed: Int
        @Flag(default: 3, bounds: .range(1...5), computedValue: { nil }) var closure: Int
    }

    @Test("are compared as the type compares its values")
    func comparing() throws {
        let memory = MemoryProvider()
        let flags = FlagsLoader(Own.self, providers: [memory], issueReporter: .silent)
        try flags.validate()
        for level in ["low", "middle", "high"] {
            memory.setValue(.string(level), for: "level")
            #expect(flags.level.rawValue == level)
        }
        memory.setValue("top", for: "level")
        #expect(flags.level == .low)
        #expect(flags.flag(at: "level")?.bounds?.edges == ["low", "high"])
        try flags.$weight.setValue(-0.0)
        #expect(flags.weight.sign == .minus)
    }

    @Test("hold for the provider's values of a computed flag")
    func computed() {
        let memory = MemoryProvider(values: ["computed": 9, "closure": 9])
        let flags = FlagsLoader(Own.self, providers: [memory], issueReporter: .silent)
        #expect(flags.computed == 3 && flags.closure == 3)
        memory.setValue(4, for: "computed")
        memory.setValue(5, for: "closure")
        #expect(flags.computed == 4 && flags.closure == 5)
    }
}

@Suite("A pattern", .hangLimit)
struct PatternTests {
    @Test("has the meaning of Swift's regular expressions, and matches texts as a whole")
    func meaning() {
        let matching = [
            ("\\w+", "größe"), ("\\w+", "日本"), (".{1,10}", "👨‍👩‍👧‍👦👩‍👩‍👦👨‍👩‍👧"), ("\\p{L}+", "größe"), ("(a)\\1", "aa"),
            ("(?=a)[ab]{2}", "ab"), ("a|ab", "ab"), ("^ab$", "ab"), ("", ""), ("(?i)de", "DE"),
        ]
        for (pattern, text) in matching { #expect(matches(pattern, text), "\(pattern) \(text)") }
        let others = [
            ("\\W", "ä"), (".{1,2}", "👨‍👩‍👧‍👦👩‍👩‍👦👨‍👩‍👧"), ("[a-z]{2}", "deu"), ("[a-z]{2}", "de\n"), ("a", "ba"), ("(?=a)", "a"),
            ("", "a"),
        ]
        for (pattern, text) in others { #expect(!matches(pattern, text), "\(pattern) \(text)") }
    }

    @Test("matches no text of more than 1,024 characters")
    func length() {
        let long = String(repeating: "a", count: 1024)
        #expect(matches("a*", long) && !matches("a*", long + "a"))
        #expect(matches(".*", String(repeating: "é", count: 1024)))
        // With them, a few characters would take minutes.
        #expect(!matches("[a-z]{2}", "e" + String(repeating: "\u{301}\u{323}", count: 1_000_000)))
    }

    private func matches(_ pattern: String, _ text: String) -> Bool {
        EncodedFlagBounds.pattern(pattern, matches: text)
    }
}
