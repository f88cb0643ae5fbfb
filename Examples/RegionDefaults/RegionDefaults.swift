import Tackline

/// What a shop needs to know about its region.
struct ShopFlags: FlagCollectionProtocol {
    @Flag(default: 14, description: "Days in which an order can be sent back")
    var returnDays: Int

    @Flag(default: "card", description: "The payment method that is offered first")
    var payment: String

    @Flag(default: false, description: "Close the shop in the afternoon")
    var siesta: Bool
}

/// One blueprint, several regions: each seeds its own defaults below the remote values, which still win.
@main
struct RegionDefaults {
    static func main() throws {
        // What a server would send: the same for every region. See the example `Tour` for a real one.
        let remote = MemoryProvider(name: "remote", values: ["return_days": 30])

        for region in ["es", "it"] {
            // Defaults of a region go to a provider at the END of the chain …
            let regionDefaults = MemoryProvider(name: "region defaults")
            // … and overrides to one at its START.
            let overrides = MemoryProvider(name: "overrides")
            let shop = FlagsLoader(ShopFlags.self, providers: [overrides, remote, regionDefaults])
            try seedDefaults(of: region, in: shop, to: regionDefaults)

            print("Region \(region)")
            show(shop)
            if region == "it" {
                try shop.$returnDays.setValue(60, in: overrides)
                print("  … after an override:")
                show(shop)
            }
        }
    }

    private static func seedDefaults(
        of region: String, in shop: FlagsLoader<ShopFlags>, to provider: MemoryProvider
    ) throws {
        switch region {
        case "es":
            try shop.$siesta.setValue(true, in: provider)
            try shop.$payment.setValue("bizum", in: provider)
            try shop.$returnDays.setValue(15, in: provider)
        default:
            try shop.$payment.setValue("satispay", in: provider)
        }
    }

    private static func show(_ shop: FlagsLoader<ShopFlags>) {
        for flag in shop.root.allFlags {
            let explanation = flag.explain()
            print("  \(flag.keyPath) = \(explanation.value), from \(explanation.source)")
        }
        let region = shop.$returnDays.flagValue(fromProviderNamed: "region defaults").map { "\($0)" } ?? "nothing"
        print("  (for return_days, the region's own default says \(region))")
    }
}
