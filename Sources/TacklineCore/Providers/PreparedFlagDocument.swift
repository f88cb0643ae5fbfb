/// A document that a ``FlagDocumentStore`` has checked, ready to be put in force.
public struct PreparedFlagDocument: Sendable {
    private let putInForce: @Sendable () -> [FlagProviderChange]

    /// Makes a prepared document.
    ///
    /// - Parameter activate: Puts it in force and announces what differs, which it returns. It may be called never, once, or
    ///   again after another document.
    public init(activate: @escaping @Sendable () -> [FlagProviderChange]) {
        putInForce = activate
    }

    /// Puts the document in force in place of the one before.
    ///
    /// - Returns: What differs now, as it was announced.
    @discardableResult
    public func activate() -> [FlagProviderChange] { putInForce() }
}
