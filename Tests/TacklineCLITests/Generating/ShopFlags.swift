// Made by tackline generate swift from manifest.json. Change that, and make this anew.
// swift-format-ignore-file

import Foundation
import Tackline

/// What customers see
struct ShopFlags: FlagCollectionProtocol {
    /// Single sign-on,
    /// "once" for all
    @Flag(key: "sson", default: false, description: FlagMetadata(description: "Single sign-on,\n\"once\" for all", tags: ["login", "a b"], owner: "Ada", expiryDate: Date(timeIntervalSince1970: 1751241600), ticket: "LOGIN-12"))
    var allowsSSON: Bool

    /// Wrong passwords before a pause
    @Flag(default: 3, description: "Wrong passwords before a pause")
    var maxAttempts: UInt8

    @Flag(name: "Share of all", default: 0.25)
    var sampleRate: Double

    @Flag(default: "Grüße \\(name) \u{202E}")
    var greeting: String

    enum Theme: String, CaseIterable, FlagValue {
        case light
        case dark
        case highContrast = "high contrast"
    }

    @Flag(default: .dark, description: FlagMetadata(isInternal: true, isLocked: true))
    var theme: Theme

    @Flag(default: nil)
    var fallbackTheme: Theme?

    enum Columns: Int, CaseIterable, FlagValue {
        case value1 = 1
        case value2 = 2
    }

    @Flag(default: .value2)
    var columns: Columns

    @Flag(default: nil)
    var limit: Int?

    @Flag(key: .absolute("legacy/thing"), default: 7)
    var old: Int128

    @Flag(default: [1, 2])
    var sizes: [Int]

    @Flag(default: ["de": "Hallo", "en": "Hello"])
    var words: [String: String]

    @Flag(default: Date(timeIntervalSince1970: 86400))
    var start: Date

    @Flag(default: Data(base64Encoded: "AQL/")!)
    var blob: Data

    @Flag(default: URL(string: "file:///tmp")!)
    var place: URL

    @Flag(default: ["a": [.integer(1), .double(2.5), .null, "x"]])
    var free: EncodedFlagValue

    @Flag(default: true)
    var `default`: Bool

    @FlagCollection(name: "Not yet told") var secrets: Secrets

    struct Secrets: FlagCollectionProtocol {
        @Flag(default: false)
        var boomFeature: Bool

        @FlagCollection var deeper: Deeper

        struct Deeper: FlagCollectionProtocol {
            @Flag(key: "X", default: 1)
            var value: Int
        }
    }

    @FlagCollection var http2Server: Http2Server

    struct Http2Server: FlagCollectionProtocol {
        @Flag(default: 8080)
        var port: UInt16
    }
}
