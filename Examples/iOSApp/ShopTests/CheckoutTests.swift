import Foundation
import Tackline
import TacklineTesting
import Testing

@testable import Shop

@Suite("The flags of the shop")
struct CheckoutTests {
    private let flags = FlagsLoader(AppFlags.self, providers: [RegionDefaults(region: "CH")])

    @Test("are declared without a mistake")
    func declaration() throws {
        try flags.validate()
    }

    @Test("buy with one click only in the new checkout", .flags(\AppFlags.payment.oneClick, true))
    func oneClick() {
        #expect(!flags.oneClickCheckout)
        withFlags(AppFlags.self) {
            $0.set(\.newCheckout, to: true)
        } operation: {
            #expect(flags.oneClickCheckout)
        }
    }

    @Test("try a payment five times in Switzerland")
    func region() {
        #expect(flags.payment.attempts == 5)
        #expect(FlagsLoader(AppFlags.self, providers: [RegionDefaults(region: "DE")]).payment.attempts == 3)
    }

    @Test("change the theme of the model")
    func theme() async throws {
        let memory = MemoryProvider()
        let flags = FlagsLoader(AppFlags.self, providers: [memory])
        let model = ThemeModel(flags)
        try flags.$theme.setValue(.dark)
        // Closures of the main actor are called soon, and a fault ends the test.
        for _ in 0..<10_000 where model.theme != .dark || model.changeCount == 0 { await Task.yield() }
        #expect(model.theme == .dark && model.changeCount == 1)
    }

    @Test("lose the widget's value when it is withdrawn")
    func widget() throws {
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let remote = MemoryProvider(values: ["widget/shows_prices": true])
        let shared = SharedValues(folder: folder)
        try shared.publish(remote)
        #expect(shared.flags.showsPrices)
        remote.setValue(nil, for: "widget/shows_prices")
        try shared.publish(remote)
        #expect(!shared.flags.showsPrices)
    }
}
