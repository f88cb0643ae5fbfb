import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

@Suite("A document read from JSON", .hangLimit)
struct FlagDocumentJSONTests {
    private let composed = "caf\u{E9}"
    private let decomposed = "cafe\u{301}"

    @Test("keeps keys that differ only in their normalization as separate flags at every level")
    func equivalentKeys() throws {
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
        // A lookup compares bytes even if the document has only one of the keys.
        #expect(FlagDocument([composed: 1]).value(for: FlagKeyPath(decomposed)) == nil)
    }

    @Test("refuses a repeated key among equivalent keys, and equivalent keys in an array")
    func refusedKeys() {
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

    @Test("reports the changes of equivalent keys separately")
    func changesOfEquivalentKeys() throws {
        let both = try FlagDocument(json: Data(#"{"\#(composed)": 1, "\#(decomposed)": 2}"#.utf8))
        let onlyComposed = FlagDocument([composed: 1])
        let onlyDecomposed = FlagDocument([decomposed: 1])
        let (first, second) = (FlagKeyPath(composed), FlagKeyPath(decomposed))
        #expect(onlyComposed != onlyDecomposed)
        #expect(Set([first, second]).count == 2)
        #expect(both.changes(from: onlyComposed) == [FlagProviderChange(key: second, old: nil, new: 2)])
        #expect(onlyComposed.changes(from: both) == [FlagProviderChange(key: second, old: 2, new: nil)])
        #expect(Set(onlyDecomposed.changes(from: onlyComposed).map(\.key)) == [first, second])
        #expect(both.changes(from: both).isEmpty)
    }

    @Test("supports a thousand equivalent keys, and a nested value below each of them")
    func manyEquivalentKeys() throws {
        // Each key consists of 14 characters. A character has three canonically equivalent forms, and each key has a
        // different combination of them.
        let forms = ["\u{C5}", "A\u{30A}", "\u{212B}"]
        let keys = (0..<1000).map { number in
            var rest = number
            return (0..<14).map { _ in
                defer { rest /= 3 }
                return forms[rest % 3]
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

    @Test("keeps the other equivalent keys of a group when one of them is removed")
    func removal() throws {
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
