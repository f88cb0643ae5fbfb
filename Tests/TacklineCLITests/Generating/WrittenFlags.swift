#if CommandLine
    import Foundation
    import Tackline

    /// Flags of many types that are written by hand. ``ShopFlags`` is generated from their manifest.
    struct WrittenFlags: FlagCollectionProtocol {
        @Flag(
            key: "sson", default: false,
            description: FlagMetadata(
                description: "Single sign-on,\n\"once\" for all", tags: ["login", "a b"], owner: "Ada",
                expiryDate: Date(timeIntervalSince1970: 1_751_241_600), ticket: "LOGIN-12"))
        var allowsSSON: Bool
        @Flag(default: 3, description: "Wrong passwords before a pause") var maxAttempts: UInt8
        @Flag(name: "Share of all", default: 0.25) var sampleRate: Double
        @Flag(default: "Grüße \\(name) \u{202E}") var greeting: String
        @Flag(default: .dark, description: FlagMetadata(isInternal: true, isLocked: true)) var theme: Theme
        @Flag(default: nil) var fallbackTheme: Theme?
        @Flag(default: .two) var columns: Columns
        @Flag(default: nil) var limit: Int?
        @Flag(key: .absolute("legacy/thing"), default: 7) var old: Int128
        @Flag(default: [1, 2]) var sizes: [Int]
        @Flag(default: ["de": "Hallo", "en": "Hello"]) var words: [String: String]
        @Flag(default: Date(timeIntervalSince1970: 86_400)) var start: Date
        @Flag(default: Data([1, 2, 255])) var blob: Data
        @Flag(default: URL(filePath: "/tmp")) var place: URL
        @Flag(default: EncodedFlagValue.object(["a": [1, 2.5, .null, "x"]])) var free: EncodedFlagValue
        @Flag(default: true) var `default`: Bool
        @FlagCollection(name: "Not yet told") var secrets: Secrets
        @FlagCollection var http2Server: Server

        enum Theme: String, CaseIterable, FlagValue {
            case light, dark
            case highContrast = "high contrast"
        }

        enum Columns: Int, CaseIterable, FlagValue {
            case one = 1
            case two = 2
        }

        struct Secrets: FlagCollectionProtocol {
            @Flag(default: false) var boomFeature: Bool
            @FlagCollection var deeper: Deeper

            struct Deeper: FlagCollectionProtocol {
                @Flag(key: "X", default: 1) var value: Int
            }
        }

        struct Server: FlagCollectionProtocol {
            @Flag(default: 8080) var port: UInt16
        }
    }
#endif
