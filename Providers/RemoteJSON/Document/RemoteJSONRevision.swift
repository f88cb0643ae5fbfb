/// Which edition of the document this is.
public struct RemoteJSONRevision: Sendable, Hashable, CustomStringConvertible {
    /// The document's `$version`, or `nil` if it has none.
    public var version: Int128?
    /// The `ETag` with which it came, or `nil` if it had none that is usable.
    public var entityTag: String?
    /// A hash of the document's bytes (FNV-1a, 64 bits). Equal bytes have equal ones.
    public var checksum: UInt64

    /// The version where there is one, else the tag, else the checksum.
    public var description: String {
        if let version { return "version \(version)" }
        return entityTag ?? "#\(String(checksum, radix: 16))"
    }
}
