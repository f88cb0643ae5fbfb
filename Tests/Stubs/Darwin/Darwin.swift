// swift-format-ignore-file
// What the module Darwin adds to the C headers, which Tests/Stubs/check takes from elsewhere: macros that are no simple
// constants, and functions with a variable number of arguments. Nothing here runs.
@_exported import Darwin

public var errno: Int32 { get { __error().pointee } set { __error().pointee = newValue } }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { fatalError() }

public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }

