// systems: macos ios watchos
// The samples of the guide "Widgets and extensions".
import Foundation
import Tackline
import TacklineRemoteJSON
import WidgetKit

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The widget with prices")
    var showsPrices: Bool
}

struct SharedFlags {
    let loader: FlagsLoader<AppFlags>
    let shared: LocalProvider

    init?(group: String) {
        let files = FileManager.default
        guard let folder = files.containerURL(forSecurityApplicationGroupIdentifier: group) else { return nil }
        shared = LocalProvider(localURL: folder.appending(path: "flags.json"))
        loader = FlagsLoader(AppFlags.self, providers: [shared])
    }
}

struct OrdersEntry: TimelineEntry {
    let date: Date
    let showsPrices: Bool
}

struct OrdersTimeline: TimelineProvider {
    let flags = SharedFlags(group: "group.com.example.shop")

    private var entry: OrdersEntry {
        OrdersEntry(date: .now, showsPrices: flags?.loader.showsPrices ?? false)
    }

    func placeholder(in context: Context) -> OrdersEntry { OrdersEntry(date: .now, showsPrices: false) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (OrdersEntry) -> Void) { completion(entry) }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<OrdersEntry>) -> Void) {
        completion(Timeline(entries: [entry], policy: .after(.now + 3600)))
    }
}

final class WidgetUpdates: Sendable {
    private let observation: FlagObservation

    init(_ flags: SharedFlags) {
        observation = flags.loader.changes.observe { _ in WidgetCenter.shared.reloadTimelines(ofKind: "orders") }
    }
}

func publish(_ remote: RemoteJSONProvider, to shared: LocalProvider) async throws {
    try await remote.refresh()
    let values = remote.document.root.map { (FlagKeyPath(components: [$0.key]), EncodedFlagValue?.some($0.value)) }
    try shared.setValues(Dictionary(uniqueKeysWithValues: values))
}
