import Foundation
import TacklineCore
import TacklineFormats
import TacklineTestSupport
import Testing

@Suite("A document read from JSON", .hangLimit)
struct FlagDocumentJSONTests {
    private let composed = "caf\u{E9}"
    private let decomposed = "cafe\u{301}"

    @Test("holds keys that differ only by normalisation as two flags, at any level, and answers by their bytes")
    func namesakes() throws {
        let json = """
            {"\(composed)": 1, "\(decomposed)": 2, "g": {"\(decomposed)": {"x": 3}, "\(composed)": {"x": 4, "y": 5}}}
            """
        let document = try FlagDocument(json: Data(json.utf8))
        #expect(document.value(for: FlagKeyPath(composed)) == 1)
        #expect(document.value(for: FlagKeyPath(decomposed)) == 2)
        #expect(document.value(for: FlagKeyPath("g/\(decomposed)/x")) == 3)
        #expect(document.value(for: FlagKeyPath("g/\(composed)/x")) == 4)
        #expect(document.value(for: FlagKeyPath("g/\(composed)/y")) == 5)
        #expect(document.value(for: FlagKeyPath("g/\(decomposed)/y")) == nil)
        // One alone does not answer for the other.
        #expect(FlagDocument([composed: 1]).value(for: FlagKeyPath(decomposed)) == nil)
    }

    @Test("refuses the same key twice among such keys, and such keys in an array")
    func refusedNamesakes() {
        for json in [
            #"{"\#(composed)": 1, "\#(decomposed)": 2, "\#(decomposed)": 3}"#,
            #"{"\#(composed)": 1, "\#(decomposed)": 2, "\#(composed)": 3}"#,
        ] {
            #expect { try FlagDocument(json: Data(json.utf8)) } throws: {
                ($0 as? FlagJSONError)?.code == .duplicateKey
            }
        }
        let list = #"[{"\#(composed)": 1, "\#(decomposed)": 2}]"#
        #expect { try FlagDocument(json: Data(#"{"list": \#(list)}"#.utf8)) } throws: {
            ($0 as? FlagJSONError)?.code == .equivalentKey
        }
    }

    @Test("tells changes of such keys apart, also when one is spelt like the other now")
    func changesOfNamesakes() throws {
        let both = try FlagDocument(json: Data(#"{"\#(composed)": 1, "\#(decomposed)": 2}"#.utf8))
        let one = FlagDocument([composed: 1])
        let other = FlagDocument([decomposed: 1])
        let (first, second) = (FlagKeyPath(composed), FlagKeyPath(decomposed))
        #expect(one != other)
        #expect(Set([first, second]).count == 2)
        #expect(both.changes(from: one) == [FlagProviderChange(key: second, old: nil, new: 2)])
        #expect(one.changes(from: both) == [FlagProviderChange(key: second, old: 2, new: nil)])
        #expect(Set(other.changes(from: one).map(\.key)) == [first, second])
        #expect(both.changes(from: both).isEmpty)
    }

    @Test("reads and compares a thousand such keys, and as many that lead past them")
    func manyNamesakes() throws {
        // 14 places with three spellings of one character, of which no two keys have all alike.
        let spellings = ["\u{C5}", "A\u{30A}", "\u{212B}"]
        let keys = (0..<1000).map { number in
            var rest = number
            return (0..<14).map { _ in
                defer { rest /= 3 }
                return spellings[rest % 3]
            }.joined()
        }
        let members = keys.map { #""\#($0)": {"x": 1}, "\#($0)/x/\#($0)": 2"# }.joined(separator: ",")
        let document = try FlagDocument(json: Data("{\(members)}".utf8))
        #expect(document.root.count == 2)
        #expect(document.namesakes.count == 1998)
        #expect(document.changes(from: FlagDocument()).count == 2000)
        #expect(document.changes(from: document).isEmpty)
        #expect(keys.allSatisfy { document.value(for: FlagKeyPath("\($0)/x")) == 1 })
        #expect(keys.allSatisfy { document.value(for: FlagKeyPath("\($0)/x/\($0)")) == 2 })
    }

    @Test("keeps such keys in a group when one of them is removed or set")
    func siblings() throws {
        let json = #"{"g": {"\#(composed)": 1, "\#(decomposed)": {"x": 2, "y": 3}}}"#
        var document = try FlagDocument(json: Data(json.utf8))
        let (first, inner) = (FlagKeyPath("g/\(composed)"), FlagKeyPath("g/\(decomposed)/x"))
        document.setValue(nil, for: first)
        #expect(document.value(for: first) == nil)
        #expect(document.value(for: inner) == 2)
        document.setValue(nil, for: inner)
        #expect(document.value(for: inner) == nil)
        #expect(document.value(for: FlagKeyPath("g/\(decomposed)/y")) == 3)
        document.setValue(5, for: "g")
        #expect(document == FlagDocument(["g": 5]))
    }
}
