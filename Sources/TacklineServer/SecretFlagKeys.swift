public import TacklineCore

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
    /// - Parameters:
    ///   - collections: The root collections.
    ///   - keyConfiguration: That of their loaders.
    public init(
        of collections: any FlagCollectionProtocol.Type..., keyConfiguration: KeyConfiguration = KeyConfiguration()
    ) {
        func keys<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> [FlagKeyPath] {
            // The app's own loader reports mistakes in the declaration.
            FlagsLoader(
                type, keyConfiguration: keyConfiguration, providers: [], observation: .untracked, issueReporter: .silent
            ).root.allFlags.filter(\.metadata.isSecret).map(\.keyPath)
        }
        self.keys = collections.flatMap { keys(of: $0) }
    }

    /// Whether a value with a key is that of a secret flag, is a part of one, or has one in it.
    public func contains(_ key: FlagKeyPath) -> Bool {
        keys.contains { $0.text == key.text || $0.isPrefix(of: key) || key.isPrefix(of: $0) }
    }
}
