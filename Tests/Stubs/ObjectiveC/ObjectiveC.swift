// swift-format-ignore-file
// What the module ObjectiveC adds to the runtime's headers, which Tests/Stubs/check takes from elsewhere.
// Written from Apple's documentation; nothing here runs.
@_exported import ObjectiveC

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  public init(booleanLiteral value: Bool) {}
  public var boolValue: Bool { fatalError() }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { fatalError() }

@frozen public struct Selector: ExpressibleByStringLiteral, Hashable, @unchecked Sendable {
  let ptr: OpaquePointer
  public init(_ str: String) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}

extension NSObject: Equatable, Hashable {
  public static func == (lhs: NSObject, rhs: NSObject) -> Bool { fatalError() }
  @nonobjc public func hash(into hasher: inout Hasher) {}
}
extension NSObject: CVarArg {
  public var _cVarArgEncoding: [Int] { fatalError() }
}
