import TacklineCore

/// A flag's own metadata over those of its document, which all its flags share. If they were copied into each flag, a
/// short document could take any amount of memory.
struct LayeredMetadata: Sendable {
    var own: [String: EncodedFlagValue] = [:]
    var shared: [String: EncodedFlagValue] = [:]

    subscript(name: String) -> EncodedFlagValue? { own[name] ?? shared[name] }

    /// The merged metadata. The dictionary is made at each access if there are metadata of both kinds.
    var all: [String: EncodedFlagValue] {
        own.isEmpty ? shared : shared.isEmpty ? own : shared.merging(own) { $1 }
    }
}
