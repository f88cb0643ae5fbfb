// The server is a separate module for programs that must not link Swift Testing.
@_exported public import TacklineLoopback
