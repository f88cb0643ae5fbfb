import Foundation
import Tackline
import TacklineRemoteJSON
import TacklineSigning
import TacklineTargeting

/// What version 1.1 of the app declares.
struct RestaurantFlags: FlagCollectionProtocol {
    @Flag(default: "", description: "The text above the menu; empty for none")
    var banner: String

    @Flag(default: 5, bounds: .range(1...10), description: "Wrong cards before a payment is put aside")
    var maxAttempts: Int

    @Flag(default: false, description: "Book a table in the app")
    var reservations: Bool
}

#if canImport(CryptoKit) || Signing
    /// An app that follows the published documents: `Follower <URL of the folder> <folder for the cache> <public key>…`
    ///
    /// For each line of input it asks the server once, as a poll does, and prints its values and what it refused.
    @main
    struct Follower {
        static func main() async throws {
            let arguments = CommandLine.arguments
            guard arguments.count > 3, let base = URL(string: arguments[1]) else { return print("URL, folder, keys") }
            var configuration = RemoteJSONProvider.Configuration()
            configuration.trust = DocumentTrust(keys: arguments.dropFirst(3).map { TrustedKey($0) }, required: 1)
            configuration.cache = .directory(URL(filePath: arguments[2]))
            let values = RemoteJSONProvider(
                url: base.appending(path: "flags.json"), name: "values", configuration: configuration)
            let rules = RemoteJSONProvider(
                url: base.appending(path: "rules.flagd.json"), name: "rules", format: .flagd(context: .task()),
                configuration: configuration)
            let flags = FlagsLoader(RestaurantFlags.self, providers: [values, rules])

            while readLine() != nil {
                var refusals: [String] = []
                for provider in [values, rules] {
                    do { try await provider.refresh() } catch { refusals.append("\(error)") }
                }
                let guests = (1...1000).count { number in
                    withEvaluationContext(EvaluationContext(targetingKey: "user-\(number)")) { flags.reservations }
                }
                let line: [String: Any] = [
                    "banner": flags.banner, "attempts": flags.maxAttempts, "guests": guests, "refusals": refusals,
                ]
                print(String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self))
                fflush(nil)
            }
        }
    }
#else
    @main struct Follower { static func main() { print("Build it with --traits Signing.") } }
#endif
