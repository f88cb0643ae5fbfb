import Synchronization
import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the time of a snapshot.

extension FlagsBrowser {
    /// Returns the flags and everything else that a user interface shows.
    ///
    /// A flag is copied from the last snapshot if its providers notified of no change since then. Computed flags, and
    /// flags of a chain with a provider that doesn't notify observers, are always evaluated again.
    ///
    /// - Complexity: O(*n*) in the number of flags that are evaluated again. Each of them asks every provider.
    public func snapshot() -> FlagsBrowserSnapshot {
        noticeChanges()
        let layouts = currentLayouts()
        let now = configuration.now()
        var snapshot = emptySnapshot(at: now)
        let (drawings, pins) = state.withLock { ($0.drawings, $0.pins) }
        var newDrawings: [ObjectIdentifier: BrowserDrawing] = [:]
        for layout in layouts {
            let chain = chain(of: layout)
            var drawing = drawings[ObjectIdentifier(layout.core)] ?? BrowserDrawing()
            drawing.update(layout, chain: chain, pins: pins, refusal: { refusal(of: $0, in: chain) }, now: now)
            newDrawings[ObjectIdentifier(layout.core)] = drawing
            snapshot.sections.append(section(of: layout, in: chain))
            // With a single section the array is shared, not copied.
            if snapshot.flags.isEmpty { snapshot.flags = drawing.flags } else { snapshot.flags += drawing.flags }
        }
        keep(newDrawings)
        return snapshot
    }

    /// Returns the flags in their order without asking any provider: each has its declared default in place of its
    /// values. Whether a flag can be edited is left out, too.
    package func outline() -> FlagsBrowserSnapshot {
        var snapshot = emptySnapshot(at: configuration.now())
        let pins = state.withLock { $0.pins }
        for layout in currentLayouts() {
            snapshot.sections.append(section(of: layout, in: chain(of: layout)))
            snapshot.flags += layout.entries.map(\.template)
        }
        for index in snapshot.flags.indices where pins.contains(snapshot.flags[index].id) {
            snapshot.flags[index].isPinned = true
        }
        return snapshot
    }

    /// Returns a snapshot without sections and flags.
    private func emptySnapshot(at now: Date) -> FlagsBrowserSnapshot {
        let readOnlyReason = readOnlyReason
        return state.withLock { state in
            FlagsBrowserSnapshot(
                title: configuration.title, environment: environment.name, isProduction: environment.isProduction,
                readOnlyReason: readOnlyReason, revision: state.revision, time: now,
                recentChanges: state.history.changes(limit: configuration.recentChangesLimit),
                undo: state.edits.lastUndo(of: nil), edits: state.edits.reversed().map(\.description))
        }
    }

    private func section(of layout: BrowserLayout, in chain: BrowserChain) -> FlagsBrowserSection {
        var section = layout.section
        section.providers = chain.providers
        section.defaultDestination = chain.defaultDestination
        return section
    }

    /// Keeps the drawings for the next snapshot.
    ///
    /// If two snapshots are made at the same time, the drawings of the one that ends last are kept. Both are valid,
    /// because each flag carries the version for which it was drawn.
    private func keep(_ drawings: [ObjectIdentifier: BrowserDrawing]) {
        let replaced = state.withLock { state in
            defer { state.drawings = drawings }
            return state.drawings
        }
        withExtendedLifetime(replaced) {}
    }

    /// Returns one flag with its values in full, up to ``FlagsBrowserValue/fullLimit``.
    ///
    /// - Throws: ``FlagsBrowserError`` if the browser shows no such flag.
    public func flag(id: String) throws(FlagsBrowserError) -> FlagsBrowserFlag {
        let target = try target(flag: id)
        var flag = target.entry.template
        flag.take(
            target.entry.handle.explain(), overrideLayers: target.chain.overrideLayers,
            limit: FlagsBrowserValue.fullLimit)
        flag.take(expiries: target.chain.expiries)
        flag.isPinned = state.withLock { $0.pins.contains(id) }
        flag.isExpired = flag.metadata.expiryDate.map { $0 <= configuration.now() } ?? false
        flag.refusal = refusal(of: flag, in: target.chain)
        return flag
    }

    // MARK: Permission to edit

    /// Whether overrides are allowed at present, and so whether flags may be edited here.
    ///
    /// `FlagOverrides` with a closure `isAllowed` decide for their loader each time this property is read. For other
    /// loaders the strictest environment decides. The result is `true` if at least one loader allows overrides.
    public var allowsOverrides: Bool {
        let layouts = currentLayouts()
        return layouts.isEmpty ? environment.admitsOverrides : layouts.contains { chain(of: $0).allowsOverrides }
    }

    func chain(of layout: BrowserLayout) -> BrowserChain {
        BrowserChain(of: layout.core, in: environment, configuration: configuration)
    }

    /// The reason why nothing can be edited, or `nil` if something can.
    var readOnlyReason: FlagsBrowserRefusal? {
        switch configuration.access {
        case .dangerouslyEditingInProduction: nil
        case .readOnly: FlagsBrowserRefusal(code: .readOnly, message: "This browser only shows flags.")
        case .full: allowsOverrides ? nil : notAllowed
        }
    }

    private var notAllowed: FlagsBrowserRefusal {
        let message =
            environment.admitsOverrides
            ? "Flags are not edited now, because the app does not allow overrides (isAllowed)."
            : """
            Flags are not edited in environment "\(environment)", which customers use. Use another build, or say with \
            FlagOverrides(…, isAllowed:) who may edit them.
            """
        return FlagsBrowserRefusal(code: .production, message: message)
    }

    /// Returns the reason why a flag can't be edited, or `nil` if it can.
    func refusal(of flag: FlagsBrowserFlag, in chain: BrowserChain) -> FlagsBrowserRefusal? {
        switch configuration.access {
        case .dangerouslyEditingInProduction: break
        case .readOnly: return readOnlyReason
        case .full: if !chain.allowsOverrides { return notAllowed }
        }
        if flag.metadata.isLocked {
            return FlagsBrowserRefusal(
                code: .locked,
                message: "Flag \(flag.key.quoted) is locked, so it can only be looked at. Its declaration says so.")
        }
        if chain.defaultDestination == nil {
            return FlagsBrowserRefusal(
                code: .noDestination,
                message: """
                    Flag \(flag.key.quoted) cannot be edited, since no provider of its chain can be written to. Add \
                    FlagOverrides or a MemoryProvider at the start of the chain.
                    """)
        }
        return nil
    }
}

extension String {
    /// The text in quotes for a message, escaped and shortened if it is long.
    var quoted: String { EncodedFlagValue.string(self).description }
}
