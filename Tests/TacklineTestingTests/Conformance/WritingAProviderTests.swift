import TacklineCore
import TacklineTesting
import TacklineTestSupport
import Testing

// What the guide "Writing a provider" shows, so that it is run.

/// Keeps flags as a JSON text, wherever `save` puts it.
final class TextProvider: WritableFlagProvider {
    let name = "text"
    private let store: FlagProviderStore
    private let save: @Sendable (String) throws -> Void

    init(text: String, save: @escaping @Sendable (String) throws -> Void) throws(FlagJSONError) {
        guard case .object(let members) = try FlagJSONReader(requiresObject: true).read(text) else {
            preconditionFailure("The reader was told to take objects only.")
        }
        store = FlagProviderStore(FlagDocument(members))
        self.save = save
    }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        _ = try store.update { document throws(FlagError) in
            document.setValue(value, for: key)
        } persist: { document throws(FlagError) in
            do {
                try save(FlagJSONWriter().text(of: .object(document.root)))
            } catch {
                throw FlagError(
                    .inputOutput, provider: name, key: key, reason: "the text was not saved: \(error)")
            }
        }
    }
}

@Suite("The sample of the guide \"Writing a provider\"", .hangLimit)
struct WritingAProviderTests {
    @Test("keeps the rules of providers, saves each value, and changes nothing when the text is not saved")
    func sample() async throws {
        let suite = FlagProviderConformance(holding: ["dark_mode": true, "limits/attempts": 3]) {
            try TextProvider(text: #"{ "dark_mode": true, "limits": { "attempts": 3 } }"#) { _ in }
        }
        await suite.expectConformance()
        struct Full: Error {}
        let saved = Lines()
        let provider = try TextProvider(text: "{}") { text in
            if !saved.all.isEmpty { throw Full() }
            saved.append(text)
        }
        try provider.setValue(3, for: "limit")
        let error = #expect(throws: FlagError.self) { try provider.setValue(4, for: "limit") }
        #expect(error?.code == .inputOutput && provider.value(for: "limit") == 3)
        #expect(saved.all == ["{\n  \"limit\": 3\n}\n"])
    }
}
