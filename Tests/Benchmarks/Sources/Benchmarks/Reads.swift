import Tackline

/// Reads as a program does them, one to a function.
enum Reads {
    @inline(never) static func first(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.first }
    @inline(never) static func third(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.third }
    @inline(never) static func missing(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.missing }
    @inline(never) static func nested(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.middle.inner.flag50 }
    @inline(never) static func integer(_ loader: FlagsLoader<ReadFlags>) -> Int { loader.integer }
    @inline(never) static func short(_ loader: FlagsLoader<ReadFlags>) -> String { loader.short }
    @inline(never) static func long(_ loader: FlagsLoader<ReadFlags>) -> String { loader.long }
    @inline(never) static func profile(_ loader: FlagsLoader<ReadFlags>) -> Profile { loader.profile }
    @inline(never) static func value(_ handle: FlagHandle<Bool>) -> Bool { handle.value }
}
