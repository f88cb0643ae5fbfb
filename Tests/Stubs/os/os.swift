// swift-format-ignore-file
// A stub of the module os; see the stub of Foundation. Nothing here runs.
@_exported import os

public struct OSLogPrivacy: Sendable {
  public static var `public`: OSLogPrivacy { fatalError() }
  public static var auto: OSLogPrivacy { fatalError() }
}
public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}
  public mutating func appendInterpolation(_ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto) {}
  public mutating func appendInterpolation<T: FixedWidthInteger>(_ number: @autoclosure @escaping () -> T, privacy: OSLogPrivacy = .auto) {}
}
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: OSLogInterpolation) {}
}
public struct Logger: Sendable {
  public init(subsystem: String, category: String) {}
  public func error(_ message: OSLogMessage) {}
}
