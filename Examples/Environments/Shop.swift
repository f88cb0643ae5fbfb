import Foundation
import Tackline
import TacklineRemoteJSON

/// The app: the same code before customers and on a developer's desk. Only the environment differs.
struct Shop {
    let flags: FlagsLoader<ShopFlags>
    let overrides: FlagOverrides
    let environment: DeploymentEnvironment

    /// - Parameter environment: In an app this is `.detected`.
    init(environment: DeploymentEnvironment, remote: RemoteJSONProvider, overridesFile: URL) {
        let overrides = FlagOverrides(file: overridesFile, environment: environment)

        // One list for all environments. Production takes the last two of it.
        let chain = ProviderChain(for: environment) {
            FlagConfiguration(ShopFlags.self, name: "forced") {
                // Tests never send a payment twice.
                $0.set(\.attempts, to: 1)
            }.prioritized(.forced)
            overrides
            FlagConfiguration(ShopFlags.self, name: "simulator") {
                $0.enable(\.features[.fakeCamera])
            }.prioritized(.simulator)
            FlagConfiguration(ShopFlags.self, name: "testing") {
                $0.enable(\.features[.debugMenu])
            }.prioritized(.testing)
            remote
            FlagConfiguration(ShopFlags.self, name: "business") {
                $0.enable(\.features[.newCheckout])
                $0.set(\.attempts, to: 5)
            }
        }
        flags = FlagsLoader(ShopFlags.self, providers: chain.deployed(in: environment), issueReporter: .printing)
        self.overrides = overrides
        self.environment = environment
    }

    /// Prints each flag with the provider that answers for it.
    func show() {
        print("  asked in this order: \(flags.providers.ids.joined(separator: ", "))")
        for flag in flags.allFlags {
            let explanation = flag.explain()
            let key = flag.keyPath.text + String(repeating: " ", count: 12 - flag.keyPath.text.count)
            print("  \(key) \(explanation.value), from \(explanation.source)")
        }
    }
}

extension FlagIssueReporter {
    /// Shows issues in the example. An app sends them to its log.
    static let printing = FlagIssueReporter { issue in print("  reported: \(issue)") }
}
