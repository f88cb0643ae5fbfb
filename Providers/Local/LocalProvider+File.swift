import Synchronization
import TacklineCore
import TacklineFiles

import TacklineFoundation

extension LocalProvider {
    // MARK: Reading

    static func bytes(_ url: URL, _ stored: StoredFile, _ settings: Settings) throws -> [UInt8]? {
        guard url.isFileURL else {
            throw LocalFileFailure(
                .inputOutput, "it is not the address of a file", "Use a URL made with URL(filePath:)")
        }
        if let bytes = try stored.bytes() { return bytes }
        guard settings.mustExist else { return nil }
        throw LocalFileFailure(
            .inputOutput, "there is no such file",
            "Check the path, and that the file is shipped with the program: in an app, copied into its bundle")
    }

    private var bytes: Result<[UInt8]?, any Error> { Result { try Self.bytes(file, stored, settings) } }

    func readAgain() {
        // A failure is kept in the status.
        contents.withLock { contents in try? load(bytes, into: &contents) }
        store.reportIssues()
    }

    /// Puts the file in force, if it has changed. Call it while holding the lock of ``contents``.
    private func load(_ bytes: Result<[UInt8]?, any Error>, into contents: inout LocalFileContents) throws {
        do {
            let bytes = try bytes.get()
            var new = contents
            let read = try new.read(bytes, as: settings.format)
            // Changes that are not in the file yet remain in force, and are made after those of other writers.
            try pending.withLock { pending in
                var prepared: PreparedFlagDocument?
                if let read, bytes != nil || settings.format.holdsValues {
                    var document = read.document
                    // Each was accepted once. It may be refused now because of what another process has written.
                    for change in pending { try? change(&document) }
                    do throws(FlagError) { prepared = try store.prepare(document, json: read.json) } catch {
                        let problem = "it is not a document in the format \(settings.format.name): \(error.reason)"
                        throw LocalFileFailure(.unreadable, problem)
                    }
                }
                // Before observers are notified, because they may read the status.
                failures.withLock { $0.reading = nil }
                if let prepared { _ = prepared() } else if read != nil { store.clear() }
            }
            contents = new
        } catch {
            let failure = LocalFileFailure(error)
            failures.withLock { $0.reading = failure }
            throw failure
        }
    }

    /// Reads the file after a possible change. A failure is reported at the second look, because editors may empty a file
    /// first.
    ///
    /// - Returns: Whether to look again, because the file is protected: extensions get no notification when the device is
    ///   unlocked.
    func noticeChange() -> Bool {
        let former = readingError
        readAgain()
        let error = readingError
        if error == nil || error == former { report(.unreadableFile, error) }
        return error?.code == .notPermitted
    }

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

    // MARK: Writing

    /// Makes a change in the file and in memory, or only in memory if the write is deferred.
    ///
    /// The key and the value are those of an error message, if the change concerns only one flag. The change is optional,
    /// because the compiler makes a copy of the code for each closure that isn't.
    ///
    /// - Returns: The values that differ now, without changes by other writers.
    /// - Throws: ``/TacklineCore/FlagError`` if the change could not be made. Nothing has changed then.
    @discardableResult
    func change(
        _ key: FlagKeyPath? = nil, _ value: EncodedFlagValue? = nil, _ change: Change?
    ) throws(FlagError) -> [FlagProviderChange] {
        do {
            guard settings.format.holdsValues else {
                throw LocalFileFailure(
                    .readOnly, "a document in the format \(settings.format.name) is only read",
                    "Write to a provider before this one, such as FlagOverrides, or change the rules in the document")
            }
            if failures.withLock({ $0.reading != nil }) {
                // The file may have been corrected since.
                try contents.withLock { contents in try load(bytes, into: &contents) }
            }
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

    /// Writes the deferred changes and one more.
    func write(_ change: Change?) throws -> [FlagProviderChange] {
        try contents.withLock { contents in
            let isAlone = pending.withLock { $0.isEmpty }
            if isAlone, change == nil { return [] }
            if isAlone, (try? changed(by: change)) == values.document {
                // Nothing is touched, not even the lock, if the file holds the values already.
                try load(bytes, into: &contents)
                if try changed(by: change) == values.document { return [] }
            }
            var (written, count) = (contents, 0)
            try ExpiringWork.perform(settings.suspension, timeLimit: settings.lockTimeLimit) { work in
                try stored.rewrite(in: work) { bytes in
                    try load(.success(bytes), into: &contents)
                    let document = try pending.withLock { pending in
                        count = pending.count
                        return try changed(by: change)
                    }
                    written = contents
                    return try written.write(document)
                }
            }
            contents = written
            failures.withLock { $0.writing = nil }
            report(.unwrittenFile, nil)
            return try pending.withLock { pending in
                pending.removeFirst(count)
                return try values.replaceDocument(with: changed(by: change))
            }
        }
    }

    private func changed(by change: Change?) throws -> FlagDocument {
        var document = values.document
        try change?(&document)
        return document
    }

    private func makeDeferred(_ change: Change?, _ delay: Duration) throws -> [FlagProviderChange] {
        let changes = try pending.withLock { pending in
            // A value that the format can't hold is refused now, while there is a caller.
            var (document, contents) = (FlagDocument(), LocalFileContents(path: stored.path))
            try change?(&document)
            try stored.checkSize(of: contents.write(document))
            defer { if let change { pending.append(change) } }
            return try values.replaceDocument(with: changed(by: change))
        }
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) {
            settings.timer(delay) { [weak self] in
                self?.isScheduled.store(false, ordering: .releasing)
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
            if signal != .didEnterBackground, self?.readingError?.code == .notPermitted { try? self?.reload() }
        }
    }
}

/// The contents of a file when it was last read or written: their hash and form. The values are in memory once.
struct LocalFileContents: Sendable {
    /// A hash of the bytes, or `nil` if there is no file.
    private var hash: Int?
    /// The format of a property list, which is kept when it is written, or `nil` for JSON.
    private var listFormat: FlagPropertyList.Format?

    /// Creates the contents of a missing file: JSON, unless the extension is that of a property list.
    init(path: String) {
        let name = path.lowercased()
        listFormat = name.hasSuffix(".bplist") ? .binary : nil
        if name.hasSuffix(".plist") || name.hasSuffix(".xml") { listFormat = .xml }
    }

    /// Reads the bytes of a file, which are `nil` if there is none. After an error, use the contents of before.
    ///
    /// - Parameters:
    ///   - bytes: A property list in either form, if the name of the file is that of one; otherwise JSON.
    ///   - content: The format of the document, which limits its depth.
    /// - Returns: The document, and the text of a JSON file, which is used to locate mistakes; `nil` if the bytes are the
    ///   same as before.
    mutating func read(
        _ bytes: [UInt8]?, as content: FlagDocumentFormat
    ) throws -> (document: FlagDocument, json: Data?)? {
        let newHash = bytes.map { bytes in
            var hasher = Hasher()
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            return hasher.finalize()
        }
        if newHash == hash { return nil }
        hash = newHash
        guard let bytes else { return (FlagDocument(), nil) }
        if listFormat == nil {
            let json = Data(bytes)
            return (try content.document(json: json), json)
        }
        guard case .object(let members) = try FlagPropertyList.decode(bytes, maximumDepth: content.maximumDepth) else {
            throw LocalFileFailure(.unreadable, "the outermost value is not a dictionary")
        }
        listFormat = FlagPropertyList.format(of: bytes)
        return (FlagDocument(members), nil)
    }

    /// Returns the bytes of a new file. JSON and XML have one member on each line, sorted by key.
    ///
    /// They are read again, so that no unreadable file is ever written.
    mutating func write(_ document: FlagDocument) throws -> [UInt8] {
        do {
            let value = EncodedFlagValue.object(document.root)
            let bytes =
                if let listFormat {
                    try FlagPropertyList.encode(value, as: listFormat)
                } else {
                    try FlagJSONWriter(layout: .pretty).bytes(of: value)
                }
            _ = try read(bytes, as: .values)
            return bytes
        } catch {
            throw LocalFileFailure(
                .unsupportedValue, "\(error)",
                "Use a value that the format of the file can hold, a shorter key, or fewer levels")
        }
    }
}
