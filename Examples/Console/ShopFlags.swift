#if Web
    import Foundation
    import Tackline

    /// The flags of a small shop: one of every type that the console has a control for.
    struct ShopFlags: FlagCollectionProtocol {
        @Flag(
            default: false,
            description: .init(
                name: "New checkout", description: "Pay in two steps instead of five", tags: ["payment"],
                owner: "Checkout team",
                ticket: "https://tickets.example.com/SHOP-412"))
        var newCheckout: Bool

        @Flag(
            default: 3,
            description: .init(
                name: "Payment attempts", description: "Wrong cards before a basket is put aside", tags: ["payment"],
                owner: "Checkout team"))
        var maxAttempts: UInt8

        @Flag(default: .list, description: .init(name: "Catalogue layout", description: "How products are laid out"))
        var layout: CatalogueLayout

        @Flag(default: "Welcome", description: .init(name: "Greeting", description: "The first line of the home page"))
        var greeting: String

        @Flag(default: 0, description: .init(name: "Visitors", description: "People in the shop at this moment"))
        var visitors: Int

        @Flag(
            default: nil, bounds: .range(0...0.5),
            description: .init(name: "Discount", description: "Part of the price, if there is a sale"))
        var discount: Double?

        @FlagCollection(description: .init(name: "Search", description: "Finding things"))
        var search: SearchFlags

        @FlagCollection(description: .init(name: "Operations", description: "For those who keep the shop running"))
        var operations: OperationFlags
    }

    enum CatalogueLayout: String, FlagValue, CaseIterable {
        case list, grid, map
    }

    struct SearchFlags: FlagCollectionProtocol {
        @Flag(
            default: Ranking(model: "words", weights: ["price": 0.2, "rating": 0.8]),
            description: .init(
                name: "Ranking", description: "What puts one product before another", owner: "Search team"))
        var ranking: Ranking

        @Flag(
            default: false,
            description: .init(
                name: "Suggestions", description: "Complete what people type", tags: ["experiment"],
                owner: "Search team"))
        var suggestions: Bool

        @Flag(
            default: true,
            description: .init(
                name: "Typo forgiveness", description: "Find “shoes” for “sheos”", owner: "Search team",
                expiryDate: Date(timeIntervalSince1970: 1_751_328_000), ticket: "SHOP-97"))
        var forgivesTypos: Bool
    }

    struct Ranking: Codable, FlagValue, Equatable {
        var model: String
        var weights: [String: Double]
    }

    struct OperationFlags: FlagCollectionProtocol {
        @Flag(
            default: Date(timeIntervalSince1970: 1_798_761_600),
            description: .init(name: "Launch", description: "When the winter sale begins"))
        var launch: Date

        @Flag(
            default: URL(filePath: "/"),
            description: .init(name: "Image server", description: "Where pictures come from", owner: "Platform"))
        var imageServer: URL

        @Flag(
            default: false,
            description: .init(
                name: "Maintenance", description: "Close the shop for everybody", isLocked: true, owner: "Platform"))
        var maintenance: Bool

        @Flag(
            default: "normal",
            computed: { (flags: ShopFlags) in flags.visitors > 900 ? "high" : nil },
            description: .init(name: "Load", description: "Computed from the number of visitors", owner: "Platform"))
        var load: String
    }

    /// Many flags, to try the console with.
    struct Numbered: FlagFeature {
        let number: Int

        /// The number after `--many` in the arguments of the program.
        static let count: Int = {
            let arguments = CommandLine.arguments
            guard let index = arguments.firstIndex(of: "--many"), index + 1 < arguments.count else { return 0 }
            return Int(arguments[index + 1]) ?? 0
        }()
        static let allCases = (0..<count).map { Numbered(number: $0 + 1) }
        var key: FlagKey { .component("numbered_\(number)") }
        var description: String { "Number \(number) of many" }
        var metadata: FlagMetadata { .init(name: "Numbered \(number)", description: description) }
    }
#endif
