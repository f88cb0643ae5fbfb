// swift-format-ignore-file
// A stub of the Dispatch API that our sources use; see the stub of Foundation. Nothing here runs.
@_exported import Darwin
@_exported import ObjectiveC

open class DispatchObject: NSObject {}

public struct DispatchQoS: Sendable, Equatable {
  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
  public static let background = DispatchQoS(), utility = DispatchQoS(), `default` = DispatchQoS(), userInitiated = DispatchQoS()
  public static let userInteractive = DispatchQoS(), unspecified = DispatchQoS()
}
public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
public enum DispatchTimeInterval: Equatable, Sendable { case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never }
public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public struct DispatchTime: Comparable, Sendable {
  public static func now() -> DispatchTime { fatalError() }
  public static func < (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
}
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }

open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }
  public convenience init(label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [], target: DispatchQueue? = nil) { fatalError() }
  public class var main: DispatchQueue { fatalError() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  @preconcurrency public func async(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable @convention(block) () -> Void) {}
  @preconcurrency public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
  @discardableResult public func signal() -> Int { fatalError() }
}

open class DispatchGroup: DispatchObject, @unchecked Sendable {
  public override init() {}
  public func enter() {}
  public func leave() {}
  public func wait() {}
}

public protocol DispatchSourceProtocol: NSObjectProtocol {
  typealias DispatchSourceHandler = @Sendable @convention(block) () -> Void
  func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  func setCancelHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  func setRegistrationHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  func cancel()
  func resume()
  func suspend()
  func activate()
  var isCancelled: Bool { get }
}
extension DispatchSourceProtocol {
  public func setEventHandler(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?) {}
  public func setCancelHandler(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?) {}
  public func setRegistrationHandler(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?) {}
}
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol, Sendable {}
public protocol DispatchSourceSignal: DispatchSourceProtocol, Sendable {}
open class DispatchSource: DispatchObject, @unchecked Sendable {
  public struct FileSystemEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let delete = Self(rawValue: 1), write = Self(rawValue: 2), extend = Self(rawValue: 4), attrib = Self(rawValue: 8)
    public static let link = Self(rawValue: 16), rename = Self(rawValue: 32), revoke = Self(rawValue: 64), funlock = Self(rawValue: 128), all = Self(rawValue: 255)
  }
  public class func makeFileSystemObjectSource(fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil) -> any DispatchSourceFileSystemObject { fatalError() }
  public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal { fatalError() }
}
