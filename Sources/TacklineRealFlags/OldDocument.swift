import TacklineCore
import TacklineFiles

import TacklineFoundation

// Foundation: `URL` names files, and RealFlags keeps `Data` in them.

/// The content of a file of RealFlags' `LocalProvider`: a property list with a dictionary for each name of a key but the last.
struct OldDocument: Sendable {
    /// The dictionary at the top.
    let members: [String: EncodedFlagValue]

    /// The name of the provider in errors.
    static let providerName = "RealFlags"

    /// Reads a file, whatever its name ends with. It is only read.
    ///
    /// - Returns: `nil` if there is no file.
    /// - Throws: An error with the path of the file and the mistake in it.
    init?(_ url: URL) throws(FlagError) {
        let path = url.path(percentEncoded: false)
        guard let bytes = try OldDocument.bytes(of: path) else { return nil }
        do {
            members = try [String: EncodedFlagValue](encoded: FlagPropertyList.decode(bytes))
        } catch {
            throw FlagError(
                .unreadable, provider: Self.providerName,
                reason: "\(path) is not a property list of RealFlags: \(error)",
                advice: "Nothing was imported, and the file is as it was; name the file that RealFlags wrote")
        }
    }

    /// Returns the bytes of a file, or `nil` if there is none.
    static func bytes(of path: String) throws(FlagError) -> [UInt8]? {
        do throws(FileFailure) { return try StoredFile.bytes(of: path, limit: 16 << 20) } catch {
            throw FlagError(
                .inputOutput, provider: providerName, reason: "\(path) cannot be read: \(error)",
                advice: "Nothing was imported; let this process read the file, and import again")
        }
    }

    /// Returns the value for a key, nested, flat, or with several names in one, as a prefix with a separator makes it.
    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        OldDocument.value(for: key.components[...], key.separator, in: members)
    }

    /// Recursion is bounded by the depth that the reader accepts.
    private static func value(
        for names: ArraySlice<String>, _ separator: String, in members: [String: EncodedFlagValue]
    ) -> EncodedFlagValue? {
        guard !names.isEmpty else { return nil }
        for count in 1...names.count {
            guard let member = members[names.prefix(count).joined(separator: separator)] else { continue }
            let rest = names.dropFirst(count)
            if rest.isEmpty { return member }
            if case .object(let inner) = member, let value = value(for: rest, separator, in: inner) { return value }
        }
        return nil
    }

    /// The keys of all values that are no dictionaries, sorted.
    ///
    /// - Parameters:
    ///   - separator: The text between two names.
    ///   - claimed: The keys of flags, which are left out with everything in them.
    func keys(separator: String, without claimed: Set<String>) -> [String] {
        var keys: [String] = []
        var pending = members.map { ($0.key, $0.value) }
        while let (key, value) = pending.popLast() {
            if claimed.contains(key) { continue }
            if case .object(let inner) = value, !inner.isEmpty {
                pending += inner.map { (key + separator + $0.key, $0.value) }
            } else {
                keys.append(key)
            }
        }
        return keys.sorted()
    }
}
