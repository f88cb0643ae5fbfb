import Synchronization

/// A switch between the whole chain and its local providers, for every loader and manager that has it.
///
/// ```swift
/// let mode = FlagModeSwitch(storage: settings)                    // `settings` is any WritableFlagProvider
/// let flags = FlagsLoader(AppFlags.self, providers: [remote, regionDefaults], mode: mode)
/// try mode.setMode(.local)                                        // effective at the next read, and after a relaunch
/// ```
///
/// Use it from any thread.
public final class FlagModeSwitch: Sendable {
    /// The mode of a chain: whether values from elsewhere are used.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The mode in which every provider of the chain is asked.
        case live
        /// The mode in which providers whose values come from elsewhere (``FlagProviderTraits/live``) are not asked.
        case local
    }

    private let storage: (any WritableFlagProvider)?
    private let key: FlagKeyPath
    private let isLocal: Atomic<Bool>
    /// Held during a whole change, so that the storage and the switch agree.
    private let writers = Mutex<Void>(())
    private let observers = FlagProviderStore()

    /// Creates a switch in the mode that the storage holds.
    ///
    /// If the storage holds none, or a value that is no mode, the mode is ``Mode/live``.
    ///
    /// - Parameters:
    ///   - storage: The provider that stores the mode, as `"live"` or `"local"`; `nil` for a switch whose mode isn't
    ///     stored. It is read now.
    ///   - key: The key of the mode in the storage. Don't use it for a flag.
    public init(storage: (any WritableFlagProvider)? = nil, key: FlagKeyPath = "tackline/mode") {
        self.storage = storage
        self.key = key
        isLocal = Atomic(storage?.value(for: key) == .string(Mode.local.rawValue))
    }

    /// The mode in force.
    public var mode: Mode { isLocal.load(ordering: .acquiring) ? .local : .live }

    /// Stores the mode and then puts it in force. The next read of any flag uses the new mode, and pinned values end.
    ///
    /// - Throws: ``FlagError`` if the mode can't be stored. The mode is unchanged then.
    public func setMode(_ mode: Mode) throws(FlagError) {
        try writers.withLock { _ throws(FlagError) in
            guard mode != self.mode else { return }
            try storage?.write(.string(mode.rawValue), for: key)
            isLocal.store(mode == .local, ordering: .releasing)
            observers.announceSubjectChange()
        }
    }

    /// Adds an observer, which is held weakly and notified when the mode has changed.
    func observe(_ observer: FlagProviderObserver) { observers.observe(observer) }
}
