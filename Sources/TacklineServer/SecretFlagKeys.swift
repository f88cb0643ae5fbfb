public import TacklineCore
import TacklineComposition

/// The flags whose values are for no log: those of some collections whose metadata says that they are secret.
///
/// ```swift
/// let secrets = SecretFlagKeys(of: ShopFlags.self)
/// ```
public struct SecretFlagKeys: Sendable {
    private let keys: [FlagKeyPath]

    /// No flags.
    public static let none = SecretFlagKeys()

    /// Finds the secret flags of collections (`FlagMetadata.isSecret`).
    ///
    /// - Parameter collections: The root collections.
    public init(of collections: any FlagCollectionProtocol.Type...) {
        func keys<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> [FlagKeyPath] {
            FlagProbe<Collection>.flags.filter(\.metadata.isSecret).map(\.keyPath)
        }
        self.keys = collections.flatMap { keys(of: $0) }
    }

    /// Whether a value with a key is that of a secret flag, is a part of one, or has one in it.
    public func contains(_ key: FlagKeyPath) -> Bool {
        keys.contains { $0.text == key.text || $0.isPrefix(of: key) || key.isPrefix(of: $0) }
    }
}
