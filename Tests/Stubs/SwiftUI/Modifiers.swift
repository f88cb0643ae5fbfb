// swift-format-ignore-file
// What SwiftUI can do to a view; see Views.swift. Calling these needs no actor.
import Foundation

public struct SearchFieldPlacement: Sendable { public static let automatic = Self() }
public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }
public enum HorizontalEdge: Hashable, Sendable { case leading, trailing }
public protocol TextSelectability { static var allowsSelection: Bool { get } }
public struct EnabledTextSelectability: TextSelectability { public static var allowsSelection: Bool { fatalError() } }
extension TextSelectability where Self == EnabledTextSelectability { public static var enabled: EnabledTextSelectability { fatalError() } }
public protocol PresentationSizing {}
public struct PagePresentationSizing: PresentationSizing, Sendable {}
extension PresentationSizing where Self == PagePresentationSizing { public static var page: PagePresentationSizing { fatalError() } }
public struct AccessibilityChildBehavior: Hashable, Sendable { public static let ignore = Self(), contain = Self(), combine = Self() }
@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, *) @available(visionOS, unavailable)
public struct Glass: Equatable, Sendable { public static var regular: Glass { fatalError() } }

extension View {
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { fatalError() }
  nonisolated public func environment<T: AnyObject & Observable>(_ object: T?) -> some View { fatalError() as EmptyView }
  nonisolated public func transformEnvironment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void) -> some View { fatalError() as EmptyView }

  // Life.
  nonisolated public func task(priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { fatalError() as EmptyView }
  nonisolated public func task<T: Equatable>(id value: T, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { fatalError() as EmptyView }
  nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { fatalError() as EmptyView }

  // Navigation and presentation.
  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { fatalError() as EmptyView }
  @_disfavoredOverload nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { fatalError() as EmptyView }
  nonisolated public func navigationDestination<D: Hashable, C: View>(for data: D.Type, @ViewBuilder destination: @escaping (D) -> C) -> some View { fatalError() as EmptyView }
  nonisolated public func searchable(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey) -> some View { fatalError() as EmptyView }
  @_disfavoredOverload nonisolated public func searchable<S: StringProtocol>(text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S) -> some View { fatalError() as EmptyView }
  nonisolated public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View { fatalError() as EmptyView }
  nonisolated public func alert<A: View, M: View>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M) -> some View { fatalError() as EmptyView }
  @_disfavoredOverload nonisolated public func alert<S: StringProtocol, A: View, M: View>(_ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M) -> some View { fatalError() as EmptyView }
  @_disfavoredOverload nonisolated public func confirmationDialog<S: StringProtocol, A: View>(_ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A) -> some View { fatalError() as EmptyView }
  nonisolated public func presentationSizing(_ sizing: some PresentationSizing) -> some View { fatalError() as EmptyView }
  nonisolated public func sheet<Content: View>(isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content) -> some View { fatalError() as EmptyView }
  nonisolated public func confirmationDialog<A: View>(_ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A) -> some View { fatalError() as EmptyView }

  // Looks.
  nonisolated public func font(_ font: Font?) -> some View { fatalError() as EmptyView }
  nonisolated public func lineLimit(_ number: Int?) -> some View { fatalError() as EmptyView }
  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil
  ) -> some View { fatalError() as EmptyView }
  nonisolated public func labelsHidden() -> some View { fatalError() as EmptyView }
  nonisolated public func overlay<V: View>(@ViewBuilder content: () -> V) -> some View { fatalError() as EmptyView }
  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, *) @available(visionOS, unavailable)
  nonisolated public func glassEffect(_ glass: Glass = .regular) -> some View { fatalError() as EmptyView }

  // Input.
  nonisolated public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View { fatalError() as EmptyView }
  nonisolated public func disabled(_ disabled: Bool) -> some View { fatalError() as EmptyView }
  nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View { fatalError() as EmptyView }
  @available(tvOS, unavailable)
  nonisolated public func swipeActions<T: View>(edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T) -> some View { fatalError() as EmptyView }
  @available(tvOS, unavailable) @available(watchOS, unavailable)
  nonisolated public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { fatalError() as EmptyView }

  // Accessibility.
  nonisolated public func accessibilityLabel(_ label: Text) -> some View { fatalError() as EmptyView }
  nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { fatalError() as EmptyView }
  @_disfavoredOverload nonisolated public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { fatalError() as EmptyView }
  nonisolated public func accessibilityValue(_ valueDescription: Text) -> some View { fatalError() as EmptyView }
  nonisolated public func accessibilityHint(_ hint: Text) -> some View { fatalError() as EmptyView }
  nonisolated public func accessibilityIdentifier(_ identifier: String) -> some View { fatalError() as EmptyView }
  nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { fatalError() as EmptyView }
}

#if canImport(UIKit)
  public import UIKit

  @MainActor @preconcurrency open class UIHostingController<Content: View>: UIViewController {
    @MainActor @preconcurrency public init(rootView: Content) { fatalError() }
    @MainActor @preconcurrency public init?(coder aDecoder: NSCoder, rootView: Content) { fatalError() }
    @MainActor @preconcurrency required dynamic public init?(coder aDecoder: NSCoder) { fatalError() }
    @MainActor @preconcurrency public var rootView: Content { get { fatalError() } set {} }
  }
#endif
