// swift-format-ignore-file
// A stub of the module os, of which our sources use nothing yet; see the stub of Foundation. Nothing here runs.
@_exported import os

public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {}
}
public struct Logger: Sendable {
  public init() {}
  public init(subsystem: String, category: String) {}
  public func debug(_ message: OSLogMessage) {}
  public func info(_ message: OSLogMessage) {}
  public func notice(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
  public func fault(_ message: OSLogMessage) {}
}
