// swift-format-ignore-file
// A stub of the Foundation API that our sources use, so that they can be type-checked as for Apple's systems where there
// is no SDK. Written from Apple's documentation; nothing here runs, and nothing here is part of a product. What is missing
// makes the check fail: add it, with the signature, the availability and the isolation that are documented. What is new
// in a system later than those of Package.swift says so, and so does what a system lacks.
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

// MARK: Classes that stand for Swift's types

open class NSString: NSObject {}
open class NSNumber: NSObject, @unchecked Sendable {
  open var intValue: Int { fatalError() }
  open var uint32Value: UInt32 { fatalError() }
  open var boolValue: Bool { fatalError() }
  open var int64Value: Int64 { fatalError() }
  open var uint64Value: UInt64 { fatalError() }
  open var doubleValue: Double { fatalError() }
  open var objCType: UnsafePointer<CChar> { fatalError() }
}
open class NSArray: NSObject {}
open class NSDictionary: NSObject {}
open class NSData: NSObject {}
open class NSDate: NSObject, @unchecked Sendable {}
open class NSURL: NSObject, @unchecked Sendable {}
open class NSURLRequest: NSObject {}
open class NSError: NSObject, @unchecked Sendable {
  open var domain: String { fatalError() }
  open var code: Int { fatalError() }
  open var localizedDescription: String { fatalError() }
}
extension NSError: Error {}
public protocol CustomNSError: Error {}
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }

public protocol _Bridged: _ObjectiveCBridgeable {}
extension _Bridged {
  public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool { fatalError() }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}
extension String: _Bridged { public typealias _ObjectiveCType = NSString }
extension Array: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSArray }
extension Dictionary: _Bridged, @retroactive _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDictionary }
extension Bool: _Bridged { public typealias _ObjectiveCType = NSNumber }
extension Int: _Bridged { public typealias _ObjectiveCType = NSNumber }
extension Double: _Bridged { public typealias _ObjectiveCType = NSNumber }
extension Data: _Bridged { public typealias _ObjectiveCType = NSData }
extension Date: _Bridged { public typealias _ObjectiveCType = NSDate }
extension URL: _Bridged { public typealias _ObjectiveCType = NSURL }
extension URLRequest: _Bridged { public typealias _ObjectiveCType = NSURLRequest }

// MARK: Objects

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { fatalError() }

open class NSCoder: NSObject {}

public struct NSKeyValueChangeKey: Hashable, RawRepresentable, _SwiftNewtypeWrapper, _ObjectiveCBridgeable, Sendable {
  public typealias _ObjectiveCType = NSString
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
extension NSObject {
  @objc(valueForKey:) open dynamic func value(forKey key: String) -> Any? { fatalError() }
  @objc(observeValueForKeyPath:ofObject:change:context:) open dynamic func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?) {}
  @nonobjc public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?) {}
  @objc(valueForKeyPath:) open dynamic class func value(forKeyPath keyPath: String) -> Any? { fatalError() }
  @objc(removeObserver:forKeyPath:) open dynamic func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {}
}

// MARK: Errors

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}
extension LocalizedError { public var errorDescription: String? { nil } }
extension Error { public var localizedDescription: String { fatalError() } }
