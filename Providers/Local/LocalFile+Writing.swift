import Synchronization
import TacklineCore
import TacklineFormats

extension LocalFile {
    /// Makes a change in the file and in memory, or with a delay in memory alone.
    ///
    /// - Returns: What differs now, without what others wrote.
    /// - Throws: What went wrong. Nothing has changed then.
    @discardableResult
    func change(
        _ change: LocalFileChange, _ durability: FlagWriteDurability = .stored
    ) throws(FlagProviderError) -> [FlagProviderChange] {
        do throws(LocalFileFailure) {
            guard format.holdsValues else { throw .readOnly(format: format.name) }
            let delay = options.writeDelay ?? (durability == .deferred ? .zero : nil)
            if let delay { return try gather(change, delay: delay) }
            // What an interface has put off goes first, so that this write is in the file when the call returns.
            if !pending.withLock({ $0.isEmpty }) { try writeGathered() }
            return try uninterrupted { work throws(LocalFileFailure) in
                try version.withLock { version throws(LocalFileFailure) in try write(change, &version, in: work) }
            }
        } catch {
            throw error.writingError(provider: name, path: path, subject: change.subject)
        }
    }

    // MARK: At once

    private func write(
        _ change: LocalFileChange,
        _ version: inout LocalFileVersion,
        in work: ExpiringWork?
    ) throws(LocalFileFailure) -> [FlagProviderChange] {
        if !change.changes(store.document) {
            // Only the file can tell whether that is still so. Without the lock, so that nothing is touched if it is.
            if try !loadForWriting(into: &version), !change.changes(store.document) { return [] }
        }
        var replacement = try replacement(in: work)
        let isDamaged = try loadForWriting(into: &version, from: replacement.target)
        guard change.changes(store.document) else { return [] }
        var document = store.document
        change.apply(to: &document)
        try commit(document, to: &replacement, isDamaged: isDamaged, &version)
        return change.apply(to: store)
    }

    // MARK: Later

    private func gather(_ change: LocalFileChange, delay: Duration) throws(LocalFileFailure) -> [FlagProviderChange] {
        if failures.withLock({ $0.reading != nil }) {
            // Somebody may have corrected it meanwhile.
            try version.withLock { version throws(LocalFileFailure) in _ = try loadForWriting(into: &version) }
        }
        let changes = try pending.withLock { pending throws(LocalFileFailure) in
            var document = FlagDocument()
            change.apply(to: &document)
            // What the format cannot hold is refused now, when there still is a caller.
            _ = try LocalFileVersion(
                of: document,
                format: LocalFileFormat(fileName: LocalPath.name(of: path)),
                limit: options.maximumBytes
            )
            switch change {
            case .set(let values): pending.set(values)
            case .removeAll: pending.removeAll()
            }
            return change.apply(to: store)
        }
        handle(.gathered(within: delay))
        return changes
    }

    /// Writes what was gathered.
    ///
    /// - Throws: What went wrong. What was gathered is kept for the next time, and the status says the same.
    func flush() throws(FlagProviderError) {
        do throws(LocalFileFailure) {
            try writeGathered()
        } catch {
            throw error.writingError(provider: name, path: path, subject: (nil, nil))
        }
    }

    private func writeGathered() throws(LocalFileFailure) {
        guard !pending.withLock({ $0.isEmpty }) else { return }
        do throws(LocalFileFailure) {
            try uninterrupted { work throws(LocalFileFailure) in
                try version.withLock { version throws(LocalFileFailure) in try writeGathered(&version, in: work) }
            }
        } catch {
            let error = error
            failures.withLock { $0.writing = error.writingError(provider: name, path: path, subject: (nil, nil)) }
            handle(.wrote(everything: false))
            throw error
        }
        // Under the lock, so that what is gathered from now on is told after it.
        pending.withLock { pending in handle(.wrote(everything: pending.isEmpty)) }
    }

    private func writeGathered(
        _ version: inout LocalFileVersion, in work: ExpiringWork?
    ) throws(LocalFileFailure) {
        let (isEmpty, number) = pending.withLock { ($0.isEmpty, $0.lastNumber) }
        // Another thread may have written it meanwhile.
        guard !isEmpty else { return }
        var replacement = try replacement(in: work)
        let isDamaged = try loadForWriting(into: &version, from: replacement.target)
        let document = store.document
        if isDamaged || document != version.document {
            try commit(document, to: &replacement, isDamaged: isDamaged, &version)
        }
        pending.withLock { $0.settle(upTo: number) }
        failures.withLock { $0.writing = nil }
        issues.resolve(.unwrittenFile, provider: name)
    }

    // MARK: Steps

    /// Does something that locks the file, while the process is not suspended.
    private func uninterrupted<Result>(
        _ body: (ExpiringWork?) throws(LocalFileFailure) -> Result
    ) throws(LocalFileFailure) -> Result {
        do throws(LocalFileFailure) {
            return try ExpiringWork.perform(surroundings.suspension, timeLimit: options.lockTimeLimit, body)
        } catch {
            throw error.whereFilesAreProtected(surroundings.protectsFiles)
        }
    }

    private func resolveTarget() throws(LocalFileFailure) -> String {
        guard isFile else { throw .notAFile }
        do { return try LocalPath.target(of: path) } catch { throw .system(error) }
    }

    /// Opens and locks the new version of the file that the path leads to.
    ///
    /// Whoever re-points a link while this waits for the lock wants the write in the other file. If it happens later, the
    /// write is wholly one of the former file: what is written is made from what that holds.
    private func replacement(in work: ExpiringWork?) throws(LocalFileFailure) -> LocalFileReplacement {
        var target = try resolveTarget()
        var attempts = 0
        while true {
            let replacement = try LocalFileReplacement(
                of: target, timeLimit: options.lockTimeLimit, permissions: options.newFilePermissions, in: work)
            let present = try resolveTarget()
            attempts += 1
            if present == target || attempts == 40 { return replacement }
            target = present
        }
    }

    private func canSetAside(_ failure: LocalFileFailure) -> Bool {
        failure.isAboutContent && options.recovery == .setAside
    }

    /// Reads the file as a writer does.
    ///
    /// - Parameter target: The file itself; `nil` for what the path leads to now.
    /// - Returns: `true` if its content is unusable and shall be set aside.
    private func loadForWriting(
        into version: inout LocalFileVersion, from target: String? = nil
    ) throws(LocalFileFailure) -> Bool {
        do throws(LocalFileFailure) {
            try load(into: &version, from: target)
            return false
        } catch {
            guard canSetAside(error) else { throw .unreadableFile(error) }
            return true
        }
    }

    private func commit(
        _ document: FlagDocument,
        to replacement: inout LocalFileReplacement,
        isDamaged: Bool,
        _ version: inout LocalFileVersion
    ) throws(LocalFileFailure) {
        let written = try LocalFileVersion(of: document, format: version.format, limit: options.maximumBytes)
        if isDamaged || written.bytes != version.bytes {
            let aside = isDamaged ? LocalPath.freeDatedName(beside: replacement.target) : nil
            try replacement.commit(written.bytes ?? [], durability: options.durability, movingOldTo: aside)
        }
        version = written
        failures.withLock { $0.reading = nil }
    }
}
