#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Foundation: `URL` is how files are named.

package import TacklineCore

/// Replaces a file's bytes as durably as a ``LocalProvider`` does, for tools that keep the layout of a text.
package enum LocalFileRewriting {
    /// Reads the file, changes its bytes, and returns when the new ones are on the disk.
    ///
    /// Other writers of the file wait meanwhile, in this process and in others. A crash leaves the old bytes or the new
    /// ones. A symbolic link is kept, and so are the permissions.
    ///
    /// - Parameters:
    ///   - url: The file; it is made, with its folder, if it is not there.
    ///   - options: The limits for size and waiting.
    ///   - change: Gets the bytes, or `nil` if there is no file, and returns the new ones; the same ones write nothing.
    /// - Throws: ``/TacklineCore/FlagProviderError`` if it could not be read or written, or what the closure throws. The
    ///   file is then as it was.
    package static func rewrite(
        _ url: URL, options: LocalProvider.Options = LocalProvider.Options(), change: ([UInt8]?) throws -> [UInt8]
    ) throws {
        let path = url.absoluteURL.path(percentEncoded: false)
        do {
            guard url.isFileURL else { throw LocalFileFailure.notAFile }
            let target: String
            do throws(SystemCallError) { target = try LocalPath.target(of: path) } catch {
                throw LocalFileFailure.system(error)
            }
            // Before anything is made beside it.
            let before = try LocalFileVersion.bytes(of: target, limit: options.maximumBytes)
            if try change(before) == before { return }
            var replacement = try LocalFileReplacement(
                of: target, timeLimit: options.lockTimeLimit, permissions: options.newFilePermissions)
            // Read again, since somebody may have written it before the lock was taken.
            let old = try LocalFileVersion.bytes(of: target, limit: options.maximumBytes)
            let new = try change(old)
            guard new.count <= options.maximumBytes else {
                throw LocalFileFailure.tooLarge(limit: options.maximumBytes)
            }
            if new != old { try replacement.commit(new, movingOldTo: nil) }
        } catch let failure as LocalFileFailure {
            throw failure.writingError(provider: "LocalProvider", path: path, subject: (nil, nil))
        }
    }

    /// Returns the bytes of a file, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: Who is named in errors.
    /// - Throws: Why it cannot be read: also if it is no regular file, or larger than files of providers may be.
    package static func bytes(of url: URL, provider: String) throws(FlagProviderError) -> [UInt8]? {
        let path = url.absoluteURL.path(percentEncoded: false)
        do throws(LocalFileFailure) {
            guard url.isFileURL else { throw .notAFile }
            return try LocalFileVersion.bytes(of: path, limit: LocalProvider.Options().maximumBytes)
        } catch {
            throw error.readingError(provider: provider, path: path)
        }
    }
}
