#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Foundation: `Data` and `Date` are what is kept.

/// What the cache keeps of one document.
package struct RemoteJSONCacheEntry: Sendable, Hashable {
    /// The bytes as the server sent them; `nil` if there is only a ``notBefore`` to remember.
    package var body: Data?
    package var entityTag: String?
    package var lastModified: String?
    /// What the ``PayloadVerifier`` needs.
    package var signature: String?
    /// When the body came, and when the server confirmed it last.
    package var fetchedAt: Date
    package var validatedAt: Date
    /// Before this the server wants to hear nothing.
    package var notBefore: Date?

    package init(body: Data?, fetchedAt: Date, validatedAt: Date) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.validatedAt = validatedAt
    }
}
