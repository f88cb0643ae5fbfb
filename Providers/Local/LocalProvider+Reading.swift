import Synchronization
import TacklineCore
import TacklineFiles

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: files are named by `URL`.

extension LocalProvider {
    static func bytes(_ url: URL, _ stored: StoredFile, _ settings: Settings) throws -> [UInt8]? {
        guard url.isFileURL else { throw LocalFileFailure.notAFile }
        if let bytes = try stored.bytes() { return bytes }
        guard settings.mustExist else { return nil }
        throw LocalFileFailure(
            .inputOutput, "there is no such file",
            "Check the path, and that the file is shipped with the program: in an app, copied into its bundle")
    }

    var isFile: Bool { file.isFileURL }

    func bytes() throws -> [UInt8]? { try Self.bytes(file, stored, settings) }

    func readAgain() {
        // A failure is kept in the status.
        contents.withLock { contents in try? load(bytes, into: &contents) }
        // After all locks are released.
        store.reportIssues()
    }

    /// Puts the file in force, if it has changed. Call it while holding the lock of ``contents``.
    func load(_ bytes: () throws -> [UInt8]?, into contents: inout LocalFileContents) throws(LocalFileFailure) {
        do {
            let bytes = try bytes()
            guard contents.differs(from: bytes) else { return clearReadingFailure() }
            var new = contents
            var (document, json) = try new.read(bytes, as: format)
            if format.holdsValues {
                clearReadingFailure()
                // Changes that are not in the file yet remain in force, and are made after those of other writers.
                pending.withLock { pending in
                    // Each was accepted once. It may be refused now because of what another process has written.
                    for change in pending.changes { try? change(&document) }
                    values.replaceDocument(with: document)
                }
            } else {
                let prepared = try bytes.map { _ in try prepare(document, json) }
                clearReadingFailure()
                if let prepared { prepared.activate() } else { store.clear() }
            }
            contents = new
        } catch {
            let failure = LocalFileFailure(error)
            failures.withLock { $0.reading = failure }
            throw failure
        }
    }

    private func prepare(_ document: FlagDocument, _ json: Data?) throws -> PreparedFlagDocument {
        do throws(FlagError) { return try store.prepare(document, json: json) } catch {
            throw LocalFileFailure(.unreadable, "it is not a document in the format \(format.name): \(error.reason)")
        }
    }

    /// Call it before observers are notified, because they may read the status.
    private func clearReadingFailure() { failures.withLock { $0.reading = nil } }

    /// Reads the file after a possible change. A failure is reported at the second look, because editors may empty a file
    /// first.
    ///
    /// - Returns: Whether to look again, because the file is protected: extensions get no notification when the device is
    ///   unlocked.
    func noticeChange() -> Bool {
        let former = readingError
        readAgain()
        if let readingError, readingError != former { return isProtected }
        reportReading()
        return isProtected
    }

    var isProtected: Bool { failures.withLock { $0.reading?.code == .notPermitted } }

    /// Reports that the file can't be read, once for each failure.
    func reportReading() { report(.unreadableFile, readingError) }

    /// The reason why the last reading failed.
    var readingError: FlagError? {
        failures.withLock { $0.reading }.map { failure in
            FlagError(
                failure.code, provider: name, reason: "\(stored.path) cannot be read: \(failure.cause)",
                advice: failure.advice ?? "Correct the file; until then it is neither used nor overwritten")
        }
    }

    /// Reports an error that has no caller, or forgets that of the code if it is `nil`. Don't call it under a lock.
    func report(_ code: FlagError.Code, _ error: FlagError?) {
        guard let issue = error.map({ FlagError(code, $0.message, provider: name) }) else {
            reporter.resolve(code, provider: name)
            return values.resolve(code, provider: name)
        }
        reporter.report(issue)
        values.report(issue)
    }
}
