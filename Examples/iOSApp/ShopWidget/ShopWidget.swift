import Foundation
import SwiftUI
import Tackline
import WidgetKit

nonisolated struct PricesEntry: TimelineEntry {
    let date: Date
    let showsPrices: Bool
}

/// The flag is read when the timeline is made, since a widget is drawn from entries.
nonisolated struct PricesTimeline: TimelineProvider {
    private let shared = SharedValues.inGroup()

    private var entry: PricesEntry { PricesEntry(date: .now, showsPrices: shared?.flags.showsPrices ?? false) }

    func placeholder(in context: Context) -> PricesEntry { PricesEntry(date: .now, showsPrices: false) }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (PricesEntry) -> Void) { completion(entry) }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<PricesEntry>) -> Void) {
        completion(Timeline(entries: [entry], policy: .after(.now + 3600)))
    }
}

@main
struct ShopWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "prices", provider: PricesTimeline()) { entry in
            Text(entry.showsPrices ? "From 9.99" : "Offers")
                .containerBackground(for: .widget) { EmptyView() }
        }
    }
}
