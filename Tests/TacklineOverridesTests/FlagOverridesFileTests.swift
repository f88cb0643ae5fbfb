import Foundation
import Tackline
import TacklineTestSupport
import Testing

@Suite("Overrides in a file")
struct FlagOverridesFileTests {
    @Test("are there after a relaunch, whatever their type")
    func relaunch() throws {
        let folder = try TemporaryFolder()
        let open = { FlagOverrides(file: folder.file("overrides.json"), environment: .nonProduction) }
        let before = open()
        let flags = FlagsLoader(OverriddenFlags.self, environment: .nonProduction, providers: [before])
        let end = Date(timeIntervalSinceReferenceDate: 4_000_000_000.25)
        try before.setValue(true, for: flags.$newCheckout, expires: end)
        try before.setValue(.null, for: "mood")
        try before.setValue(["a": [1, 2.5, "é\n\"/", true, .null]], for: "limits.attempts")
        let after = open()
        #expect(after.status == .ready && after.overrides == before.overrides && after.overrides.count == 3)
        #expect(after.overrides.last?.expires == end)
        try after.removeAll()
        #expect(open().overrides.isEmpty)
    }

    @Test("that is damaged stay as they are, and the status and each write say where and what to do, in the same words")
    func damaged() throws {
        for text in [
            "junk", "{", "", #"{"tackline-overrides": {"format": "tackline-overrides", "ov"#, "[1]", "\u{FEFF}\0",
        ] {
            let folder = try TemporaryFolder()
            let file = try folder.file("overrides.json", text)
            let overrides = FlagOverrides(file: file, environment: .nonProduction)
            #expect(overrides.overrides.isEmpty && overrides.value(for: "a") == nil)
            let error = #expect(throws: FlagError.self) { try overrides.setValue(1, for: "a") }
            #expect(error.map { overrides.status == .failed($0) } == true, "\(text): \(overrides.status)")
            #expect(error?.code == .unreadable && error?.message.contains("Correct") == true, "\(text)")
            #expect(error?.message.contains("recovery:") == false, "\(text)")
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }
}
