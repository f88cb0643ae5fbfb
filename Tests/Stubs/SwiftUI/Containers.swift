// swift-format-ignore-file
// Views of SwiftUI that hold others; see Views.swift.
import Foundation

public struct List<SelectionValue: Hashable, Content: View>: View { public typealias Body = Never }
extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) {}
  public init<Data: RandomAccessCollection, RowContent: View>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent)
  where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View { public typealias Body = Never }
extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where Content: View {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct Section<Parent, Content, Footer> {}
extension Section: View where Parent: View, Content: View, Footer: View { public typealias Body = Never }
extension Section where Parent: View, Content: View, Footer: View {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer) {}
}
extension Section where Parent: View, Content: View, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {}
}
extension Section where Parent == Text, Content: View, Footer == EmptyView {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView { public init(@ViewBuilder content: () -> Content) {} }

public struct HorizontalAlignment: Equatable, Sendable { public static let leading = Self(), center = Self(), trailing = Self() }
public struct VerticalAlignment: Equatable, Sendable { public static let top = Self(), center = Self(), bottom = Self(), firstTextBaseline = Self() }
public struct VStack<Content: View>: View {
  public typealias Body = Never
  public init(alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}
public struct HStack<Content: View>: View {
  public typealias Body = Never
  public init(alignment: VerticalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}
public struct Group<Content> {}
extension Group: View where Content: View {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content) {}
}
public struct Spacer {}
extension Spacer: View {
  public typealias Body = Never
  public init(minLength: Double? = nil) {}
}
public struct Form<Content: View>: View {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content) {}
}
public struct LabeledContent<Label, Content> {}
extension LabeledContent: View where Label: View, Content: View {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
}
extension LabeledContent where Label == Text, Content == Text {
  @_disfavoredOverload public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {}
}

public struct NavigationPath { public init() {} }
public struct NavigationStack<Data, Root: View>: View { public typealias Body = Never }
extension NavigationStack { public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {} }
public struct NavigationLink<Label: View, Destination: View>: View { public typealias Body = Never }
extension NavigationLink { public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {} }
extension NavigationLink where Destination == Never { public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {} }

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View { public typealias Body = Never }
public struct SearchUnavailableContent {
  public struct Label: View { public typealias Body = Never }
  public struct Description: View { public typealias Body = Never }
  public struct Actions: View { public typealias Body = Never }
}
extension ContentUnavailableView where Label == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description, Actions == SearchUnavailableContent.Actions {
  public static func search(text: String) -> Self { fatalError() }
}
extension ContentUnavailableView {
  public init(@ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() }, @ViewBuilder actions: () -> Actions = { EmptyView() }) {}
}
extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {}
}

// MARK: Toolbars

public struct ToolbarItemPlacement: Sendable {
  public static let automatic = Self(), primaryAction = Self(), confirmationAction = Self(), cancellationAction = Self()
}
@MainActor @preconcurrency public protocol ToolbarContent {
  associatedtype Body: ToolbarContent
  @ToolbarContentBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: ToolbarContent {}
extension ToolbarContent where Body == Never { public var body: Never { fatalError() } }
extension Optional: ToolbarContent where Wrapped: ToolbarContent {}
public struct ToolbarItem<ID, Content: View>: ToolbarContent { public typealias Body = Never }
extension ToolbarItem where ID == () { public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {} }
@resultBuilder public struct ToolbarContentBuilder {
  public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { fatalError() }
  public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> Content? { fatalError() }
  public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent>(_ c0: C0, _ c1: C1) -> some ToolbarContent { c0 }
}

// MARK: Apps

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}
extension App { @MainActor @preconcurrency public static func main() {} }
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: Scene {}
extension Scene where Body == Never { public var body: Never { fatalError() } }
@resultBuilder public struct SceneBuilder {
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { fatalError() }
}
public struct WindowGroup<Content: View>: Scene {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content) {}
}
