import Foundation
import Synchronization
import TacklineCore
import TacklineFormats
import TacklineTesting
import TacklineTestSupport
import Testing

// The guide "Writing a provider" quotes what stands between the marks.

// Sample: the provider
/// Keeps flags as a JSON text, wherever `save` puts it.
final class TextProvider: WritableFlagProvider, ObservableFlagProvider {
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

    func observe(_ observer: FlagProviderObserver) { store.observe(observer) }

    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        _ = try store.update { document throws(FlagProviderError) in
            document.setValue(value, for: key)
        } persist: { document throws(FlagProviderError) in
            do {
                try save(FlagJSONWriter().text(of: .object(document.root)))
            } catch {
                throw FlagProviderError(
                    .inputOutput, provider: name, key: key, reason: "the text was not saved: \(error)")
            }
        }
    }
}
// End

@Suite("The sample of the guide \"Writing a provider\"", .hangLimit)
struct WritingAProviderTests {
    // Sample: the test
    @Test("A text provider keeps the rules of providers")
    func keepsTheRules() async {
        let suite = FlagProviderConformance(holding: ["dark_mode": true, "limits/attempts": 3]) {
            try TextProvider(text: #"{ "dark_mode": true, "limits": { "attempts": 3 } }"#) { _ in }
        }
        await suite.expectConformance()
    }
    // End

    @Test("changes nothing when the text is not saved")
    func failedSave() throws {
        struct Full: Error {}
        let provider = try TextProvider(text: "{}") { _ in throw Full() }
        let error = #expect(throws: FlagProviderError.self) { try provider.setValue(true, for: "dark_mode") }
        #expect(error?.code == .inputOutput)
        #expect(provider.value(for: "dark_mode") == nil)
    }

    @Test("saves every value before anybody sees it")
    func saves() throws {
        let box = Saved()
        let provider = try TextProvider(text: "{}") { text in box.text.withLock { $0 = text } }
        try provider.setValue(3, for: "limit")
        #expect(box.text.withLock { $0 } == "{\n  \"limit\": 3\n}\n")
    }

    private final class Saved: Sendable {
        let text = Mutex("")
    }

    @Test("is quoted by the guide as it stands here")
    func quoted() throws {
        let file = URL(filePath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = root.appending(path: "Docs/Tackline.docc/WritingAProvider.md")
        guard FileManager.default.fileExists(atPath: guide.path) else { return }
        let text = try Self.lines(String(contentsOf: guide, encoding: .utf8)).joined(separator: "\n")
        var samples: [[String]] = []
        var isInside = false
        for line in try Self.lines(String(contentsOf: file, encoding: .utf8)) {
            if line.hasPrefix("// Sample:") {
                samples.append([])
                isInside = true
            } else if line == "// End" {
                isInside = false
            } else if isInside {
                samples[samples.count - 1].append(line)
            }
        }
        #expect(samples.count == 2)
        for sample in samples { #expect(text.contains(sample.joined(separator: "\n"))) }
    }

    /// The lines without their indentation, and without empty ones.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
