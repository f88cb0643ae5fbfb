import Foundation
import TacklineCore
import TacklineTestSupport

/// What an installation of an app with RealFlags left on the device.
///
/// Written by Foundation, as RealFlags does: one dictionary for each name of a key but the last, `Codable` values as the
/// data that `JSONEncoder` makes, dates and URLs as texts.
struct OldInstall {
    let folder: TemporaryFolder
    var values: [String: Any] = [:]

    init() throws { folder = try TemporaryFolder() }

    var url: URL { folder.file("flags.plist") }

    /// What RealFlags makes of a `Codable` value.
    static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    func save(_ format: PropertyListSerialization.PropertyListFormat = .xml, to name: String = "flags.plist") throws {
        try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
            .write(to: folder.file(name))
    }
}

enum Theme: String, FlagValue { case light, dark }

struct Limits: Codable, FlagValue, Equatable {
    var attempts: Int
    var until: Date
    var labels: [String]
}

struct Secrets: FlagCollectionProtocol {
    @Flag(default: false) var boomFeature: Bool
    @Flag(default: 0) var maximumURLCount: UInt8
}

struct Other: FlagCollectionProtocol {
    @Flag(default: "") var title: String
}

/// Flags as they were declared for RealFlags.
struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false) var isURLValid: Bool
    @Flag(default: false) var iOSOnly: Bool
    @Flag(key: "sson", default: false) var allowsSSON: Bool
    @Flag(default: 3) var attempts: Int
    @Flag(default: 0.5) var ratio: Double
    @Flag(default: 0.5) var smallRatio: Float
    @Flag(default: .light) var theme: Theme
    @Flag(default: nil) var nickname: String?
    @Flag(default: Data()) var blob: Data
    @Flag(default: Date(timeIntervalSince1970: 0)) var since: Date
    @Flag(default: URL(filePath: "/")) var home: URL
    @Flag(default: []) var names: [String]
    @Flag(default: [:]) var weights: [String: Int]
    @Flag(default: Limits(attempts: 1, until: .distantPast, labels: [])) var limits: Limits
    @Flag(default: []) var allLimits: [Limits]
    @Flag(default: nil) var maybeLimits: Limits?
    @FlagCollection var secrets: Secrets
    @FlagCollection(keyConfiguration: .skip) var unnamed: Other
    @FlagCollection(key: "renamed") var keyed: Secrets
    @FlagCollection(keyConfiguration: .kebabCase) var inHTTPOnly: Other
    @FlagCollection(keyConfiguration: .custom("my_group")) var grouped: Other
}
