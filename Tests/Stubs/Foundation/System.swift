// swift-format-ignore-file
// Files, settings, notifications and threads of Foundation; see Bridging.swift. Where systems differ in whether a class is
// Sendable, it is not here.

// MARK: The program

public func NSClassFromString(_ aClassName: String) -> AnyClass? { fatalError() }

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { fatalError() }
  open var bundleIdentifier: String? { fatalError() }
  public convenience init?(url: URL) { fatalError() }
  public convenience init(for aClass: AnyClass) { fatalError() }
  open var bundleURL: URL { fatalError() }
  open var bundlePath: String { fatalError() }
  open var resourceURL: URL? { fatalError() }
  open func localizedString(forKey key: String, value: String?, table tableName: String?) -> String { fatalError() }
  open var executablePath: String? { fatalError() }
  open func object(forInfoDictionaryKey key: String) -> Any? { fatalError() }
}

public struct OperatingSystemVersion: Sendable {
  public var majorVersion: Int, minorVersion: Int, patchVersion: Int
}

open class ProcessInfo: NSObject {
  open class var processInfo: ProcessInfo { fatalError() }
  open var environment: [String: String] { fatalError() }
  open var operatingSystemVersion: OperatingSystemVersion { fatalError() }
  @available(macOS, unavailable)
  open func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

open class Thread: NSObject, @unchecked Sendable {
  @available(*, noasync) open class var isMainThread: Bool { fatalError() }
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
}

open class NSLock: NSObject, @unchecked Sendable {
  public override init() {}
}
open class NSRecursiveLock: NSObject, @unchecked Sendable {
  public override init() {}
  @available(*, noasync) open func lock() {}
  @available(*, noasync) open func unlock() {}
}
extension NSRecursiveLock {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
open class OperationQueue: NSObject, @unchecked Sendable {}

// MARK: Notifications and settings

open class NSNotification: NSObject {
  public struct Name: Hashable, RawRepresentable, _SwiftNewtypeWrapper, _ObjectiveCBridgeable, Sendable {
    public typealias _ObjectiveCType = NSString
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
}
public struct Notification {
  public typealias Name = NSNotification.Name
  public var name: Name
  public var userInfo: [AnyHashable: Any]?
}
extension Notification: _Bridged { public typealias _ObjectiveCType = NSNotification }
@available(*, unavailable) extension Notification: Sendable {}
open class NotificationCenter: NSObject, @unchecked Sendable {
  open class var `default`: NotificationCenter { fatalError() }
  open func addObserver(_ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?, object anObject: Any?) {}
  open func addObserver(
    forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { fatalError() }
  open func removeObserver(_ observer: Any) {}
}

open class UserDefaults: NSObject {
  open class var standard: UserDefaults { fatalError() }
  public init?(suiteName suitename: String?) { super.init() }
  public class var didChangeNotification: NSNotification.Name { fatalError() }
  open func object(forKey defaultName: String) -> Any? { fatalError() }
  open func set(_ value: Any?, forKey defaultName: String) {}
}

// MARK: Files

public struct FileAttributeKey: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let type = Self(rawValue: "NSFileType"), size = Self(rawValue: "NSFileSize"), modificationDate = Self(rawValue: "NSFileModificationDate")
  public static let ownerAccountID = Self(rawValue: "NSFileOwnerAccountID"), referenceCount = Self(rawValue: "NSFileReferenceCount")
  public static let posixPermissions = Self(rawValue: "NSFilePosixPermissions"), systemFreeSize = Self(rawValue: "NSFileSystemFreeSize")
}
public struct FileAttributeType: Hashable, RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let typeRegular = Self(rawValue: "NSFileTypeRegular"), typeDirectory = Self(rawValue: "NSFileTypeDirectory")
}
open class FileManager: NSObject {
  public enum SearchPathDirectory: UInt, Sendable { case libraryDirectory = 5, documentDirectory = 9, cachesDirectory = 13, applicationSupportDirectory = 14 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = Self(rawValue: 1)
  }
  open class var `default`: FileManager { fatalError() }
  open var temporaryDirectory: URL { fatalError() }
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
  open func fileExists(atPath path: String) -> Bool { fatalError() }
  open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { fatalError() }
  open func createDirectory(at url: URL, withIntermediateDirectories createIntermediates: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  open func createDirectory(atPath path: String, withIntermediateDirectories createIntermediates: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  open func removeItem(at URL: URL) throws {}
  open func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}
open class FileHandle: NSObject, @unchecked Sendable {
  open class var standardOutput: FileHandle { fatalError() }
  open func write(_ data: Data) {}
}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Data: DataProtocol {}
public protocol ContiguousBytes {}
extension Data: ContiguousBytes {}

// MARK: Documents

open class PropertyListSerialization: NSObject {
  public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
  public struct ReadOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  open class func propertyList(from data: Data, options opt: ReadOptions = [], format: UnsafeMutablePointer<PropertyListFormat>?) throws -> Any { fatalError() }
}
open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = Self(rawValue: 1), sortedKeys = Self(rawValue: 2), withoutEscapingSlashes = Self(rawValue: 8)
  }
  public enum DateEncodingStrategy: Sendable { case deferredToDate, iso8601, custom(@Sendable (Date, any Encoder) throws -> Void) }
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
  open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
extension JSONEncoder: @unchecked Sendable {}

open class JSONDecoder {
  public enum DateDecodingStrategy: Sendable { case deferredToDate, iso8601, custom(@Sendable (any Decoder) throws -> Date) }
  public init() {}
  public enum DataDecodingStrategy: Sendable { case base64, custom(@Sendable (any Decoder) throws -> Data) }
  open var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
  open var dataDecodingStrategy: DataDecodingStrategy = .base64
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
extension JSONDecoder: @unchecked Sendable {}

open class PropertyListEncoder {
  public init() {}
  open var outputFormat: PropertyListSerialization.PropertyListFormat = .binary
  open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}
extension PropertyListEncoder: @unchecked Sendable {}

open class PropertyListDecoder {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
extension PropertyListDecoder: @unchecked Sendable {}

public struct CocoaError: Error {
  public var userInfo: [String: Any] { fatalError() }
}
