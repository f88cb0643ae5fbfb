// Foundation, under one name: its essentials where they are a module of their own, so that a program on Linux that needs no more
// links no more.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
