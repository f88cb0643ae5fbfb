// swift-format-ignore-file
// What Foundation adds to texts; see Bridging.swift.

public enum ComparisonResult: Int, Sendable { case orderedAscending = -1, orderedSame, orderedDescending }

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
    public static let numeric = Self(rawValue: 64), diacriticInsensitive = Self(rawValue: 128), regularExpression = Self(rawValue: 1024)
  }
  public init?<S: Sequence>(bytes: S, encoding: Encoding) where S.Element == UInt8 { nil }
  public init?(data: Data, encoding: Encoding) { nil }
  public init(contentsOf url: URL, encoding enc: Encoding) throws { fatalError() }
  public init(contentsOfFile path: String, encoding enc: Encoding) throws { fatalError() }
  public init(format: String, _ arguments: any CVarArg...) { fatalError() }
  public init(format: String, locale: Locale?, _ arguments: any CVarArg...) { fatalError() }
}

extension StringProtocol {
  public var capitalized: String { fatalError() }
  public var localizedLowercase: String { fatalError() }
  public var decomposedStringWithCanonicalMapping: String { fatalError() }
  public var precomposedStringWithCanonicalMapping: String { fatalError() }
  public var decomposedStringWithCompatibilityMapping: String { fatalError() }
  public func lowercased(with locale: Locale?) -> String { fatalError() }
  public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
  public func localizedStandardContains<T: StringProtocol>(_ string: T) -> Bool { fatalError() }
  public func localizedCaseInsensitiveContains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
  public func caseInsensitiveCompare<T: StringProtocol>(_ aString: T) -> ComparisonResult { fatalError() }
  public func localizedStandardCompare<T: StringProtocol>(_ string: T) -> ComparisonResult { fatalError() }
  public func range<T: StringProtocol>(of aString: T, options mask: String.CompareOptions = [], range searchRange: Range<Index>? = nil, locale: Locale? = nil) -> Range<Index>? { fatalError() }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { fatalError() }
  public func components(separatedBy separator: CharacterSet) -> [String] { fatalError() }
  public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
  public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(of target: Target, with replacement: Replacement, options: String.CompareOptions = [], range searchRange: Range<Index>? = nil) -> String { fatalError() }
  public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? { fatalError() }
  public var removingPercentEncoding: String? { fatalError() }
  public func padding<T: StringProtocol>(toLength newLength: Int, withPad padString: T, startingAt padIndex: Int) -> String { fatalError() }
  public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { fatalError() }
  public func write(to url: URL, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding) throws {}
}

// MARK: Styles

public protocol FormatStyle: Decodable, Encodable, Hashable {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
  func locale(_ locale: Locale) -> Self
}
extension FormatStyle { public func locale(_ locale: Locale) -> Self { self } }
public protocol ParseStrategy: Decodable, Encodable, Hashable {
  associatedtype ParseInput
  associatedtype ParseOutput
  func parse(_ value: ParseInput) throws -> ParseOutput
}
public protocol ParseableFormatStyle: FormatStyle {
  associatedtype Strategy: ParseStrategy where Strategy.ParseInput == FormatOutput, Strategy.ParseOutput == FormatInput
  var parseStrategy: Strategy { get }
}
public struct IntegerParseStrategy<Format>: ParseStrategy where Format: FormatStyle, Format.FormatInput: BinaryInteger {
  public func parse(_ value: String) throws -> Format.FormatInput { fatalError() }
}
public struct IntegerFormatStyle<Value: BinaryInteger>: ParseableFormatStyle, Sendable {
  public func format(_ value: Value) -> String { fatalError() }
  public var parseStrategy: IntegerParseStrategy<Self> { fatalError() }
}
extension FormatStyle where Self == IntegerFormatStyle<Int> { public static var number: IntegerFormatStyle<Int> { fatalError() } }
extension Date {
  public struct ISO8601FormatStyle: Sendable, Codable, Hashable {
    public init(includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt) {}
    public func time(includingFractionalSeconds: Bool) -> Self { self }
  }
  public struct FormatStyle: Sendable, Codable, Hashable {
    public struct DateStyle: Codable, Hashable, Sendable { public static let omitted = Self(), numeric = Self(), abbreviated = Self(), long = Self(), complete = Self() }
    public struct TimeStyle: Codable, Hashable, Sendable { public static let omitted = Self(), shortened = Self(), standard = Self(), complete = Self() }
  }
  public func formatted(date: FormatStyle.DateStyle, time: FormatStyle.TimeStyle) -> String { fatalError() }
  public func formatted<F: Foundation.FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date { fatalError() }
}
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
  open func string(from date: Date) -> String { fatalError() }
  open func date(from string: String) -> Date? { fatalError() }
}
open class Scanner: NSObject { public init(string: String) {} }
open class NSPredicate: NSObject {}
open class JSONSerialization: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let fragmentsAllowed = Self(rawValue: 4)
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = Self(rawValue: 2), fragmentsAllowed = Self(rawValue: 4)
  }
  open class func data(withJSONObject obj: Any, options opt: WritingOptions = []) throws -> Data { fatalError() }
}
