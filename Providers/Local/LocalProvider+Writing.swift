import Synchronization
import TacklineCore
import TacklineFiles

extension LocalProvider {
    /// Makes a change in the file and in memory, or only in memory if the write is deferred.
    ///
    /// - Parameters:
    ///   - key: The flag for an error message, if the change concerns only one flag.
    ///   - value: The value for an error message.
    /// - Returns: The values that differ now, without changes by other writers.
    /// - Throws: ``/TacklineCore/FlagError`` if the change could not be made. Nothing has changed then.
    @discardableResult
    func change(
        _ key: FlagKeyPath? = nil, _ value: EncodedFlagValue? = nil, _ change: @escaping Change
    ) throws(FlagError) -> [FlagProviderChange] {
        do {
            guard format.holdsValues else {
                throw LocalFileFailure(
                    .readOnly, "a document in the format \(format.name) is only read",
                    """
                    Write to a provider before this one, such as FlagOverrides or a LocalProvider with a file of values, or \
                    change the rules in the document
                    """)
            }
            guard isFile else { throw LocalFileFailure.notAFile }
            let delay = writeDelay ?? (DeferredFlagWrites.areOn ? .zero : nil)
            return if let delay { try makeDeferred(change, delay) } else { try write(change) }
        } catch {
            throw writingError(error, key, value)
        }
    }

    func writingError(
        _ error: any Error, _ key: FlagKeyPath? = nil, _ value: EncodedFlagValue? = nil
    ) -> FlagError {
        if let error = error as? FlagError { return error }
        let failure = LocalFileFailure(error)
        let problem = failure.advice == nil ? "what it holds now cannot be read: \(failure.cause)" : failure.cause
        return FlagError(
            failure.code, provider: name, key: key, value: value,
            reason: "\(stored.path) was not written, and nothing has changed: \(problem)",
            advice: failure.advice ?? "Correct the file, or move it to another name and start anew")
    }

    // MARK: Immediate writes

    /// Writes the deferred changes and one more.
    func write(_ change: Change?) throws -> [FlagProviderChange] {
        try contents.withLock { contents in
            if try !isNeeded(change) {
                // Memory already matches, but the file may not. It is read without its lock, so that nothing is touched if
                // it matches too.
                guard change != nil else { return [] }
                try load(bytes, into: &contents)
                if try !isNeeded(change) { return [] }
            }
            return try ExpiringWork.perform(settings.suspension, timeLimit: settings.lockTimeLimit) { work in
                try write(change, &contents, in: work)
            }
        }
    }

    private func write(
        _ change: Change?, _ contents: inout LocalFileContents, in work: ExpiringWork?
    ) throws -> [FlagProviderChange] {
        var written = contents
        var count = 0
        try stored.rewrite(in: work) { bytes in
            try load({ bytes }, into: &contents)
            var document: FlagDocument
            (document, count) = pending.withLock { (values.document, $0.changes.count) }
            try change?(&document)
            written = contents
            return try written.write(document)
        }
        contents = written
        failures.withLock { $0.writing = nil }
        report(.unwrittenFile, nil)
        return try pending.withLock { pending in
            pending.changes.removeFirst(count)
            guard let change else { return [] }
            var document = values.document
            try change(&document)
            return values.replaceDocument(with: document)
        }
    }

    /// Returns whether the file has to be written.
    private func isNeeded(_ change: Change?) throws -> Bool {
        if pending.withLock({ !$0.changes.isEmpty }) { return true }
        var document = values.document
        try change?(&document)
        return document != values.document
    }

    // MARK: Deferred writes

    private func makeDeferred(_ change: @escaping Change, _ delay: Duration) throws -> [FlagProviderChange] {
        if failures.withLock({ $0.reading != nil }) {
            // The file may have been corrected since.
            try contents.withLock { contents in try load(bytes, into: &contents) }
        }
        let (changes, isFirst) = try pending.withLock { pending in
            // A value that the format can't hold is refused now, while there is a caller.
            var (document, contents) = (FlagDocument(), LocalFileContents(path: stored.path))
            try change(&document)
            _ = try contents.write(document)
            document = values.document
            try change(&document)
            pending.changes.append(change)
            defer { pending.isScheduled = true }
            return (values.replaceDocument(with: document), !pending.isScheduled)
        }
        if isFirst {
            settings.timer(delay) { [weak self] in
                self?.pending.withLock { $0.isScheduled = false }
                self?.writeAndReport()
            }
        }
        return changes
    }

    /// Writes the deferred changes and reports errors, because there is no caller.
    private func writeAndReport() {
        do throws(FlagError) { try flush() } catch {
            // The changes are written when the app returns to the foreground.
            if error.code != .suspending { report(.unwrittenFile, error) }
        }
    }

    /// Handles a change in the app's lifecycle, on the thread that posts it: the app may be suspended or end soon, or what
    /// failed may be possible again.
    func receive(_ signal: FlagAppLifecycle.Signal) {
        if signal == .willTerminate { return writeAndReport() }
        settings.timer(.zero) { [weak self] in
            self?.writeAndReport()
            // A failure is kept in the status.
            if signal != .didEnterBackground, self?.isProtected == true { try? self?.reload() }
        }
    }
}
