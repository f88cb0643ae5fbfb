// The core, what composes it, and the providers that touch nothing outside of the program. What reads files, user defaults or
// the environment, and what asks a server, is linked by those who import it.
@_exported public import TacklineClosure
@_exported public import TacklineComposition
@_exported public import TacklineCore
@_exported public import TacklineMemory
