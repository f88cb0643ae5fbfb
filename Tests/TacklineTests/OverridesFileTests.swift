import Foundation
import Tackline
import TacklineTestSupport
import Testing

@Suite("Overrides that are made from a file", .hangLimit)
struct OverridesFileTests {
    struct AppFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "The new checkout") var newCheckout: Bool
    }

    @Test("of two owners of the file, such as an app and its widget, are followed by each other, and none is lost")
    func twoOwners() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("overrides.json")
        let app = FlagOverrides(file: file, environment: .nonProduction)
        let widget = FlagOverrides(file: file, environment: .nonProduction)
        let flags = FlagsLoader(AppFlags.self, environment: .nonProduction, providers: [widget])
        try widget.setValue(1, for: "other")
        try app.setValue(true, for: "new_checkout")
        for await isNew in flags.$newCheckout.values where isNew { break }
        let reread = FlagOverrides(file: file, environment: .nonProduction)
        #expect(reread.overrides.map(\.key.text) == ["new_checkout", "other"])
    }

    @Test("that were deferred are removed with all others")
    func removal() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("overrides.json")
        let overrides = FlagOverrides(file: file, environment: .nonProduction)
        try DeferredFlagWrites.$areOn.withValue(true) {
            for number in 0..<3 { try overrides.setValue(.integer(Int128(number)), for: "a") }
            try overrides.removeAll()
        }
        try overrides.setValue(1, for: "b")
        let reread = FlagOverrides(file: file, environment: .nonProduction)
        #expect(overrides.overrides.map(\.key.text) == ["b"] && reread.overrides.map(\.key.text) == ["b"])
    }
}
