import TacklineCore
import Testing

@Suite("A document")
struct FlagDocumentTests {
    @Test("finds values at flat keys and in nested objects, and prefers flat keys")
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

    @Test("keeps the form in which a value is stored when it is set")
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

    @Test("removes a value in both forms, and objects that become empty")
    func removing() {
        var document = FlagDocument(["a/b": 1, "a": ["b": 2], "c": ["d": ["e": 1]], "f": ["g": 1, "h": 2]])
        document.setValue(nil, for: "a/b")
        document.setValue(nil, for: "c/d/e")
        document.setValue(nil, for: "f/g")
        document.setValue(nil, for: "nothing/there")
        #expect(document.root == ["f": ["h": 2]])
    }

    @Test("keeps an object with the values of other flags when the flat value before it is set or removed")
    func groups() {
        var document = FlagDocument(["ui/theme": "dark", "ui": ["theme": ["color": "red"], "size": ["width": 1]]])
        document.setValue(nil, for: "ui/theme")
        document.setValue(5, for: "ui/size")
        #expect(document.root == ["ui/size": 5, "ui": ["theme": ["color": "red"], "size": ["width": 1]]])
        #expect(document.value(for: "ui/size") == 5 && document.value(for: "ui/size/width") == 1)
        // Nothing but the value itself stands there, so it is removed.
        document.setValue(nil, for: "ui/theme")
        #expect(document.root == ["ui/size": 5, "ui": ["size": ["width": 1]]])
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
        let changes = new.changes(from: old)
        #expect(
            changes == [
                FlagProviderChange(key: "a/c", old: 2, new: 3),
                FlagProviderChange(key: "flat/key", old: true, new: false),
                FlagProviderChange(key: "gone", old: "x", new: nil),
                FlagProviderChange(key: "new/x", old: nil, new: 1),
                // A flat key hides its member, but the object itself is the value of its own key.
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
}
