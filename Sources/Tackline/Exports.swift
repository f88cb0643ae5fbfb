// Everything that needs no network: flags, loaders, composition, and the built-in providers with their formats.
@_exported public import TacklineClosure
@_exported public import TacklineComposition
@_exported public import TacklineCore
@_exported public import TacklineEnvironment
@_exported public import TacklineLocal
@_exported public import TacklineMemory
@_exported public import TacklineOverrides
@_exported public import TacklineUserDefaults
