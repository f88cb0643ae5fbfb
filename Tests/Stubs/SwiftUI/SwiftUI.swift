// swift-format-ignore-file
// A stub of the SwiftUI API that our conditional files use, so that they can be type-checked where there is no SwiftUI.
// Written from Apple's documentation; nothing here runs, and nothing here is part of a product. A signature that is
// missing makes the check fail: add it, as the documentation has it.
@_exported import Observation
@_exported import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: View { public typealias Body = Never; public var body: Never { fatalError() } }
extension View where Body == Never { public var body: Never { fatalError() } }
extension Optional: View where Wrapped: View { public typealias Body = Never }

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> { fatalError() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> { fatalError() }
  public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> { fatalError() }
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { fatalError() }
}
public struct EmptyView: View { public typealias Body = Never; nonisolated public init() {} }
public struct TupleView<T>: View { public typealias Body = Never }
public struct AnyView: View { public typealias Body = Never; public init<V: View>(_ v: V) {} }
public struct _ConditionalContent<T: View, F: View>: View { public typealias Body = Never }

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation { public init(stringLiteral v: String) {}; public init(_ v: String) {} }
public struct Text: View, Equatable { public typealias Body = Never
  public init(verbatim: String) {}
  public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
  public func bold() -> Text { self }; public func font(_ f: Font?) -> Text { self }; public func foregroundStyle<S: ShapeStyle>(_ s: S) -> Text { self } }
public struct Font: Hashable, Sendable { public static let body = Font(), headline = Font(), caption = Font(), footnote = Font()
  public func monospaced() -> Font { self } }
public protocol ShapeStyle: Sendable {}
public struct Color: ShapeStyle, View, Hashable { public typealias Body = Never; nonisolated public static let red = Color(), green = Color(), orange = Color(), secondary = Color(), accentColor = Color() }
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle { public static var primary: HierarchicalShapeStyle { .init() }; public static var secondary: HierarchicalShapeStyle { .init() } }
extension ShapeStyle where Self == Color { public static var red: Color { .red }; public static var orange: Color { .orange } }

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void) {}
  public static func constant(_ v: Value) -> Binding<Value> { fatalError() }
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { self }
  public init(projectedValue: Binding<Value>) {}
  public subscript<S>(dynamicMember kp: WritableKeyPath<Value, S>) -> Binding<S> { fatalError() } }
extension Binding: Sendable where Value: Sendable {}
public protocol DynamicProperty {}
@propertyWrapper public struct State<Value>: DynamicProperty { public init(wrappedValue: Value) {}; public init(initialValue: Value) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }; public var projectedValue: Binding<Value> { fatalError() } }
extension State where Value: ExpressibleByNilLiteral { public init() {} }
extension State: Sendable where Value: Sendable {}
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> { public var wrappedValue: Value; public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }; public var projectedValue: Bindable<Value> { self } }
extension Bindable where Value: AnyObject { public subscript<S>(dynamicMember kp: ReferenceWritableKeyPath<Value, S>) -> Binding<S> { fatalError() } }
extension Bindable where Value: AnyObject, Value: Observable { public init(_ w: Value) { self.init(wrappedValue: w) }; public init(projectedValue: Bindable<Value>) { self = projectedValue } }
public struct EnvironmentValues: Sendable { public init() {}
  public var dismiss: DismissAction { fatalError() }
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value { get { fatalError() } set {} }
  public subscript<T: AnyObject & Observable>(type: T.Type) -> T? { get { nil } set {} } }
public protocol EnvironmentKey { associatedtype Value; static var defaultValue: Value { get } }
@MainActor @preconcurrency public struct DismissAction: Sendable { public func callAsFunction() {} }
@propertyWrapper public struct Environment<Value>: DynamicProperty { public init(_ kp: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() } }
extension Environment { public init(_ t: Value.Type) where Value: AnyObject, Value: Observable {}
  public init<T: AnyObject & Observable>(_ t: T.Type) where Value == T? {} }

public struct Toggle<Label: View>: View { public typealias Body = Never
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {} }
extension Toggle where Label == Text { public init(_ key: LocalizedStringKey, isOn: Binding<Bool>) {}; @_disfavoredOverload public init<S: StringProtocol>(_ t: S, isOn: Binding<Bool>) {} }
public struct TextField<Label: View>: View { public typealias Body = Never }
extension TextField where Label == Text { public init(_ key: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {}; @_disfavoredOverload public init<S: StringProtocol>(_ t: S, text: Binding<String>) {}
  public init<F: ParseableFormatStyle>(_ key: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil) where F.FormatOutput == String {} }
public struct ButtonRole: Equatable, Sendable { public static let destructive = ButtonRole(), cancel = ButtonRole() }
public struct Button<Label: View>: View { public typealias Body = Never
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {} }
extension Button where Label == Text { public init(_ key: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}; public init(_ key: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {} }
public struct Label<T: View, I: View>: View { public typealias Body = Never }
extension Label where T == Text, I == Image { public init(_ key: LocalizedStringKey, systemImage: String) {} }
public struct Image: View { public typealias Body = Never; public init(systemName: String) {} }
public struct Picker<Label: View, Sel: Hashable, Content: View>: View { public typealias Body = Never }
extension Picker where Label == Text { public init(_ key: LocalizedStringKey, selection: Binding<Sel>, @ViewBuilder content: () -> Content) {}; @_disfavoredOverload public init<S: StringProtocol>(_ t: S, selection: Binding<Sel>, @ViewBuilder content: () -> Content) {} }
public struct List<Sel, Content: View>: View { public typealias Body = Never }
extension List where Sel == Never { public init(@ViewBuilder content: () -> Content) {}
  public init<Data: RandomAccessCollection, Row: View>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {} }
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View { public typealias Body = Never }
extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID { public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {} }
extension ForEach where Content: View { public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {} }
public struct Section<P, C, F> {}
extension Section: View where P: View, C: View, F: View { public typealias Body = Never }
extension Section where P: View, C: View, F: View { public init(@ViewBuilder content: () -> C, @ViewBuilder header: () -> P, @ViewBuilder footer: () -> F) {} }
extension Section where P: View, C: View, F == EmptyView { public init(@ViewBuilder content: () -> C, @ViewBuilder header: () -> P) {} }
extension Section where P == Text, C: View, F == EmptyView { public init(_ key: LocalizedStringKey, @ViewBuilder content: () -> C) {}; @_disfavoredOverload public init<S: StringProtocol>(_ t: S, @ViewBuilder content: () -> C) {} }
extension Section where P == EmptyView, C: View, F == EmptyView { public init(@ViewBuilder content: () -> C) {} }
public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom, firstTextBaseline }
public struct VStack<C: View>: View { public typealias Body = Never; public init(alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> C) {} }
public struct HStack<C: View>: View { public typealias Body = Never; public init(alignment: VerticalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> C) {} }
public struct Group<C> {}; extension Group: View where C: View { public typealias Body = Never; public init(@ViewBuilder content: () -> C) {} }
public struct Spacer: View { public typealias Body = Never; public init(minLength: Double? = nil) {} }
public struct NavigationPath: Sendable { public init() {} }
public struct NavigationStack<Data, Root: View>: View { public typealias Body = Never }
extension NavigationStack { public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {} }
public struct NavigationLink<Label: View, Dest: View>: View { public typealias Body = Never }
extension NavigationLink where Dest == Never { public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {} }
extension NavigationLink { public init(@ViewBuilder destination: () -> Dest, @ViewBuilder label: () -> Label) {} }
public struct ContentUnavailableView<L: View, D: View, A: View>: View { public typealias Body = Never }
public struct SearchUnavailableContent { public struct Label: View { public typealias Body = Never }; public struct Description: View { public typealias Body = Never }; public struct Actions: View { public typealias Body = Never } }
extension ContentUnavailableView where L == SearchUnavailableContent.Label, D == SearchUnavailableContent.Description, A == SearchUnavailableContent.Actions { public static func search(text: String) -> Self { fatalError() } }
public struct ToolbarItemPlacement: Sendable { public static let primaryAction = Self(), confirmationAction = Self(), automatic = Self() }
@MainActor @preconcurrency public protocol ToolbarContent { }
public struct ToolbarItem<ID, C: View>: ToolbarContent {}
extension ToolbarItem where ID == () { nonisolated public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> C) {} }
@resultBuilder public struct ToolbarContentBuilder { public static func buildExpression<C: ToolbarContent>(_ c: C) -> C { c }; public static func buildBlock<C: ToolbarContent>(_ c: C) -> C { c } }
public struct SearchFieldPlacement: Sendable { public static let automatic = Self() }
public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }
public enum HorizontalEdge: Sendable { case leading, trailing }
extension View {
  public func navigationTitle(_ key: LocalizedStringKey) -> some View { EmptyView() }
  @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ t: S) -> some View { EmptyView() }
  public func navigationDestination<D: Hashable, C: View>(for data: D.Type, @ViewBuilder destination: @escaping (D) -> C) -> some View { EmptyView() }
  public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey) -> some View { EmptyView() }
  public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil) -> some View { EmptyView() }
  public func toolbar<C: View>(@ViewBuilder content: () -> C) -> some View { EmptyView() }
  public func toolbar<C: ToolbarContent>(@ToolbarContentBuilder content: () -> C) -> some View { EmptyView() }
  public func swipeActions<T: View>(edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T) -> some View { EmptyView() }
  public func foregroundStyle<S: ShapeStyle>(_ s: S) -> some View { EmptyView() }
  public func font(_ f: Font?) -> some View { EmptyView() }
  public func tag<V: Hashable>(_ v: V, includeOptional: Bool = true) -> some View { EmptyView() }
  public func disabled(_ d: Bool) -> some View { EmptyView() }
  public func environment<T: AnyObject & Observable>(_ o: T?) -> some View { EmptyView() }
  public func environment<V>(_ kp: WritableKeyPath<EnvironmentValues, V>, _ v: V) -> some View { EmptyView() }
  public func task(priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void) -> some View { EmptyView() }
  public func overlay<V: View>(@ViewBuilder content: () -> V) -> some View { EmptyView() }
  public func accessibilityLabel(_ k: LocalizedStringKey) -> some View { EmptyView() }
  public func accessibilityIdentifier(_ s: String) -> some View { EmptyView() }
}

// MARK: Modifiers and the environment

@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
  typealias Content = _ViewModifier_Content<Self>
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: View { public typealias Body = Never }
public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier { public typealias Body = Never }
extension View {
  public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { fatalError() }
  public func transformEnvironment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void) -> some View { EmptyView() }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
}

// MARK: The flag browser

extension Binding { public init?(_ base: Binding<Value?>) { return nil } }
extension Label { public init(@ViewBuilder title: () -> T, @ViewBuilder icon: () -> I) {} }
public struct Menu<Label: View, Content: View>: View { public typealias Body = Never
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {} }
extension Menu where Label == Text { public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {} }
public struct Form<Content: View>: View { public typealias Body = Never; public init(@ViewBuilder content: () -> Content) {} }
public struct LabeledContent<Label, Content> {}
extension LabeledContent: View where Label: View, Content: View { public typealias Body = Never
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {} }
public struct Stepper<Label: View>: View { public typealias Body = Never
  public init(@ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?, onEditingChanged: @escaping (Bool) -> Void = { _ in }) {} }
public struct DatePickerComponents: OptionSet, Sendable { public let rawValue: UInt; public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let hourAndMinute = Self(rawValue: 96), date = Self(rawValue: 30) }
public struct DatePicker<Label: View>: View { public typealias Body = Never; public typealias Components = DatePickerComponents }
extension DatePicker where Label == Text { public init(_ titleKey: LocalizedStringKey, selection: Binding<Date>, displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]) {} }
public struct TextEditor: View { public typealias Body = Never; public init(text: Binding<String>) {} }
public struct ProgressView<Label: View, CurrentValueLabel: View>: View { public typealias Body = Never }
extension ProgressView where CurrentValueLabel == EmptyView { public init() where Label == EmptyView {} }
public struct DefaultShareLinkLabel: View { public typealias Body = Never }
public struct ShareLink<Data: RandomAccessCollection, PreviewImage, PreviewIcon, Label: View>: View { public typealias Body = Never }
extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel { public init(_ titleKey: LocalizedStringKey, item: String, subject: Text? = nil, message: Text? = nil) where Data == CollectionOfOne<String> {} }
extension ContentUnavailableView where L == SwiftUI.Label<Text, Image>, D == Text?, A == EmptyView { public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {} }
extension ToolbarItemPlacement { public static let cancellationAction = Self() }
extension ToolbarContentBuilder {
  public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent>(_ c0: C0, _ c1: C1) -> some ToolbarContent { c0 } }
public protocol TextSelectability { static var allowsSelection: Bool { get } }
public struct EnabledTextSelectability: TextSelectability { public static var allowsSelection: Bool { true } }
extension TextSelectability where Self == EnabledTextSelectability { public static var enabled: EnabledTextSelectability { .init() } }
public struct AccessibilityChildBehavior: Hashable, Sendable { public static let ignore = Self(), contain = Self(), combine = Self() }
extension View {
  public func navigationTitle(_ title: Text) -> some View { EmptyView() }
  public func alert<A: View, M: View>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M) -> some View { EmptyView() }
  public func sheet<Content: View>(isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content) -> some View { EmptyView() }
  public func confirmationDialog<A: View>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A) -> some View { EmptyView() }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { EmptyView() }
  public func task<T: Equatable>(id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void) -> some View { EmptyView() }
  public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { EmptyView() }
  public func lineLimit(_ number: Int?) -> some View { EmptyView() }
  public func labelsHidden() -> some View { EmptyView() }
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View { EmptyView() }
  public func accessibilityLabel(_ label: Text) -> some View { EmptyView() }
  public func accessibilityValue(_ value: Text) -> some View { EmptyView() }
  public func accessibilityHint(_ hint: Text) -> some View { EmptyView() }
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { EmptyView() }
}

#if canImport(UIKit)
  public import UIKit

  @MainActor @preconcurrency open class UIHostingController<Content: View>: UIViewController {
    @MainActor @preconcurrency public init(rootView: Content) { super.init(nibName: nil, bundle: nil) }
    @MainActor @preconcurrency required dynamic public init?(coder aDecoder: NSCoder) { nil }
  }
#endif
