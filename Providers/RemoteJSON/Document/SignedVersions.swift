import TacklineSigning

/// The highest `$version` that each key has signed, of the documents that were accepted.
///
/// A version belongs to the keys that signed it. So a version that somebody with a stolen key has signed is forgotten by an
/// app that doesn't trust this key any more.
package struct SignedVersions: Sendable, Hashable {
    /// The versions by the ids of the keys.
    package var byKey: [String: Int128]

    package init(_ byKey: [String: Int128] = [:]) { self.byKey = byKey }

    /// Takes a version into account.
    mutating func note(_ version: Int128, by signers: Set<TrustedKey>) {
        for signer in signers { byKey[signer.id] = max(byKey[signer.id] ?? version, version) }
    }

    /// Takes over what is higher in other versions.
    mutating func merge(_ other: SignedVersions) { byKey.merge(other.byKey) { max($0, $1) } }

    /// Returns the highest version that as many trusted keys have reached as a document needs; `nil` if there is none.
    func highest(by trust: DocumentTrust) -> Int128? {
        let reached = Set(trust.keys).compactMap { byKey[$0.id] }.sorted(by: >)
        return reached.indices.contains(trust.required - 1) ? reached[trust.required - 1] : nil
    }
}
