/// A provider that can hand out all its values at one moment.
///
/// ``FlagsLoader/snapshot()`` uses it, so that values which were written together are read together. A provider without
/// this capability is asked key by key.
public protocol FlagDocumentProvider: FlagProvider {
    /// All values as of now, cheap to copy.
    ///
    /// ``FlagDocument/value(for:)`` of it answers what ``FlagProvider/value(for:)`` answers at this moment.
    var document: FlagDocument { get }
}
