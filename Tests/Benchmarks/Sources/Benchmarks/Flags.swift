import Tackline

struct MiddleFlags: FlagCollectionProtocol {
    @FlagCollection(description: "The innermost, with 100 flags") var inner: MixedFlags<Area0>
}

/// Flags as they are read.
struct ReadFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The first provider has it") var first: Bool
    @Flag(default: false, description: "The third provider has it") var third: Bool
    @Flag(default: "", description: "A text of 42 bytes") var text: String
    @Flag(default: false, description: "Written to") var written: Bool
    @FlagCollection(description: "The middle") var middle: MiddleFlags
}

/// Reads as a program does them, one to a function.
enum Reads {
    @inline(never) static func first(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.first }
    @inline(never) static func third(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.third }
    @inline(never) static func nested(_ loader: FlagsLoader<ReadFlags>) -> Bool { loader.middle.inner.mixedFlag48 }
    @inline(never) static func text(_ loader: FlagsLoader<ReadFlags>) -> String { loader.text }
}
