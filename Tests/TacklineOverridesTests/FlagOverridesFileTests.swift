import Foundation
import TacklineCore
import TacklineComposition
import TacklineLocal
import TacklineOverrides
import Testing

@Suite("Overrides in a file")
struct FlagOverridesFileTests {
    @Test("are there after a relaunch, whatever their type")
    func relaunch() throws {
        for format in ["json", "plist"] {
            try relaunch(format: format)
        }
    }

    private func relaunch(format: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "overrides.\(format)")
        let expiry = Date(timeIntervalSinceReferenceDate: 4_000_000_000.25)

        let before = FlagOverrides(storage: LocalProvider(file: url), environment: .nonProduction)
        try before.setValue(true, for: "new_checkout", expires: expiry)
        try before.setValue(.null, for: "mood")
        try before.setValue(9, for: FlagKeyPath("limits.attempts", separator: "."))

        let after = FlagOverrides(storage: LocalProvider(file: url), environment: .nonProduction)
        #expect(after.status == .ready)
        #expect(after.overrides == before.overrides)
        #expect(after.overrides.count == 3)
        #expect(after.overrides.last?.expires == expiry)
        let flags = FlagsLoader(OverriddenFlags.self, environment: .nonProduction, providers: [after])
        #expect(flags.newCheckout && flags.mood == nil)
        try after.removeAll()
        let cleared = FlagOverrides(storage: LocalProvider(file: url), environment: .nonProduction)
        #expect(cleared.overrides.isEmpty)
    }
}
