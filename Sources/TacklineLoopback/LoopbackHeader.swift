/// One header field of a request or a response.
public struct LoopbackHeader: Sendable, Hashable {
    /// The name as it was or will be sent. Compare it without regard to case, or use ``matches(_:)``.
    public var name: String
    /// The value without the white space around it.
    public var value: String

    /// Makes a header field. Neither part is checked; a line break in one is sent unchanged.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Returns whether this field has the name, regardless of case (RFC 9110, section 5.1).
    public func matches(_ name: String) -> Bool {
        self.name.lowercased() == name.lowercased()
    }
}
