import Foundation
import Tackline
import TacklineRemoteJSON
import TacklineTargeting
import WidgetKit

/// The providers and the loader, which exist as long as the app.
final class Services {
    let overrides: FlagOverrides
    let flags: FlagsLoader<AppFlags>
    let theme: ThemeModel
    /// The variants that users were given. An app sends them to its analytics.
    let exposures = ExposureRecorder()

    private let user = CurrentContext(.device(installationID: .persistent))
    private let remote: RemoteJSONProvider?
    private var publishing: FlagObservation?

    init() {
        let overrides = FlagOverrides(file: .applicationSupportDirectory.appending(path: "overrides.json"))
        // A document with rules, such as a rollout to ten percent: they are evaluated for the user, here.
        let rules = FlagDocumentFormat.flagd(context: .current(user))
        let remote = URL(string: "https://flags.example.com/shop.json").map {
            RemoteJSONProvider(url: $0, name: "remote", format: rules)
        }
        flags = FlagsLoader(
            AppFlags.self,
            providers: [overrides] + (remote.map { [$0] } ?? [])
                + [RegionDefaults(region: Locale.current.region?.identifier ?? "")], observers: [exposures])
        (self.overrides, self.remote) = (overrides, remote)
        // UI tests and schemes of Xcode set flags: `--flag=new_checkout=true`.
        FlagArguments.applyOrExit(to: flags)
        theme = ThemeModel(flags)
        if let remote, let shared = SharedValues.inGroup() {
            try? shared.publish(remote)
            publishing = flags.$widget.observeChanges { _ in
                try? shared.publish(remote)
                WidgetCenter.shared.reloadTimelines(ofKind: "prices")
            }
        }
        Task { [exposures] in
            for await exposure in exposures.exposures { print(FlagExposure.eventName, exposure.attributes) }
        }
        remote?.start()
    }

    /// The flags are those of the user when this returns.
    func logIn(_ id: String) {
        user.set(EvaluationContext.device(installationID: .persistent).merging(["targetingKey": .string(id)]))
    }

    func logOut() { user.set(.device(installationID: .persistent)) }
}
