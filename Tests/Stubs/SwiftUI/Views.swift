// swift-format-ignore-file
// A stub of the SwiftUI API that our sources use; see the stub of Foundation. Nothing here runs.
//
// What every system of Package.swift has says nothing of its availability. A type that says that it is a View where it is
// declared lives on the main actor, as in the SDK. Where the SDKs of different years differ, the stricter one is here.
// Foundation is not passed on: who uses it imports it.
@_exported import Observation
public import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: View {
  public typealias Body = Never
  public var body: Never { fatalError() }
}
extension View where Body == Never { public var body: Never { fatalError() } }
extension Optional: View where Wrapped: View { public typealias Body = Never }

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
  @available(*, unavailable, message: "this expression does not conform to 'View'")
  public static func buildExpression(_ invalid: Any) -> some View { fatalError() as EmptyView }
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> { fatalError() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { fatalError() }
  public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> { fatalError() }
  public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> { fatalError() }
}
public struct EmptyView: View {
  public typealias Body = Never
  nonisolated public init() {}
}
public struct TupleView<T>: View { public typealias Body = Never }
public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View where TrueContent: View, FalseContent: View { public typealias Body = Never }

// MARK: Texts and styles

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(_ value: String) {}
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: StringInterpolation) {}
  /// Takes what can be put into a text for people, and not anything, as a `String` does.
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ string: String) {}
    public mutating func appendInterpolation<Subject: NSObject>(_ subject: Subject) {}
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {}
    public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {}
    public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F) where F.FormatOutput == String {}
    public mutating func appendInterpolation(_ text: Text) {}
    public mutating func appendInterpolation(_ image: Image) {}
  }
}
public protocol _FormatSpecifiable: Equatable {}
extension Int: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension UInt: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}

public struct Text: Equatable, Sendable {
  public init(verbatim content: String) {}
  public init(_ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
  public func font(_ font: Font?) -> Text { fatalError() }
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { fatalError() }
}
extension Text: View { public typealias Body = Never }
public struct Image: Equatable, Sendable { public init(systemName: String) {} }
extension Image: View { public typealias Body = Never }

public struct Font: Hashable, Sendable {
  public static let body = Font(), headline = Font(), caption = Font(), footnote = Font()
  public func monospaced() -> Font { fatalError() }
}
public protocol ShapeStyle: Sendable {}
public struct Color: ShapeStyle, Hashable { public static let red = Color(), green = Color(), orange = Color(), secondary = Color(), accentColor = Color() }
extension Color: View { public typealias Body = Never }
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var primary: HierarchicalShapeStyle { fatalError() }
  public static var secondary: HierarchicalShapeStyle { fatalError() }
}
extension ShapeStyle where Self == Color {
  public static var red: Color { fatalError() }
  public static var orange: Color { fatalError() }
}

// MARK: Previews

public struct Preview {
  public enum ViewTraits {}
  /// What the macro `#Preview` expands to.
  @MainActor public init(_ name: String? = nil, traits: PreviewTrait<ViewTraits>..., @ViewBuilder body: @escaping @MainActor () -> any View) {}
}
public struct PreviewTrait<T> {}
public struct PreviewModifierContent: View { public typealias Body = Never }
@MainActor @preconcurrency public protocol PreviewModifier {
  associatedtype Context = Void
  associatedtype Body: View
  static func makeSharedContext() async throws -> Context
  @ViewBuilder func body(content: Self.Content, context: Self.Context) -> Self.Body
  typealias Content = PreviewModifierContent
}
extension PreviewModifier where Context == Void { public static func makeSharedContext() async throws {} }
extension PreviewTrait where T == Preview.ViewTraits {
  @MainActor @preconcurrency public static func modifier(_ modifier: some PreviewModifier) -> PreviewTrait<Preview.ViewTraits> { fatalError() }
}
