/// What a provider's documents mean: values, or something that values are made from.
///
/// A provider that reads files or servers is told the format and never guesses it. `TacklineTargeting` adds `.flagd`, for
/// definitions with rules. A format of your own needs a ``FlagDocumentStore`` that understands it:
///
/// ```swift
/// extension FlagDocumentFormat {
///     static let toggles = FlagDocumentFormat(name: "toggles") { _ in TogglesStore() }
/// }
/// ```
public struct FlagDocumentFormat: Sendable {
    /// Names the format, in messages and for caches, which keep documents of different formats apart.
    public let name: String

    private let makeOwnStore: (@Sendable (_ providerName: String) -> any FlagDocumentStore)?

    /// Makes a format.
    ///
    /// - Parameters:
    ///   - name: Names the format. Documents that another format of that name had accepted should be acceptable to this one.
    ///   - makeStore: Makes what holds the documents of one provider, whose name it is given.
    public init(
        name: String, makeStore: @escaping @Sendable (_ providerName: String) -> any FlagDocumentStore
    ) {
        self.name = name
        makeOwnStore = makeStore
    }

    private init(valuesNamed name: String) {
        self.name = name
        makeOwnStore = nil
    }

    /// Documents hold the values themselves, by flat key or in nested objects. They need no rules, and can be written.
    public static let values = FlagDocumentFormat(valuesNamed: "values")

    /// Whether documents hold the values themselves. In any other format they are only read, as a whole, with the members
    /// at the top whose name begins with `$`.
    public var holdsValues: Bool { makeOwnStore == nil }

    /// Makes the store of one provider. It holds nothing yet.
    ///
    /// - Parameter providerName: The name of the provider, for messages.
    public func makeStore(providerName: String) -> any FlagDocumentStore {
        makeOwnStore?(providerName) ?? FlagProviderStore()
    }
}
