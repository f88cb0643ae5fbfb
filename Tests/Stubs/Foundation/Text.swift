// swift-format-ignore-file
// What Foundation adds to texts; see Bridging.swift.

extension String {
  public struct Encoding: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ascii = Self(rawValue: 1), utf8 = Self(rawValue: 4), isoLatin1 = Self(rawValue: 5), utf16 = Self(rawValue: 10)
  }
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = Self(rawValue: 1), literal = Self(rawValue: 2), backwards = Self(rawValue: 4), anchored = Self(rawValue: 8)
  }
  public init(contentsOf url: URL, encoding enc: Encoding) throws { fatalError() }
}

extension StringProtocol {
  public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
  public func localizedStandardContains<T: StringProtocol>(_ string: T) -> Bool { fatalError() }
  public func range<T: StringProtocol>(of aString: T, options mask: String.CompareOptions = [], range searchRange: Range<Index>? = nil, locale: Locale? = nil) -> Range<Index>? { fatalError() }
  public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
  public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? { fatalError() }
  public var removingPercentEncoding: String? { fatalError() }
}

// MARK: Styles

public protocol FormatStyle: Decodable, Encodable, Hashable {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
  func locale(_ locale: Locale) -> Self
}
extension FormatStyle { public func locale(_ locale: Locale) -> Self { self } }
extension Date {
  public struct ISO8601FormatStyle: Sendable, Codable, Hashable {
    public init(includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt) {}
    public func time(includingFractionalSeconds: Bool) -> Self { self }
  }
  public struct FormatStyle: Sendable, Codable, Hashable {
    public struct DateStyle: Codable, Hashable, Sendable { public static let omitted = Self(), numeric = Self(), abbreviated = Self(), long = Self(), complete = Self() }
    public struct TimeStyle: Codable, Hashable, Sendable { public static let omitted = Self(), shortened = Self(), standard = Self(), complete = Self() }
    public init(date: DateStyle? = nil, time: TimeStyle? = nil, timeZone: TimeZone = .current) {}
  }
  public func formatted(date: FormatStyle.DateStyle, time: FormatStyle.TimeStyle) -> String { fatalError() }
  public func formatted<F: Foundation.FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date { fatalError() }
}
extension Date.FormatStyle: FormatStyle { public func format(_ value: Date) -> String { fatalError() } }
extension Date.ISO8601FormatStyle: FormatStyle { public func format(_ value: Date) -> String { fatalError() } }
extension Date.ISO8601FormatStyle { public func parse(_ value: String) throws -> Date { fatalError() } }
extension FormatStyle where Self == Date.ISO8601FormatStyle { public static var iso8601: Self { fatalError() } }

// MARK: What packages behind traits name

open class Formatter: NSObject {}
open class DateFormatter: Formatter, @unchecked Sendable {
  public override init() {}
  open var locale: Locale! { get { fatalError() } set {} }
  open var timeZone: TimeZone! { get { fatalError() } set {} }
  open var dateFormat: String! { get { fatalError() } set {} }
}
open class Scanner: NSObject { public init(string: String) {} }
open class NSPredicate: NSObject {}
open class JSONSerialization: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  open class func data(withJSONObject obj: Any, options opt: WritingOptions = []) throws -> Data { fatalError() }
}
