public import TacklineCore
public import TacklineLocal

public import TacklineFoundation

// Foundation: `URL` names files.

/// Takes over the values that an app's earlier versions kept with RealFlags, once on each device.
///
/// ```swift
/// let old = RealFlagsImport(localURL: oldURL, keyConfiguration: KeyConfiguration(prefix: "myapp"))
/// let report = try old.run(for: user, search, into: overrides)
/// ```
///
/// Call it at each launch. It writes for each flag what RealFlags would have read, under the flag's present key, unless the
/// provider has a value there already. A value is imported once, also if it is reset later: a file beside the
/// provider's, with `.imported` at the end of its name, has the keys of imported flags. The old file is read only, and never
/// changed. A process that is killed meanwhile leaves everything to do or everything done, and the next call goes on.
public struct RealFlagsImport: Sendable {
    private let source: Source
    private let keyConfiguration: KeyConfiguration

    private enum Source: Sendable {
        case file(URL)
        case provider(any FlagProvider)
    }

    /// Prepares the import of a file of RealFlags' `LocalProvider`.
    ///
    /// - Parameters:
    ///   - localURL: The argument of RealFlags' `LocalProvider(localURL:)`. The file need not exist.
    ///   - keyConfiguration: The argument of RealFlags' loader or manager, in the same words: `.snakeCase` means RealFlags'
    ///     snake case here.
    public init(localURL: URL, keyConfiguration: KeyConfiguration = KeyConfiguration()) {
        source = .file(localURL)
        self.keyConfiguration = keyConfiguration
    }

    /// Prepares the import from another storage of RealFlags, such as user defaults: `UserDefaultsProvider()`.
    ///
    /// - Parameters:
    ///   - provider: The provider that has the values of the old keys.
    ///   - keyConfiguration: The argument of RealFlags' loader or manager, in the same words.
    public init(from provider: any FlagProvider, keyConfiguration: KeyConfiguration = KeyConfiguration()) {
        source = .provider(provider)
        self.keyConfiguration = keyConfiguration
    }

    /// Imports the values that were not imported yet, and returns when they are on the disk.
    ///
    /// The values of all loaders are written in one step. Where there is nothing left to do, it
    /// reads a small file. It waits for the disk; do not call it under a lock. Safe from any thread.
    ///
    /// - Parameters:
    ///   - loader: The loaders of the flags.
    ///   - provider: The provider that the values are written to. It need not be in the chain of the loaders, but should be.
    /// - Returns: The result for each flag, empty if there was nothing left to do.
    /// - Throws: ``/TacklineCore/FlagError`` if the old file cannot be read or the provider cannot be written.
    ///   Nothing has changed then; if only the record of it could not be written, the error names that, and the values are
    ///   there. The next call tries again.
    @discardableResult
    public func run<each Collection: FlagCollectionProtocol>(
        for loader: repeat FlagsLoader<each Collection>, into provider: LocalProvider
    ) throws(FlagError) -> Report {
        var record = try ImportRecord(beside: provider)
        var flags: [OldFlag] = []
        repeat flags += self.flags(of: each loader)
        let pending = flags.filter { !record.done.contains($0.oldKey.text) }
        guard !pending.isEmpty else { return Report() }
        let (document, oldValue): (OldDocument?, (FlagKeyPath) -> EncodedFlagValue?)
        switch source {
        case .file(let url):
            guard let found = try OldDocument(url) else { return Report() }
            (document, oldValue) = (found, found.value(for:))
        case .provider(let provider): (document, oldValue) = (nil, provider.value(for:))
        }

        var report = Report()
        var writes: [FlagKeyPath: EncodedFlagValue?] = [:]
        var claimed: Set<String> = []
        for flag in flags {
            let candidates = OldKeys.candidates(for: flag.oldKey, property: flag.property, keyConfiguration)
            guard let oldKey = candidates.first(where: { oldValue($0) != nil }), let stored = oldValue(oldKey) else {
                continue
            }
            claimed.insert(oldKey.text)
            if record.done.contains(flag.oldKey.text) { continue }
            do throws(FlagValueError) {
                let value = try OldValue.converted(stored, to: flag.type)
                let entry = Report.Entry(oldKey: oldKey, key: flag.key, value: value)
                if provider.value(for: flag.key) == nil, writes[flag.key] == nil {
                    writes[flag.key] = value
                    report.imported.append(entry)
                } else {
                    report.kept.append(entry)
                }
            } catch {
                report.refused.append(Report.Entry(oldKey: oldKey, key: flag.key, value: stored, error: error))
            }
        }
        report.unclaimedKeys = document?.keys(separator: keyConfiguration.pathSeparator, without: claimed) ?? []

        if !writes.isEmpty {
            try provider.setValues(writes)
            // With a delay they would be in memory only.
            try provider.flush()
        }
        let refused = Set(report.refused.map(\.key))
        try record.add(pending.filter { !refused.contains($0.key) }.map(\.oldKey.text))
        return report
    }

    private struct OldFlag {
        let key: FlagKeyPath
        /// The key by the old configuration, which is also that in the record.
        let oldKey: FlagKeyPath
        /// The names of its property's path in the source.
        let property: [String]
        let type: any FlagValue.Type
    }

    private func flags<Collection: FlagCollectionProtocol>(of loader: FlagsLoader<Collection>) -> [OldFlag] {
        // The same declarations with the old configuration: keys given by hand and collections that add nothing count.
        let old = FlagsLoader(
            Collection.self, keyConfiguration: keyConfiguration.asInRealFlags, providers: [], observation: .untracked,
            issueReporter: .silent)
        let oldKeys = Dictionary(old.root.allFlags.map { ($0.property, $0.keyPath) }) { first, _ in first }
        return loader.root.allFlags.map { flag in
            OldFlag(
                key: flag.keyPath, oldKey: oldKeys[flag.property] ?? flag.keyPath,
                property: flag.property.split(separator: ".").map(String.init), type: flag.valueType)
        }
    }
}
