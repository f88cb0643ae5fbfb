#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Foundation: files are named by `URL`.

package import TacklineCore
import TacklineFiles

/// A function that replaces a file's bytes as durably as a ``LocalProvider`` does, for tools that keep the layout of a
/// text.
package enum LocalFileRewriting {
    /// Reads the file, changes its bytes, and returns when the new bytes are on the disk.
    ///
    /// Other writers of the file wait meanwhile, in this process and in others. After a crash the file has either the
    /// old bytes or the new ones. Symbolic links and permissions are kept.
    ///
    /// - Parameters:
    ///   - url: The file. It is created with its folder if it doesn't exist.
    ///   - options: The limits for size and waiting.
    ///   - change: Returns the new bytes for the old ones, which are `nil` if there is no file. It may be called twice.
    ///     If it returns the same bytes, nothing is written.
    /// - Throws: ``/TacklineCore/FlagError`` if the file could not be read or written, or the error of the
    ///   closure. The file is then unchanged.
    package static func rewrite(
        _ url: URL, options: LocalProvider.Options = LocalProvider.Options(), change: ([UInt8]?) throws -> [UInt8]
    ) throws {
        let path = url.absoluteURL.path(percentEncoded: false)
        guard url.isFileURL else {
            throw LocalFileFailure.notAFile.writingError(provider: "LocalProvider", path: path, subject: (nil, nil))
        }
        do {
            try options.file(at: path).rewrite(change)
        } catch let failure as FileFailure {
            throw LocalFileFailure.file(failure).writingError(
                provider: "LocalProvider", path: path, subject: (nil, nil))
        }
    }

    /// Returns the bytes of a file, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - provider: The provider's name for error messages.
    /// - Throws: ``/TacklineCore/FlagError`` if it can't be read, is not a regular file, or is larger than the
    ///   default limit of providers.
    package static func bytes(of url: URL, provider: String) throws(FlagError) -> [UInt8]? {
        let path = url.absoluteURL.path(percentEncoded: false)
        do throws(LocalFileFailure) {
            guard url.isFileURL else { throw .notAFile }
            return try LocalFileFailure.during { () throws(FileFailure) in
                try LocalProvider.Options().file(at: path).bytes()
            }
        } catch {
            throw error.readingError(provider: provider, path: path)
        }
    }
}
