// swift-format-ignore-file
// A stub of the WidgetKit API that the samples of the guides use; see the stub of Foundation. Nothing here runs. visionOS has it
// from 26.0 on, tvOS not at all.
public import Foundation
public import SwiftUI

public protocol TimelineEntry { var date: Date { get } }
public struct TimelineReloadPolicy: Equatable, Sendable {
  public static let atEnd = Self(), never = Self()
  public static func after(_ date: Date) -> TimelineReloadPolicy { fatalError() }
}
public struct Timeline<EntryType: TimelineEntry> {
  public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}
extension Timeline: Sendable where EntryType: Sendable {}
public struct TimelineProviderContext { public let isPreview: Bool }
@available(*, unavailable) extension TimelineProviderContext: Sendable {}
public protocol TimelineProvider {
  associatedtype Entry: TimelineEntry
  typealias Context = TimelineProviderContext
  func placeholder(in context: Self.Context) -> Self.Entry
  @preconcurrency func getSnapshot(in context: Self.Context, completion: @escaping @Sendable (Self.Entry) -> Void)
  @preconcurrency func getTimeline(in context: Self.Context, completion: @escaping @Sendable (Timeline<Self.Entry>) -> Void)
}
public class WidgetCenter {
  public static let shared = WidgetCenter()
  public func reloadTimelines(ofKind kind: String) {}
}
extension WidgetCenter: @unchecked Sendable {}

// MARK: Widgets. All but StaticConfiguration and `widget` are in the SDK's SwiftUI.

public struct Alignment: Equatable, Sendable { public static let center = Self() }

@MainActor @preconcurrency public protocol Widget {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency init()
  @MainActor @preconcurrency var body: Self.Body { get }
}
extension Widget { @MainActor @preconcurrency public static func main() {} }
@MainActor @preconcurrency public protocol WidgetConfiguration {
  associatedtype Body: WidgetConfiguration
  @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: WidgetConfiguration {}
extension WidgetConfiguration where Body == Never { public var body: Never { fatalError() } }
public struct ContainerBackgroundPlacement: Sendable, Hashable { public static let widget = Self() }
extension View {
  nonisolated public func containerBackground<V: View>(
    for container: ContainerBackgroundPlacement, alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { fatalError() as EmptyView }
}
@MainActor @preconcurrency public struct StaticConfiguration<Content: View>: WidgetConfiguration {
  public typealias Body = Never
  public init<Provider: TimelineProvider>(
    kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content
  ) {}
}
