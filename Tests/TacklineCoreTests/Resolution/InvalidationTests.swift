import Synchronization
import TacklineCore
import Testing

@Suite("A change of a document")
struct InvalidationTests {
    @Test("reaches the flag whose value is an object at a flat key")
    func memberOfFlatObject() {
        for separator in ["/", ".", "::"] {
            let provider = StoredValues()
            let loader = FlagsLoader(
                Sizes.self, keyConfiguration: KeyConfiguration(pathSeparator: separator), providers: [provider])
            for width in 1...2 {
                provider.store.replaceDocument(
                    with: FlagDocument(["box\(separator)sides": ["width": .integer(Int128(width))]]))
                #expect(loader.box.sides == ["width": width])
            }
        }
    }

    @Test("reaches the flag whose value is an object with a member that a flat key hides")
    func shadowedMember() {
        let provider = StoredValues(["box": ["sides": ["width": 1]], "box/sides/width": 5])
        let loader = FlagsLoader(Sizes.self, providers: [provider])
        #expect(loader.box.sides == ["width": 1])
        let changes = provider.store.replaceDocument(
            with: FlagDocument(["box": ["sides": ["width": 2]], "box/sides/width": 5]))
        #expect(loader.box.sides == ["width": 2])
        #expect(changes.map(\.key) == ["box"])
    }

    @Test("leaves the flags in an object when the flat value before it is removed")
    func removedFlatValue() {
        let provider = StoredValues(["box/sides": 1, "box": ["sides": ["width": 2]]])
        let loader = FlagsLoader(Deep.self, providers: [provider], issueReporter: .silent)
        #expect(loader.whole == 1 && loader.width == 2)
        provider.store.setValue(nil, for: "box/sides")
        #expect(loader.whole == 0 && loader.width == 2)
    }
}

private struct StoredValues: FlagProvider {
    let name = "stored values"
    let store: FlagProviderStore

    init(_ values: [String: EncodedFlagValue] = [:]) { store = FlagProviderStore(FlagDocument(values)) }

    var document: FlagDocument? { store.document }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}

private struct Sizes: FlagCollectionProtocol {
    @FlagCollection var box: Box
}

private struct Box: FlagCollectionProtocol {
    @Flag(default: [:]) var sides: [String: Int]
    @Flag(default: 0) var width: Int
}

private struct Deep: FlagCollectionProtocol {
    @Flag(key: .absolute("box/sides"), default: 0) var whole: Int
    @Flag(key: .absolute("box/sides/width"), default: 0) var width: Int
}
