import Foundation
import Tackline
import TacklineManifest

/// The code in the guide on the command-line tool.
enum ManifestSamples {
    struct AppFlags: FlagCollectionProtocol {
        @Flag(
            key: "sson", default: false,
            description: FlagMetadata(
                description: "Enable single sign-on", owner: "Ada",
                expiryDate: Date(timeIntervalSince1970: 1_751_241_600), ticket: "LOGIN-12"))
        var allowsSSON: Bool

        @Flag(default: 3, description: "Wrong passwords before a pause")
        var maxAttempts: UInt8

        @FlagCollection(description: "Experiments not yet announced")
        var secrets: SecretFlags
    }

    struct SecretFlags: FlagCollectionProtocol {
        @Flag(default: false, description: FlagMetadata(description: "Risky feature!", owner: "Ben"))
        var boomFeature: Bool
    }

    static func export(to url: URL) throws {
        let loader = FlagsLoader(AppFlags.self, description: .init(name: "The app"), providers: [])
        try FlagManifest(loader).jsonData().write(to: url)
    }
}
