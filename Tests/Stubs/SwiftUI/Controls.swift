// swift-format-ignore-file
// Controls of SwiftUI; see Views.swift.
public import Foundation

public struct Toggle<Label: View>: View {
  public typealias Body = Never
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {}
}
extension Toggle where Label == Text {
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {}
}

public struct TextField<Label: View>: View { public typealias Body = Never }
extension TextField {
  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {}
}
extension TextField where Label == Text {
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}
@available(tvOS, unavailable) @available(watchOS, unavailable)
public struct TextEditor: View {
  public typealias Body = Never
  public init(text: Binding<String>) {}
}

public struct ButtonRole: Equatable, Sendable {
  public static let destructive = ButtonRole(), cancel = ButtonRole()
}
public struct Button<Label: View>: View {
  public typealias Body = Never
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}

public struct Label<Title: View, Icon: View>: View {
  public typealias Body = Never
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
}
extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View { public typealias Body = Never }
extension Picker {
  public init(selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
}
extension Picker where Label == Text {
  public init(_ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {}
}

@available(tvOS, unavailable)
public struct Stepper<Label: View>: View {
  public typealias Body = Never
  public init(@ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?, onEditingChanged: @escaping (Bool) -> Void = { _ in }) {}
}

@available(tvOS, unavailable)
public struct Slider<Label: View, ValueLabel: View>: View {
  public typealias Body = Never
}
@available(tvOS, unavailable)
extension Slider where ValueLabel == EmptyView {
  public init<V: BinaryFloatingPoint>(value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label, onEditingChanged: @escaping (Bool) -> Void = { _ in }) where V.Stride: BinaryFloatingPoint {}
}

@available(tvOS, unavailable)
public struct DatePickerComponents: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let hourAndMinute = Self(rawValue: 96), date = Self(rawValue: 30)
}
@available(tvOS, unavailable)
public struct DatePicker<Label: View>: View {
  public typealias Body = Never
  public typealias Components = DatePickerComponents
}
@available(tvOS, unavailable)
extension DatePicker {
  public init(selection: Binding<Date>, displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label) {}
}
@available(tvOS, unavailable)
extension DatePicker where Label == Text {
  public init(_ titleKey: LocalizedStringKey, selection: Binding<Date>, displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, selection: Binding<Date>, displayedComponents: DatePicker<Label>.Components = [.hourAndMinute, .date]) {}
}

@available(watchOS, unavailable)
public struct Menu<Label: View, Content: View>: View {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {}
}
@available(watchOS, unavailable)
extension Menu where Label == Text { public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {} }

@available(tvOS, unavailable)
public struct DefaultShareLinkLabel: View { public typealias Body = Never }
@available(tvOS, unavailable)
public struct ShareLink<Data: RandomAccessCollection, PreviewImage, PreviewIcon, Label: View>: View { public typealias Body = Never }
@available(tvOS, unavailable)
extension ShareLink where PreviewImage == Never, PreviewIcon == Never, Label == DefaultShareLinkLabel {
  public init(_ title: Text, item: String, subject: Text? = nil, message: Text? = nil) where Data == CollectionOfOne<String> {}
  public init(_ titleKey: LocalizedStringKey, item: String, subject: Text? = nil, message: Text? = nil) where Data == CollectionOfOne<String> {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, item: String, subject: Text? = nil, message: Text? = nil) where Data == CollectionOfOne<String> {}
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View { public typealias Body = Never }
extension ProgressView where CurrentValueLabel == EmptyView { public init() where Label == EmptyView {} }
