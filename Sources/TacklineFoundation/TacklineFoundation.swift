// Foundation under one name: its essentials alone where they are a module, since a program on Linux links what is imported.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
