import TacklineComposition
import TacklineCore
import TacklineFormats
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` is what FlagOverrides takes.

extension FlagsBrowser {
    /// What an import would do, worked out and checked before the first write.
    struct BundleImport {
        /// What is set, and in which provider.
        var writes: [(target: BrowserTarget, destination: BrowserDestination, override: FlagOverride)] = []
        /// What a replacing import removes.
        var removals: [(target: BrowserTarget, destination: BrowserDestination)] = []
        /// The keys in the bundle that the browser shows no flag for.
        var unknown: [String] = []
        /// How many overrides have ended.
        var expiredCount = 0
    }

    /// Returns what the destination holds, as a bundle.
    func exportBundle(destination name: String?) throws(FlagsBrowserError) -> FlagsBrowserReply {
        try throwIfProductionTakesNoOverrides()
        var overrides: [FlagOverride] = []
        var destinations: [String] = []
        var unreachable: FlagsBrowserError?
        for target in allTargets() {
            do throws(FlagsBrowserError) {
                let destination = try target.destination(name)
                if !destinations.contains(destination.id) { destinations.append(destination.id) }
                let held = HeldValue(of: target.entry.handle, in: destination.provider)
                guard let value = held.value else { continue }
                overrides.append(FlagOverride(key: target.key, value: value, expires: held.expires))
            } catch {
                unreachable = unreachable ?? error
            }
        }
        if destinations.isEmpty, let unreachable { throw unreachable }
        let bundle = FlagOverrideBundle(overrides)
        do throws(FlagValueError) {
            let text = try FlagJSONWriter().text(of: bundle.encoded)
            let places = destinations.map(\.quoted).joined(separator: ", ")
            let count = "\(bundle.overrides.count) \(bundle.overrides.count == 1 ? "override" : "overrides")"
            return reply("Exported \(count) from \(places).", flags: [], bundle: text)
        } catch {
            throw FlagsBrowserError(.writeFailed, "The overrides cannot be exported: \(error).")
        }
    }

    /// Writes the overrides of a bundle, all or none.
    func importBundle(
        _ text: String, isReplacing: Bool, destination: String?, _ request: FlagsBrowserRequest
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let plan = try plannedImport(text, isReplacing: isReplacing, destination: destination)
        let count = plan.writes.count
        var edit = BrowserEdit(
            title: "Imported \(count) \(count == 1 ? "override" : "overrides")\(isReplacing ? " in place of all" : "")",
            items: [], author: request.author)
        do throws(FlagsBrowserError) {
            for write in plan.removals {
                edit.items.append(try self.write(nil, for: write.target, to: write.destination, request.durability))
            }
            for write in plan.writes {
                edit.items.append(
                    try take(write.override, for: write.target, to: write.destination, request.durability))
            }
        } catch {
            throw takenBack(edit, because: error, request.durability)
        }
        let number = remember(edit)
        return reply("\(edit.title)\(plan.notes).", flags: edit.items.map(\.flag), edit: number)
    }

    /// Reads and checks a bundle.
    func plannedImport(
        _ text: String, isReplacing: Bool, destination name: String?
    ) throws(FlagsBrowserError) -> BundleImport {
        try throwIfProductionTakesNoOverrides()
        let bundle = try bundle(in: text)
        let targets = allTargets()
        let byKey = Dictionary(targets.map { ($0.key.text, $0) }) { first, _ in first }
        let now = configuration.now()
        var plan = BundleImport()
        var imported: Set<String> = []
        for override in bundle.overrides {
            guard let target = byKey[override.key.text] else {
                plan.unknown.append(override.key.text)
                continue
            }
            if let expires = override.expires, expires <= now {
                plan.expiredCount += 1
                continue
            }
            if let refusal = refusal(of: target.entry.template, in: target.chain) {
                throw target.error(refusal.code, "Nothing was imported. \(refusal.message)")
            }
            let destination = try target.destination(name)
            if override.expires != nil, !(destination.provider is FlagOverrides) {
                throw target.error(
                    .unreadableBundle,
                    """
                    Nothing was imported: the override of flag \(target.quotedKey) ends at some time, which provider \
                    \(destination.id.quoted) cannot keep. Import into FlagOverrides, or take "expires" out of the bundle.
                    """, provider: destination.id)
            }
            var accepted = override
            accepted.key = target.key
            accepted.value = try target.value(of: .value(override.value))
            plan.writes.append((target, destination, accepted))
            imported.insert(target.id)
        }
        guard isReplacing else { return plan }
        let others = targets.filter { !imported.contains($0.id) }
        plan.removals = try resettable(others, isAlone: false, destination: name)
        return plan
    }

    private func bundle(in text: String) throws(FlagsBrowserError) -> FlagOverrideBundle {
        let value: EncodedFlagValue
        do throws(FlagJSONError) {
            var limits = FlagsBrowserValue.jsonLimits
            limits.maximumMembers = 100_000
            value = try FlagJSONReader(limits: limits).read(text)
        } catch {
            throw FlagsBrowserError(
                .unreadableBundle, "The bundle of overrides is no JSON: \(error). Nothing was imported.",
                line: error.line, column: error.column, path: error.path)
        }
        do throws(FlagValueError) {
            return try FlagOverrideBundle(encoded: value)
        } catch {
            throw FlagsBrowserError(
                .unreadableBundle,
                "The text is no bundle of overrides: \(error). Nothing was imported. Import what an export wrote.",
                path: error.path)
        }
    }

    /// Writes an override, with its expiry date if it has one.
    func take(
        _ override: FlagOverride, for target: BrowserTarget, to destination: BrowserDestination,
        _ durability: FlagWriteDurability
    ) throws(FlagsBrowserError) -> BrowserEdit.Item {
        guard let expires = override.expires, let overrides = destination.provider as? FlagOverrides else {
            return try write(override.value, for: target, to: destination, durability)
        }
        let before = HeldValue(of: target.entry.handle, in: overrides)
        do throws(FlagProviderError) {
            try overrides.setValue(override.value, for: target.key, expires: expires, durability: durability)
        } catch {
            throw target.error(.writeFailed, error.description, provider: destination.id)
        }
        return BrowserEdit.Item(
            flag: target.id, handle: target.entry.handle, destination: destination.id, before: before,
            after: HeldValue(of: target.entry.handle, in: overrides))
    }

    /// Restores the values that a failed import has replaced, and returns the error for its caller. An undo restores those
    /// that can't be restored now.
    private func takenBack(
        _ edit: BrowserEdit, because cause: FlagsBrowserError, _ durability: FlagWriteDurability
    ) -> FlagsBrowserError {
        var left = edit
        while let item = left.items.last {
            guard (try? putBack(item, durability)) != nil else { break }
            left.items.removeLast()
        }
        _ = remember(left)
        var error = cause
        error.message +=
            left.items.isEmpty
            ? " Nothing was imported."
            : " \(left.items.count) overrides were imported before that and could not be taken back; undo takes them back."
        return error
    }

    private func throwIfProductionTakesNoOverrides() throws(FlagsBrowserError) {
        guard environment.isProduction, !environment.admitsOverrides,
            configuration.access != .dangerouslyEditingInProduction
        else { return }
        throw FlagsBrowserError(
            .production,
            "Environment \"\(environment)\" takes and gives no bundles of overrides, since customers use it. Use another "
                + "build.")
    }
}

extension FlagsBrowser.BundleImport {
    /// What it would make different, the removals first. What is there already is left out.
    var differences: [FlagsBrowserDifference] {
        let removed = removals.map { target, destination in
            FlagsBrowserDifference(
                flag: target.id, key: target.key.text,
                old: destination.provider.value(for: target.key).map { FlagsBrowserValue($0) })
        }
        let written = writes.compactMap { target, destination, override -> FlagsBrowserDifference? in
            let held = HeldValue(of: target.entry.handle, in: destination.provider)
            guard held.value != override.value || held.expires != override.expires else { return nil }
            return FlagsBrowserDifference(
                flag: target.id, key: target.key.text, old: held.value.map { FlagsBrowserValue($0) },
                new: FlagsBrowserValue(override.value), expires: override.expires)
        }
        return removed + written
    }

    /// What the one who imports should know, as the end of a sentence.
    var notes: String {
        var notes = ""
        if !unknown.isEmpty {
            let shown = unknown.prefix(5).map(\.quoted).joined(separator: ", ")
            let rest = unknown.count > 5 ? " and \(unknown.count - 5) more" : ""
            notes += "; passed over \(shown)\(rest), which no flag here has as its key"
        }
        if expiredCount > 0 { notes += "; passed over \(expiredCount) that had expired" }
        return notes
    }
}
