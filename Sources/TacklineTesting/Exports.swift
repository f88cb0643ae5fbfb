// The server is a module of its own, so that a program can use it which must not link Swift Testing.
@_exported public import TacklineLoopback
