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

    /// The same file in each process, and another one for another copy of the package.
    private static let shared = FileManager.default.temporaryDirectory
        .appending(path: "tackline-overrides\(#filePath.replacing("/", with: "-")).json")

    /// Sets 30 overrides. The last one, which is stored, waits for those that were deferred.
    private static func write(_ writer: String, isDeferred: Bool) throws {
        let overrides = FlagOverrides(file: shared, environment: .nonProduction)
        for number in 0..<30 {
            try DeferredFlagWrites.$areOn.withValue(isDeferred && number < 29) {
                try overrides.setValue(.integer(Int128(number)), for: FlagKeyPath("\(writer)\(number)"))
            }
        }
    }

    @Test("of two processes that write at the same time are all kept, deferred or not")
    func twoProcesses() async throws {
        try? FileManager.default.removeItem(at: Self.shared)
        defer { try? FileManager.default.removeItem(at: Self.shared) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await #expect(processExitsWith: .success) { try Self.write("a", isDeferred: false) } }
            group.addTask { await #expect(processExitsWith: .success) { try Self.write("b", isDeferred: true) } }
        }
        let kept = Set(FlagOverrides(file: Self.shared, environment: .nonProduction).overrides.map(\.key.text))
        #expect(kept == Set((0..<30).flatMap { ["a\($0)", "b\($0)"] }))
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
