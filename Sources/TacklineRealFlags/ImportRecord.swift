import TacklineCore
import TacklineFiles
import TacklineLocal

import TacklineFoundation

// Foundation: `URL` names files.

/// The record of imported flags, in a file beside the provider's.
///
/// Without it a value that is reset would come back at the next launch.
struct ImportRecord {
    private static let member = "importedFromRealFlags"

    private let path: String
    /// The old keys of the flags for which nothing is left to do.
    private(set) var done: Set<String> = []

    init(beside provider: LocalProvider) throws(FlagError) {
        path = provider.file.path(percentEncoded: false) + ".imported"
        done = try read(OldDocument.bytes(of: path))
    }

    /// Adds keys, and returns when that is on the disk. What another process added meanwhile is kept.
    mutating func add(_ keys: some Sequence<String>) throws(FlagError) {
        let keys = Set(keys)
        guard !keys.isSubset(of: done) else { return }
        do {
            try StoredFile(path, maximumBytes: 16 << 20).rewrite { bytes in
                done = try read(bytes).union(keys)
                return try FlagJSONWriter().bytes(of: .object([ImportRecord.member: done.sorted().encoded]))
            }
        } catch let error as FlagError {
            throw error
        } catch {
            throw FlagError(
                .inputOutput, provider: OldDocument.providerName, reason: "\(path) was not written: \(error)",
                advice: "Let this process write the file and its folder, and import again")
        }
    }

    private func read(_ bytes: [UInt8]?) throws(FlagError) -> Set<String> {
        guard let bytes else { return [] }
        guard case .object(let members)? = try? FlagJSONReader().read(bytes),
            let keys = members[ImportRecord.member].flatMap({ try? [String](encoded: $0) })
        else {
            throw FlagError(
                .unreadable, provider: OldDocument.providerName,
                reason: "\(path) does not say what was imported already, so nothing was",
                advice: "Remove it to import again; values that were reset since then will come back")
        }
        return Set(keys)
    }
}
