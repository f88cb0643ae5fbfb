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
  open func url(forResource name: String?, withExtension ext: String?) -> URL? { fatalError() }
  open func object(forInfoDictionaryKey key: String) -> Any? { fatalError() }
  @available(macOS, introduced: 10.7, deprecated: 15.0) @available(iOS, introduced: 7.0, deprecated: 18.0)
  @available(tvOS, introduced: 9.0, deprecated: 18.0) @available(watchOS, introduced: 2.0, deprecated: 11.0)
  @available(visionOS, introduced: 1.0, deprecated: 2.0)
  open var appStoreReceiptURL: URL? { fatalError() }
}

public struct OperatingSystemVersion: Sendable {
  public var majorVersion: Int, minorVersion: Int, patchVersion: Int
}

open class ProcessInfo: NSObject {
  open class var processInfo: ProcessInfo { fatalError() }
  open var environment: [String: String] { fatalError() }
  open var arguments: [String] { fatalError() }
  open var hostName: String { fatalError() }
  open var processName: String { fatalError() }
  open var processIdentifier: Int32 { fatalError() }
  open var systemUptime: TimeInterval { fatalError() }
  open var operatingSystemVersion: OperatingSystemVersion { fatalError() }
  @available(macOS, unavailable)
  open func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

open class Thread: NSObject, @unchecked Sendable {
  public override init() {}
  public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
  @available(*, noasync) open class var isMainThread: Bool { fatalError() }
  @available(*, noasync) open class func sleep(forTimeInterval ti: TimeInterval) {}
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  open var name: String? { get { fatalError() } set {} }
  open var stackSize: Int { get { fatalError() } set {} }
  open func start() {}
}

open class NSLock: NSObject, @unchecked Sendable {
  public override init() {}
  @available(*, noasync) open func lock() {}
  @available(*, noasync) open func unlock() {}
}
open class NSRecursiveLock: NSObject, @unchecked Sendable {
  public override init() {}
  @available(*, noasync) open func lock() {}
  @available(*, noasync) open func unlock() {}
}
extension NSRecursiveLock {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { try body() }
}
open class OperationQueue: NSObject, @unchecked Sendable {
  public override init() {}
  open var maxConcurrentOperationCount: Int { get { fatalError() } set {} }
  open var underlyingQueue: DispatchQueue? { get { fatalError() } set {} }
}

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
  public var object: Any?
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
  open func post(name aName: NSNotification.Name, object anObject: Any?) {}
}

open class UserDefaults: NSObject {
  open class var standard: UserDefaults { fatalError() }
  public init?(suiteName suitename: String?) { super.init() }
  public class var didChangeNotification: NSNotification.Name { fatalError() }
  open func object(forKey defaultName: String) -> Any? { fatalError() }
  open func set(_ value: Any?, forKey defaultName: String) {}
  open func removeObject(forKey defaultName: String) {}
  @discardableResult open func synchronize() -> Bool { fatalError() }
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
  public static let typeSymbolicLink = Self(rawValue: "NSFileTypeSymbolicLink")
}
open class FileManager: NSObject {
  public enum SearchPathDirectory: UInt, Sendable { case libraryDirectory = 5, documentDirectory = 9, cachesDirectory = 13, applicationSupportDirectory = 14 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = Self(rawValue: 1)
  }
  open class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol {
    open func nextObject() -> Any? { fatalError() }
    open func skipDescendants() {}
    open var fileAttributes: [FileAttributeKey: Any]? { fatalError() }
    public func next() -> Any? { fatalError() }
  }
  open class var `default`: FileManager { fatalError() }
  public override init() {}
  open var currentDirectoryPath: String { fatalError() }
  open var temporaryDirectory: URL { fatalError() }
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
  open func fileExists(atPath path: String) -> Bool { fatalError() }
  open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws { fatalError() }
  open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
  open func contents(atPath path: String) -> Data? { fatalError() }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  open func subpathsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  open func enumerator(atPath path: String) -> DirectoryEnumerator? { fatalError() }
  open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { fatalError() }
  open func createDirectory(at url: URL, withIntermediateDirectories createIntermediates: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  open func createDirectory(atPath path: String, withIntermediateDirectories createIntermediates: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  open func removeItem(at URL: URL) throws {}
  open func removeItem(atPath path: String) throws {}
  open func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
  @available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable) @available(visionOS, unavailable)
  open var homeDirectoryForCurrentUser: URL { fatalError() }
}
open class FileHandle: NSObject, @unchecked Sendable {
  open class var standardInput: FileHandle { fatalError() }
  open class var standardOutput: FileHandle { fatalError() }
  open class var standardError: FileHandle { fatalError() }
  open class var nullDevice: FileHandle { fatalError() }
  public convenience init?(forReadingAtPath path: String) { nil }
  open func write(_ data: Data) {}
  open func write<T: DataProtocol>(contentsOf data: T) throws {}
  open func readToEnd() throws -> Data? { fatalError() }
  open func read(upToCount count: Int) throws -> Data? { fatalError() }
  open func close() throws {}
}
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
open class Process: NSObject, @unchecked Sendable {
  public enum TerminationReason: Int, @unchecked Sendable { case exit = 1, uncaughtSignal = 2 }
  public override init() {}
  open var executableURL: URL?
  open var arguments: [String]?
  open var environment: [String: String]?
  open var standardInput: Any?
  open var standardOutput: Any?
  open var standardError: Any?
  open func run() throws {}
  open func waitUntilExit() {}
  open var processIdentifier: Int32 { fatalError() }
  open var isRunning: Bool { fatalError() }
  open var terminationStatus: Int32 { fatalError() }
  open var terminationReason: TerminationReason { fatalError() }
}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Data: DataProtocol {}
public protocol ContiguousBytes {}
extension Data: ContiguousBytes {}

// MARK: Documents

open class PropertyListSerialization: NSObject {
  public enum PropertyListFormat: UInt, Sendable { case openStep = 1, xml = 100, binary = 200 }
  public typealias WriteOptions = Int
  public struct ReadOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mutableContainers = Self(rawValue: 1), mutableContainersAndLeaves = Self(rawValue: 2)
  }
  open class func data(fromPropertyList plist: Any, format: PropertyListFormat, options opt: WriteOptions) throws -> Data { fatalError() }
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
