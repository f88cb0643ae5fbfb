import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

@Suite("Untrusted input", .hangLimit)
struct UntrustedInputTests {
    /// A document that contains every kind of value.
    private static let document = #"""
        {"flags": {"a/b": true, "c": [1, -2.5e-3, null, "x\n\u00e9\ud83d\ude00 é😀", {}], "d": {"e": []}},
         "n": 170141183460469231731687303715884105727, "long": "0123456789012345678901234567890123456789"}
        """#

    private func message(_ text: String, depth: Int = EncodedFlagValue.maximumDepth) -> String? {
        do { _ = try FlagJSONReader(maximumDepth: depth).read(text) } catch { return error.message }
        return nil
    }

    @Test("nested a million levels deep is refused, even without a limit")
    func deepNesting() {
        for opening in ["[", "{\"a\":", "[{\"a\":"] {
            let text = String(repeating: opening, count: 1_000_000)
            for (depth, limit) in [(64, 64), (.max, 160), (-1, -1)] {
                #expect(message(text, depth: depth) == EncodedFlagValue.tooDeep(limit: limit))
            }
        }
    }

    @Test("is read, decoded and written up to 64 levels deep, in arrays, objects, Codable types and untyped text")
    func maximumDepth() throws {
        struct Tree: Codable, FlagValue {
            var child: [Tree]?
        }
        for (levels, isAccepted) in [(63, true), (64, true), (65, false)] {
            // An empty container in alternating arrays and objects.
            var value: EncodedFlagValue = levels.isMultiple(of: 2) ? [] : [:]
            for level in 1..<levels { value = (levels - level).isMultiple(of: 2) ? [value] : ["child": value] }
            let tree = try? Tree(encoded: value)
            #expect((tree != nil) == isAccepted)
            if let tree { #expect(try tree.encoded == value) }
            if isAccepted { #expect(try FlagJSONReader().read(FlagJSONWriter().text(of: value)) == value) }
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            #expect(((try? EncodedFlagValue(encoded: .unparsed(text))) != nil) == isAccepted)
            if isAccepted { continue }
            let error = #expect(throws: FlagValueError.self) { try FlagJSONWriter().text(of: value) }
            #expect(error?.detail == "arrays and objects are nested more than 64 levels deep; flatten the value")
        }
    }

    @Test("nested 160 levels deep is read, compared and written on a stack of 512 KiB")
    func smallStack() async {
        let isHandled = await onThread(stackSize: 512 << 10) { () -> Bool in
            var (reader, writer) = (FlagJSONReader(maximumDepth: 160), FlagJSONWriter())
            writer.maximumDepth = 160
            for (opening, closing) in [("[", "]"), ("{\"a\":", "}")] {
                let inner = opening == "[" ? "" : "1"
                let text =
                    String(repeating: opening, count: 160) + inner + String(repeating: closing, count: 160)
                guard let value = try? reader.read(text), let other = try? reader.read(text) else { return false }
                guard value == other, Set([value, other]).count == 1, !value.description.isEmpty else { return false }
                guard (try? writer.bytes(of: value)) != nil else { return false }
            }
            return true
        }
        #expect(isHandled)
    }

    @Test("with hundreds of thousands of digits, escapes or blanks is read or refused")
    func longTokens() {
        func many(_ text: String) -> String { String(repeating: text, count: 200_000) }
        let cases = [
            (many("7"), false), ("0." + many("7"), true), ("1e" + many("7"), false), ("1e-" + many("7"), true),
            ("\"\(many("\\\""))\"", true), ("\"\(many("\\ud83d"))\"", false), (many(" "), false),
            ("[\(many("\n"))x]", false),
        ]
        for (text, isRead) in cases { #expect((message(text) == nil) == isRead, "\(text.prefix(20))") }
    }

    @Test("with many combining marks, digits or other characters is taken or refused by every type of flag")
    func longTexts() {
        enum Theme: String, CaseIterable, FlagValue { case light, dark, everything }
        let types: [any FlagValue.Type] = [
            Bool.self, Int.self, UInt128.self, Double.self, Decimal.self, Duration.self, String.self, Date.self,
            Data.self, URL.self, UUID.self, [Int].self, [String: Int].self, Theme.self, EncodedFlagValue.self,
        ]
        let parts = ["e\u{301}", "\u{301}\u{323}", "7", "0.", "=", "QUJD", "https://", "-", "[", "%41"]
        for part in parts {
            let text = String(repeating: part, count: 20_000)
            for type in types {
                _ = try? type.init(encoded: .string("e" + text))
                _ = try? type.init(encoded: .unparsed("e" + text))
                _ = try? type.init(encoded: .string("https://a/" + text))
            }
        }
        let marks = EncodedFlagValue.string("light" + String(repeating: "\u{301}\u{323}", count: 20_000))
        #expect(throws: FlagValueError.self) { try Theme(encoded: marks) }
        #expect(throws: FlagValueError.self) { try String(encoded: marks) }
        let accents = String(repeating: "e\u{301}\u{323}", count: 1000)
        #expect((try? String(encoded: .string(accents))) == accents)
    }

    @Test("truncated anywhere is refused and never read past its end")
    func truncation() throws {
        let bytes = Array(Self.document.utf8)
        #expect(throws: Never.self) { try FlagJSONReader().read(bytes) }
        for length in 0..<bytes.count {
            // The array has exactly this length, so a sanitizer detects a read past its end.
            #expect(throws: FlagJSONError.self) { try FlagJSONReader().read(Array(bytes[..<length])) }
        }
    }

    @Test("mutated at random is refused, or read and written back as the same value")
    func mutation() throws {
        var random = SeededGenerator(seed: 1)
        var accepted = 0
        for number in 0..<4000 {
            var bytes = Array(Self.document.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: index)
                default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            guard let value = try? FlagJSONReader().read(bytes) else { continue }
            accepted += 1
            let result = try FlagJSONReader().read(FlagJSONWriter(layout: .compact).bytes(of: value))
            if result != value { Issue.record("\(value) was read back as \(result), number \(number)") }
        }
        #expect(accepted > 0)
    }
}
