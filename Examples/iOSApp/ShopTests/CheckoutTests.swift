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
        withFlags {
            $0.set(\AppFlags.newCheckout, to: true)
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
        while model.theme != .dark || model.changeCount == 0 { await Task.yield() }
    }
}
