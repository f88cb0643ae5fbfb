import Synchronization
public import TacklineCore

/// Whether flags follow the whole chain or only what is on this machine.
public enum FlagMode: String, Sendable, Hashable, CaseIterable {
    /// Every provider of the chain is asked.
    case live
    /// Providers whose values come from elsewhere (``/TacklineCore/LiveFlagProvider``) are not asked.
    case local
}

/// Switches the loaders and managers that were made with it between the live chain and local values.
///
/// ```swift
/// let mode = FlagModeSwitch(storage: settings)                    // `settings` is any WritableFlagProvider
/// let flags = FlagsLoader(AppFlags.self, providers: chain.switched(by: mode))
/// try mode.setMode(.local)                                        // effective at the next read, and after a relaunch
/// ```
///
/// Safe from any thread.
public final class FlagModeSwitch: Sendable {
    private let storage: (any WritableFlagProvider)?
    private let key: FlagKeyPath
    private let isLocal: Atomic<Bool>
    /// Held through a whole change, so that the storage and the switch agree.
    private let writers = Mutex<Void>(())
    private let observers = FlagProviderStore()

    /// Makes a switch in the mode that the storage remembers.
    ///
    /// - Parameters:
    ///   - storage: Keeps the mode, as `"live"` or `"local"`; `nil` for a switch that forgets it with the process. It is
    ///     read now and not again.
    ///   - key: Where it keeps it. Do not give a flag the same key.
    ///   - issueReporter: Told if the storage holds something else; the mode is ``FlagMode/live`` then.
    public init(
        storage: (any WritableFlagProvider)? = nil,
        key: FlagKeyPath = "tackline/mode",
        issueReporter: FlagIssueReporter = .current
    ) {
        self.storage = storage
        self.key = key
        let stored = storage?.value(for: key)
        var mode: FlagMode?
        if case .string(let text)? = stored { mode = FlagMode(rawValue: text) }
        if let storage, let stored, stored != .null, mode == nil {
            issueReporter.report(
                FlagIssue(
                    .unknownMode,
                    message: """
                        Provider "\(storage.name)" holds \(stored) for "\(key)", which is no mode, so flags follow the \
                        live chain. Set the mode with FlagModeSwitch.setMode(_:).
                        """,
                    provider: storage.name, value: stored))
        }
        isLocal = Atomic(mode == .local)
    }

    /// The mode in force.
    public var mode: FlagMode { isLocal.load(ordering: .acquiring) ? .local : .live }

    /// Changes the mode, keeping it in the storage first. The next read of any flag goes by it.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` if the storage could not keep it. The mode has not changed then.
    public func setMode(_ mode: FlagMode) throws(FlagProviderError) {
        try writers.withLock { _ throws(FlagProviderError) in
            guard mode != self.mode else { return }
            try storage?.setValue(.string(mode.rawValue), for: key)
            isLocal.store(mode == .local, ordering: .releasing)
            observers.setValue(.string(mode.rawValue), for: key)
        }
    }

    /// Adds an observer, held weakly, which is told when the mode has changed.
    package func observe(_ observer: FlagProviderObserver) {
        observers.observe(observer)
    }
}

extension FlagModeSwitch: ProviderGate {
    package var isOpen: Bool { mode == .live }
}

extension FlagIssue.Code {
    /// The storage of a mode switch holds something that is no mode.
    public static let unknownMode = FlagIssue.Code("unknown-mode")
}
