import Synchronization
import TacklineCore
import TacklineFiles

extension LocalFile {
    /// Makes a change in the file and in memory, or only in memory if the write is delayed.
    ///
    /// - Returns: The values that differ now, without changes by other writers.
    /// - Throws: ``FlagError`` if the change could not be made. Nothing has changed then.
    @discardableResult
    func change(_ change: LocalFileChange) throws(FlagError) -> [FlagProviderChange] {
        do throws(LocalFileFailure) {
            guard format.holdsValues else { throw .readOnly(format: format.name) }
            let delay = options.writeDelay ?? (DeferredFlagWrites.areOn ? .zero : nil)
            if let delay { return try gather(change, delay: delay) }
            // Deferred writes go first, so that the file holds this write when the call returns.
            if !pending.withLock({ $0.isEmpty }) { try writeGathered() }
            return try uninterrupted { work throws(LocalFileFailure) in
                try version.withLock { version throws(LocalFileFailure) in try write(change, &version, in: work) }
            }
        } catch {
            throw error.writingError(provider: name, path: path, subject: change.subject)
        }
    }

    // MARK: Immediate writes

    private func write(
        _ change: LocalFileChange,
        _ version: inout LocalFileVersion,
        in work: ExpiringWork?
    ) throws(LocalFileFailure) -> [FlagProviderChange] {
        if !change.changes(store.document) {
            // Memory already matches, but the file may not. It is read without its lock, so that nothing is touched if
            // it matches too.
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

    // MARK: Gathered writes

    private func gather(_ change: LocalFileChange, delay: Duration) throws(LocalFileFailure) -> [FlagProviderChange] {
        if failures.withLock({ $0.reading != nil }) {
            // The file may have been corrected since.
            try version.withLock { version throws(LocalFileFailure) in _ = try loadForWriting(into: &version) }
        }
        let changes = try pending.withLock { pending throws(LocalFileFailure) in
            var document = FlagDocument()
            change.apply(to: &document)
            // A value that the format can't hold is refused now, while there is a caller.
            _ = try LocalFileVersion(
                of: document,
                format: LocalFileFormat(fileName: LocalPath.name(of: path)),
                limit: options.maximumBytes
            )
            switch change {
            case .set(let values): pending.set(values)
            case .removeAll: pending.removeAll()
            case .edit(let edit): pending.add(edit)
            }
            return change.apply(to: store)
        }
        handle(.gathered(within: delay))
        return changes
    }

    /// Writes the gathered changes.
    ///
    /// - Throws: ``FlagError`` if they could not be written. They are kept for the next attempt, and the status
    ///   has the same error.
    func flush() throws(FlagError) {
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
        // Under the lock, so that changes that are gathered from now on are handled after this event.
        pending.withLock { pending in handle(.wrote(everything: pending.isEmpty)) }
    }

    private func writeGathered(
        _ version: inout LocalFileVersion, in work: ExpiringWork?
    ) throws(LocalFileFailure) {
        let (isEmpty, number) = pending.withLock { ($0.isEmpty, $0.lastNumber) }
        // Another thread may have written them meanwhile.
        guard !isEmpty else { return }
        var replacement = try replacement(in: work)
        let isDamaged = try loadForWriting(into: &version, from: replacement.target)
        let document = store.document
        if isDamaged || document != version.document {
            try commit(document, to: &replacement, isDamaged: isDamaged, &version)
        }
        pending.withLock { $0.settle(upTo: number) }
        failures.withLock { $0.writing = nil }
        resolve(.unwrittenFile)
    }

    // MARK: Steps

    /// Performs work that locks the file while the process is kept from being suspended.
    private func uninterrupted<Result>(
        _ body: (ExpiringWork?) throws(LocalFileFailure) -> Result
    ) throws(LocalFileFailure) -> Result {
        do throws(LocalFileFailure) {
            return try ExpiringWork.perform(
                surroundings.suspension, timeLimit: options.lockTimeLimit, orThrow: .file(.suspending), body)
        } catch {
            guard case .file(let failure) = error else { throw error }
            throw .file(failure.whereFilesAreProtected(surroundings.protectsFiles))
        }
    }

    private func resolveTarget() throws(LocalFileFailure) -> String {
        guard isFile else { throw .notAFile }
        return try LocalFileFailure.during { () throws(FileFailure) in try FollowedPath.target(of: path) }
    }

    /// Opens and locks the new version of the file that the path leads to.
    ///
    /// If a link is changed while this waits for the lock, the other file is written. If it is changed later, the write
    /// is complete in the former file, because the new version is made from that file's contents.
    private func replacement(in work: ExpiringWork?) throws(LocalFileFailure) -> FileReplacement {
        var target = try resolveTarget()
        var attempts = 0
        while true {
            let replacement = try LocalFileFailure.during { () throws(FileFailure) in
                try FileReplacement(
                    of: target, timeLimit: options.lockTimeLimit, permissions: options.newFilePermissions, in: work)
            }
            let present = try resolveTarget()
            attempts += 1
            if present == target || attempts == 40 { return replacement }
            target = present
        }
    }

    private func canSetAside(_ failure: LocalFileFailure) -> Bool {
        failure.isAboutContent && options.recovery == .setAside
    }

    /// Reads the file before a write.
    ///
    /// - Parameter target: The path of the file itself, or `nil` for the file that the path leads to now.
    /// - Returns: `true` if the contents are unusable and will be set aside.
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
        to replacement: inout FileReplacement,
        isDamaged: Bool,
        _ version: inout LocalFileVersion
    ) throws(LocalFileFailure) {
        let written = try LocalFileVersion(of: document, format: version.format, limit: options.maximumBytes)
        if isDamaged || written.bytes != version.bytes {
            let aside = isDamaged ? LocalPath.freeDatedName(beside: replacement.target) : nil
            do throws(FileFailure) {
                try replacement.commit(
                    written.bytes ?? [], durability: options.durability.ofFiles, movingOldTo: aside)
            } catch {
                throw .file(error)
            }
        }
        version = written
        failures.withLock { $0.reading = nil }
    }
}
