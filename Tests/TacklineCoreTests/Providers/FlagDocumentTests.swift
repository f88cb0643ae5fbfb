import TacklineCore
import Testing

@Suite("A document")
struct FlagDocumentTests {
    @Test("finds values at flat keys and in nested objects, and prefers flat keys")
    func lookup() {
        let document = FlagDocument([
            "secrets/boom": true, "secrets": ["boom": false, "calm": 1, "deep": ["er": "x"]], "top": 2,
        ])
        let cases: [(FlagKeyPath, EncodedFlagValue?)] = [
            ("secrets/boom", true), ("secrets/calm", 1), ("secrets/deep/er", "x"), ("top", 2), ("secrets/none", nil),
            ("top/none", nil), (FlagKeyPath("secrets.calm", separator: "."), 1),
        ]
        for (key, value) in cases { #expect(document.value(for: key) == value, "\(key)") }
    }

    typealias Members = [String: EncodedFlagValue]

    /// Documents before and after a value is set or removed.
    private static let changes: [(name: String, Members, FlagKeyPath, EncodedFlagValue?, Members)] = [
        ("flat stays flat", ["a/b": 1], "a/b", 10, ["a/b": 10]),
        ("nested stays nested", ["c": ["d": 2]], "c/d", 20, ["c": ["d": 20]]),
        ("new is added to its group", ["c": ["d": 2]], "c/x/y", 30, ["c": ["d": 2, "x": ["y": 30]]]),
        ("new is flat without a group", ["c": 1], "new/key", 40, ["c": 1, "new/key": 40]),
        ("what is no object stays", ["e": "text"], "e/inside", 50, ["e": "text", "e/inside": 50]),
        ("what is no object stays, deeper", ["e": ["f": 1]], "e/f/g", 5, ["e": ["f": 1], "e/f/g": 5]),
        ("removed in both forms", ["a/b": 1, "a": ["b": 2], "c": 3], "a/b", nil, ["c": 3]),
        ("with objects that become empty", ["c": ["d": ["e": 1]], "x": 1], "c/d/e", nil, ["x": 1]),
        ("and no other member", ["f": ["g": 1, "h": 2]], "f/g", nil, ["f": ["h": 2]]),
        ("nothing there", ["f": ["g": 1]], "nothing/there", nil, ["f": ["g": 1]]),
        ("an empty object is a value", ["f": [:]], "f/g", nil, ["f": [:]]),
        ("inside of a text", ["f": "g"], "f/g", nil, ["f": "g"]),
        (
            "the flat value before a group", ["ui/theme": "dark", "ui": ["theme": ["color": "red"]]], "ui/theme", nil,
            ["ui": ["theme": ["color": "red"]]]
        ),
        (
            "a value in place of a group", ["ui": ["size": ["width": 1]]], "ui/size", 5,
            ["ui/size": 5, "ui": ["size": ["width": 1]]]
        ),
        ("a group by itself", ["ui": ["theme": ["color": "red"], "size": 1]], "ui/theme", nil, ["ui": ["size": 1]]),
    ]

    @Test("keeps the form in which a value is stored, and the values of other flags")
    func setting() {
        for (name, before, key, value, after) in Self.changes {
            var document = FlagDocument(before)
            document.setValue(value, for: key)
            #expect(document.root == after, "\(name)")
            if let value { #expect(document.value(for: key) == value, "\(name)") }
        }
    }

    @Test("compares keys as Swift compares strings")
    func equivalentKeys() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        var document = FlagDocument([composed: 1, "g": .object([decomposed: ["x": 2]])])
        #expect(document.value(for: FlagKeyPath(decomposed)) == 1)
        #expect(document.value(for: FlagKeyPath("g/\(composed)/x")) == 2)
        document.setValue(nil, for: FlagKeyPath("g/\(composed)/x"))
        document.setValue(nil, for: FlagKeyPath(decomposed))
        #expect(document.root.isEmpty)
    }

    @Test("lists each changed value once, in whatever form it is stored, and no value that reads as before")
    func differences() {
        let old = FlagDocument([
            "a": ["b": 1, "c": 2], "flat/key": true, "same": 1, "gone": "x", "shadow/v": 1, "shadow": ["v": 1],
        ])
        let new = FlagDocument([
            "a": ["b": 1, "c": 3], "flat/key": false, "same": 1, "new": ["x": 1], "shadow/v": 1, "shadow": ["v": 9],
        ])
        #expect(
            new.changes(from: old) == [
                FlagProviderChange(key: "a/c", old: 2, new: 3),
                FlagProviderChange(key: "flat/key", old: true, new: false),
                FlagProviderChange(key: "gone", old: "x", new: nil),
                FlagProviderChange(key: "new/x", old: nil, new: 1),
                // A flat key hides its member, but the object itself is the value of its own key.
                FlagProviderChange(key: "shadow", old: ["v": 1], new: ["v": 9]),
            ])
        #expect(new.changes(from: new).isEmpty)
        // A value that is nested now is no change, but there is a new object, which a flag of its name may take.
        #expect(
            FlagDocument(["b": ["c": 1]]).changes(from: FlagDocument(["b/c": 1])) == [
                FlagProviderChange(key: "b", old: nil, new: ["c": 1])
            ])
        // A flat key has the value of one flag, even if the value is an object.
        #expect(
            FlagDocument(["a/b": ["c": 1]]).changes(from: FlagDocument(["a/b": ["c": 2]])) == [
                FlagProviderChange(key: "a/b", old: ["c": 2], new: ["c": 1])
            ])
    }

    @Test("is compared member by member for eight levels, so that no document has changes without end")
    func deepDifferences() {
        let leaves = EncodedFlagValue.object(
            Dictionary(uniqueKeysWithValues: (0..<1000).map { ("\($0)", .integer($0)) }))
        func changes(levels: Int, name: String) -> [FlagProviderChange] {
            let value = (1..<levels).reduce(leaves) { value, _ in .object([name: value]) }
            return FlagDocument([name: value]).changes(from: FlagDocument())
        }
        #expect(changes(levels: 7, name: "x").count == 1000)
        #expect(changes(levels: 8, name: "x").map(\.key) == ["x/x/x/x/x/x/x/x"])
        #expect(changes(levels: 1000, name: "x").count == 1)
        #expect(changes(levels: 3, name: String(repeating: "x", count: 200)).count == 1)
    }
}
