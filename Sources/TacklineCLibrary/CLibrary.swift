// The C library, under one name on every system. The modules import this one internally, so their users don't see what is
// in it. Glibc has been built, and Darwin type-checked; the others are named so that a port has one file to edit.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Android)
    @_exported public import Android
#elseif canImport(WinSDK)
    @_exported public import CRT
    @_exported public import WinSDK
#else
    #error("The C library of this system is not known: name it in TacklineCLibrary.")
#endif
