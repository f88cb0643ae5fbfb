import Foundation
import Tackline
import TacklineTestSupport
import Testing

/// The order of the cases is not that of their texts.
private enum Level: String, FlagValue, CaseIterable, Comparable {
    case low, middle, high, top
    static func < (left: Level, right: Level) -> Bool { place(left) < place(right) }
    private static func place(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
}

private struct Bounded: FlagCollectionProtocol {
    static let optionalLayouts: [String?] = ["list", "grid"]

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
    @Flag(default: nil, bounds: .oneOf(optionalLayouts))
    var optionalLayout: String?
    @Flag(default: [1], bounds: .oneOf([[1], [1, 2]]))
    var steps: [Int]
    @Flag(default: "de", bounds: .matching("[a-z]{2}(-[A-Z]{2})?"))
    var language: String
    @Flag(default: "de", bounds: .matching("[a-z]{2}"))
    var optionalLanguage: String?
    @Flag(default: .low, bounds: .range(.low ... .high))
    var level: Level
    @Flag(default: 0.0, bounds: .oneOf([0.0, 1.0]))
    var weight: Double
    @Flag(default: 3, bounds: .range(1...5), computed: { (_: Bounded) in nil })
    var computed: Int
    @Flag(default: 3, bounds: .range(1...5), computedValue: { nil })
    var closure: Int
}

@Suite("The bounds of a flag", .hangLimit)
struct FlagBoundsTests {
    private static let values: [(key: FlagKeyPath, within: [EncodedFlagValue], outside: [EncodedFlagValue])] = [
        ("attempts", [1, 10], [0, 11, .unparsed("11")]),
        ("share", [0, 1], [-0.1, .double(.nan), .double(.infinity)]),
        ("timeout", [0.1, 60], [0.099, 60.1, -5]),
        ("port", [.null, 65_535], [0, 65_536]),
        ("layout", ["grid"], ["List", ""]),
        ("optional_layout", ["grid", .null], ["table"]),
        ("steps", [[1, 2]], [[2]]),
        ("language", ["de-AT"], ["deutsch", "de\n", "xde"]),
        ("optional_language", ["fr", .null], ["french"]),
        ("level", ["low", "middle", "high"], ["top"]),
        ("weight", [-0.0, 1], [0.5]),
        ("computed", [1, 5], [9]),
        ("closure", [1, 5], [9]),
    ]

    @Test("admit the values at their edges, nil, and refuse those outside for the next provider and in writes")
    func edges() throws {
        let first = MemoryProvider(), second = MemoryProvider()
        let flags = FlagsLoader(Bounded.self, providers: [first, second], issueReporter: .silent)
        try flags.validate()
        for (key, within, outside) in Self.values {
            let handle = try #require(flags.flag(at: key))
            for value in within {
                try handle.setValue(value)
                #expect(handle.explain().source == .provider("MemoryProvider"), "\(key) \(value)")
            }
            let usual = handle.defaultValue
            second.setValue(usual, for: key)
            for value in outside {
                first.setValue(value, for: key)
                #expect(handle.explain().source == .provider("MemoryProvider 2"), "\(key) \(value)")
                #expect(handle.value == usual)
                #expect(throws: FlagError.self) { try handle.setValue(value) }
                #expect(first.value(for: key) == value, "a refused write changed something")
            }
        }
        #expect(flags.flag(at: "level")?.declaration.bounds?.edges == ["low", "high"])
    }

    @Test("are in the messages of refused values and writes")
    func messages() throws {
        let issues = IssueRecorder()
        let memory = MemoryProvider(values: ["attempts": 99])
        let flags = FlagsLoader(Bounded.self, providers: [memory], issueReporter: issues.reporter)
        #expect(flags.attempts == 3 && issues.codes == [.refusedValue])
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
            "its pattern \"[\" can't be used: ", "flag \"password\"", "its default is a secret",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(throws: (any Error).self) { try flags.validate() }
        #expect(flags.attempts == 0 && flags.layout == "table")
    }

    @Test("hold for a default that is changed at run time")
    func changedDefault() {
        let issues = IssueRecorder()
        let flags = FlagsLoader(Bounded.self, providers: [], issueReporter: issues.reporter)
        flags.$optionalLanguage.setDefault(nil)
        flags.$attempts.setDefault(10)
        #expect(flags.attempts == 10 && issues.codes.isEmpty)
        flags.$attempts.setDefault(11)
        #expect(flags.attempts == 10 && issues.codes == [.invalidBounds])
        flags.$attempts.resetDefault()
        #expect(flags.attempts == 3)
    }

    @Test("of a pattern have the meaning of Swift's regular expressions, for the whole of up to 1,024 characters")
    func patterns() {
        let families = "👨‍👩‍👧‍👦👩‍👩‍👦👨‍👩‍👧"
        let long = String(repeating: "a", count: 1024)
        let cases: [(pattern: String, matching: [String], others: [String])] = [
            ("\\w+", ["größe", "日本"], []), (".{1,10}", [families], []), ("\\p{L}+", ["größe"], []),
            ("(a)\\1", ["aa"], []), ("(?=a)[ab]{2}", ["ab"], []), ("a|ab", ["ab"], []), ("^ab$", ["ab"], []),
            ("", [""], ["a"]), ("(?i)de", ["DE"], []), ("\\W", [], ["ä"]), (".{1,2}", [], [families]),
            ("[a-z]{2}", ["de"], ["deu", "de\n", "e" + String(repeating: "\u{301}\u{323}", count: 1_000_000)]),
            ("a", ["a"], ["ba"]), ("(?=a)", [], ["a"]), ("a*", [long], [long + "a"]),
            (".*", [String(repeating: "é", count: 1024)], []),
        ]
        for (pattern, matching, others) in cases {
            for text in matching { #expect(EncodedFlagBounds.pattern(pattern, matches: text), "\(pattern)") }
            for text in others { #expect(!EncodedFlagBounds.pattern(pattern, matches: text), "\(pattern)") }
        }
    }
}
