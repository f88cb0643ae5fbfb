import Foundation
import TacklineCore
import Testing

@Suite("A document")
struct FlagDocumentTests {
    @Test("answers from flat keys and from nested objects, and flat wins")
    func lookup() {
        let document = FlagDocument([
            "secrets/boom": true, "secrets": ["boom": false, "calm": 1, "deep": ["er": "x"]], "top": 2,
        ])
        #expect(document.value(for: "secrets/boom") == true)
        #expect(document.value(for: "secrets/calm") == 1)
        #expect(document.value(for: "secrets/deep/er") == "x")
        #expect(document.value(for: "top") == 2)
        #expect(document.value(for: "secrets/none") == nil)
        #expect(document.value(for: "top/none") == nil)
        #expect(document.value(for: FlagKeyPath("secrets.calm", separator: ".")) == 1)
    }

    @Test("keeps the shape in which a value stands when it is set")
    func setting() {
        var document = FlagDocument(["a/b": 1, "c": ["d": 2], "e": "text"])
        document.setValue(10, for: "a/b")
        document.setValue(20, for: "c/d")
        document.setValue(30, for: "c/x/y")
        document.setValue(40, for: "new/key")
        document.setValue(50, for: "e/inside")
        #expect(
            document.root == [
                "a/b": 10, "c": ["d": 20, "x": ["y": 30]], "e": "text", "new/key": 40, "e/inside": 50,
            ])
    }

    @Test("removes a value from both shapes, and objects that become empty by it")
    func removing() {
        var document = FlagDocument(["a/b": 1, "a": ["b": 2], "c": ["d": ["e": 1]], "f": ["g": 1, "h": 2]])
        document.setValue(nil, for: "a/b")
        document.setValue(nil, for: "c/d/e")
        document.setValue(nil, for: "f/g")
        document.setValue(nil, for: "nothing/there")
        #expect(document.root == ["f": ["h": 2]])
    }

    @Test("names each changed value once, in either shape, and nothing that answers as before")
    func differences() {
        let old = FlagDocument([
            "a": ["b": 1, "c": 2], "flat/key": true, "same": 1, "gone": "x", "shadow/v": 1, "shadow": ["v": 1],
        ])
        let new = FlagDocument([
            "a": ["b": 1, "c": 3], "flat/key": false, "same": 1, "new": ["x": 1], "shadow/v": 1, "shadow": ["v": 9],
        ])
        let changes = new.changes(from: old)
        #expect(
            changes == [
                FlagProviderChange(key: "a/c", old: 2, new: 3),
                FlagProviderChange(key: "flat/key", old: true, new: false),
                FlagProviderChange(key: "gone", old: "x", new: nil),
                FlagProviderChange(key: "new/x", old: nil, new: 1),
                // What it holds lies in the shadow, but the object itself answers for its key.
                FlagProviderChange(key: "shadow", old: ["v": 1], new: ["v": 9]),
            ])
        #expect(new.changes(from: new).isEmpty)
    }

    @Test("compares documents that are nested a thousand deep")
    func deep() {
        var value: EncodedFlagValue = 1
        for _ in 0..<1000 { value = ["x": value] }
        #expect(FlagDocument(["a": value]).changes(from: FlagDocument()).count == 1)
    }

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

    @Test("is changed and emptied by such keys as by others")
    func writingNamesakes() {
        var document = FlagDocument()
        let keys = [composed, decomposed, "g/\(composed)/x", "g/\(decomposed)/x"].map { FlagKeyPath($0) }
        for round in 0..<2 {
            for (index, key) in keys.enumerated() { document.setValue(.integer(Int128(index + round)), for: key) }
            for (index, key) in keys.enumerated() {
                #expect(document.value(for: key) == .integer(Int128(index + round)))
            }
        }
        for (index, key) in keys.enumerated() {
            document.setValue(nil, for: key)
            #expect(document.value(for: key) == nil)
            for rest in keys[(index + 1)...] { #expect(document.value(for: rest) != nil) }
        }
        #expect(document == FlagDocument())
    }
}
