import Synchronization
import TacklineComposition
import TacklineCore

extension FlagsBrowser {
    /// Returns what there is to draw.
    ///
    /// Flags whose providers told no change since the last snapshot are taken from it. Those that are computed, and those
    /// behind a provider that cannot tell changes, are asked for again.
    ///
    /// - Complexity: O(*n*) in the number of flags that are asked for again, each of which asks every provider.
    public func snapshot() -> FlagsBrowserSnapshot {
        noticeChanges()
        let layouts = currentLayouts()
        let now = configuration.now()
        let (drawings, known) = state.withLock { state in
            (
                state.drawings,
                FlagsBrowserSnapshot(
                    title: configuration.title, environment: environment.name, isProduction: environment.isProduction,
                    readOnlyReason: readOnlyReason, revision: state.revision, time: now,
                    recentChanges: state.history.changes(limit: configuration.recentChangesLimit),
                    undo: state.edits.lastUndo(of: nil), edits: state.edits.reversed().map(\.description))
            )
        }
        let pins = state.withLock { $0.pins }
        var snapshot = known
        var newDrawings: [ObjectIdentifier: BrowserDrawing] = [:]
        for layout in layouts {
            let chain = BrowserChain(of: layout.core, configuration: configuration)
            var drawing = drawings[ObjectIdentifier(layout.core)] ?? BrowserDrawing()
            drawing.update(layout, chain: chain, pins: pins, refusal: { refusal(of: $0, in: chain) }, now: now)
            newDrawings[ObjectIdentifier(layout.core)] = drawing
            var section = layout.section
            section.providers = chain.providers
            section.defaultDestination = chain.defaultDestination
            snapshot.sections.append(section)
            // Of one section, the array is shared and not copied.
            if snapshot.flags.isEmpty { snapshot.flags = drawing.flags } else { snapshot.flags += drawing.flags }
        }
        keep(newDrawings)
        return snapshot
    }

    /// Keeps drawings for the next snapshot.
    ///
    /// Of two snapshots that are made at the same time, the later one to end is kept. Either is right: each flag in it
    /// carries the version for which it was drawn.
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

    // MARK: What may be edited

    /// Why nothing can be edited; `nil` if something can.
    var readOnlyReason: FlagsBrowserRefusal? {
        switch configuration.access {
        case .dangerouslyEditingInProduction: return nil
        case .readOnly:
            return FlagsBrowserRefusal(code: .readOnly, message: "This browser only shows flags.")
        case .full:
            // Who let overrides in where customers are has said that explicitly.
            guard environment.isProduction, !environment.admitsOverrides else { return nil }
            return FlagsBrowserRefusal(
                code: .production,
                message: """
                    Flags are not edited in environment "\(environment)", which customers use. Use another build, or \
                    give the browser the access .dangerouslyEditingInProduction.
                    """)
        }
    }

    /// Why a flag cannot be edited; `nil` if it can.
    func refusal(of flag: FlagsBrowserFlag, in chain: BrowserChain) -> FlagsBrowserRefusal? {
        if let readOnlyReason { return readOnlyReason }
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
    /// The text in quotes for a message: escaped, and cut where it is long.
    var quoted: String { EncodedFlagValue.string(self).description }
}
