// swift-format-ignore-file
// Values of Foundation; see Bridging.swift.

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init(timeIntervalSinceReferenceDate ti: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { fatalError() }
  public static let distantPast = Date(), distantFuture = Date()
  public static var now: Date { fatalError() }
  public static func < (lhs: Date, rhs: Date) -> Bool { fatalError() }
  public static func + (lhs: Date, rhs: TimeInterval) -> Date { fatalError() }
  public static func - (lhs: Date, rhs: TimeInterval) -> Date { fatalError() }
  public static func += (lhs: inout Date, rhs: TimeInterval) {}
  public var description: String { fatalError() }
}

public struct Data: RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Hashable, Sendable, Codable, CustomStringConvertible {
  public typealias Index = Int
  public typealias Element = UInt8
  public typealias SubSequence = Data
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init() {}
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public init?(base64Encoded base64String: String, options: Base64DecodingOptions = []) { nil }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 { get { fatalError() } set {} }
  public subscript(bounds: Range<Int>) -> Data { get { fatalError() } set {} }
  public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C) where C.Element == UInt8 {}
  public mutating func append(_ other: Data) {}
  public var description: String { fatalError() }
}

public struct UUID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString string: String) { nil }
  public var uuidString: String { fatalError() }
  public static func < (lhs: UUID, rhs: UUID) -> Bool { fatalError() }
  public var description: String { fatalError() }
}

public struct Decimal: Hashable, Comparable, Sendable, Codable {
  public init?(string: String, locale: Locale? = nil) { nil }
  public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
  public init(_ value: Int64) {}
  public static func + (lhs: Decimal, rhs: Decimal) -> Decimal { fatalError() }
  public static func * (lhs: Decimal, rhs: Decimal) -> Decimal { fatalError() }
  public var isNaN: Bool { fatalError() }
  public static var nan: Decimal { fatalError() }
  public static func < (lhs: Decimal, rhs: Decimal) -> Bool { fatalError() }
}
extension Decimal: CustomStringConvertible { public var description: String { fatalError() } }
extension Decimal: ExpressibleByIntegerLiteral { public init(integerLiteral value: Int) {} }

public struct Locale: Hashable, Sendable {
  public init(identifier: String) {}
  public static var current: Locale { fatalError() }
  public enum IdentifierType: Hashable, Sendable { case icu, bcp47, cldr }
  public func identifier(_ type: Locale.IdentifierType) -> String { fatalError() }
  public struct Region: Hashable, Sendable { public let identifier: String }
  public var region: Locale.Region? { fatalError() }
}
public struct TimeZone: Hashable, Sendable {
  public init?(secondsFromGMT seconds: Int) { nil }
  public static var current: TimeZone { fatalError() }
  public static var gmt: TimeZone { fatalError() }
}
public struct CharacterSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Unicode.Scalar...) {}
  public static var whitespaces: CharacterSet { fatalError() }
  public static var whitespacesAndNewlines: CharacterSet { fatalError() }
  public static var urlPathAllowed: CharacterSet { fatalError() }
}

// MARK: Addresses

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  public init?(string: String) { nil }
  public init?(string: String, encodingInvalidCharacters: Bool) { nil }
  public init?(string: String, relativeTo url: URL?) { nil }
  public init(filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) {}
  public var absoluteString: String { fatalError() }
  public var absoluteURL: URL { fatalError() }
  public var isFileURL: Bool { fatalError() }
  public var scheme: String? { fatalError() }
  public var port: Int? { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
  public func host(percentEncoded: Bool = true) -> String? { fatalError() }
  public func query(percentEncoded: Bool = true) -> String? { fatalError() }
  public func fragment(percentEncoded: Bool = true) -> String? { fatalError() }
  public func appending<S: StringProtocol>(path: S, directoryHint: DirectoryHint = .inferFromPath) -> URL { fatalError() }
  public func appending<S: StringProtocol>(component: S, directoryHint: DirectoryHint = .inferFromPath) -> URL { fatalError() }
  public func appending(queryItems: [URLQueryItem]) -> URL { fatalError() }
  public func appendingPathComponent(_ pathComponent: String) -> URL { fatalError() }
  public func deletingLastPathComponent() -> URL { fatalError() }
  public mutating func setResourceValues(_ values: URLResourceValues) throws { fatalError() }
  public func resolvingSymlinksInPath() -> URL { fatalError() }
  public static var temporaryDirectory: URL { fatalError() }
  public static var applicationSupportDirectory: URL { fatalError() }
  public var description: String { fatalError() }
}

public struct URLResourceValues: Sendable {
  public init() {}
  public var isExcludedFromBackup: Bool? { get { fatalError() } set { fatalError() } }
}

public struct URLQueryItem: Hashable, Sendable {
  public init(name: String, value: String?) { self.name = name; self.value = value }
  public var name: String
  public var value: String?
}

public struct URLComponents: Hashable, Sendable {
  public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) { nil }
  public var url: URL? { fatalError() }
  public var queryItems: [URLQueryItem]?
}

// What CoreGraphics gives it.
public struct CGFloat: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int) {}
  public init(floatLiteral value: Double) {}
}
