@_exported public import TacklineComputed
@_exported public import TacklineCore
@_exported public import TacklineEnvironment
@_exported public import TacklineLocal
@_exported public import TacklineMemory
@_exported public import TacklineOverrides
@_exported public import TacklineRemoteJSON
@_exported public import TacklineUserDefaults
