import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` is what FlagOverrides takes.

extension FlagsBrowser {
    /// The changes of an import, computed and checked before the first write.
    struct BundleImport {
        /// The overrides to set, with their providers.
        var writes: [BrowserWrite] = []
        /// The values that a replacing import removes.
        var removals: [BrowserWrite] = []
        /// The keys in the bundle for which the browser shows no flag.
        var unknown: [String] = []
        /// The number of overrides that have expired.
        var expiredCount = 0
    }

    /// Returns a reply with the values of the destination as a bundle. The reply has no bundle if there are no values.
    func exportBundle(destination name: String?) throws(FlagsBrowserError) -> FlagsBrowserReply {
        try throwIfOverridesAreNotAllowed()
        var held: [(target: BrowserTarget, value: HeldValue)] = []
        var destinations: [String] = []
        var unreachable: FlagsBrowserError?
        for target in allTargets() {
            do throws(FlagsBrowserError) {
                let destination = try target.destination(name)
                if !destinations.contains(destination.id) { destinations.append(destination.id) }
                held.append((target, HeldValue(of: target.entry.handle, in: destination.provider)))
            } catch {
                unreachable = unreachable ?? error
            }
        }
        if destinations.isEmpty, let unreachable { throw unreachable }
        // If loaders that share a key hold different values, each override names its section.
        let values = Dictionary(held.map { ($0.target.key.text, Set([$0.value])) }) { $0.union($1) }
        let bundle = FlagOverrideBundle(
            held.compactMap { target, held in
                held.value.map { value in
                    let section = (values[target.key.text]?.count ?? 0) > 1 ? target.layout.section.id : nil
                    return FlagOverrides.Entry(key: target.key, value: value, expires: held.expires, section: section)
                }
            })
        guard !bundle.overrides.isEmpty else { return reply("Nothing to share: no flag is overridden.", flags: []) }
        do throws(FlagValueError) {
            let text = try FlagJSONWriter().text(of: bundle.encoded)
            let places = destinations.map(\.quoted).joined(separator: ", ")
            let count = "\(bundle.overrides.count) \(bundle.overrides.count == 1 ? "override" : "overrides")"
            return reply("Exported \(count) from \(places).", flags: [], bundle: text)
        } catch {
            throw FlagsBrowserError(
                .writeFailed, "The overrides cannot be exported: \(error). Reset the override of that value.")
        }
    }

    /// Writes the overrides of a bundle, either all or none.
    func importBundle(
        _ text: String, isReplacing: Bool, destination: String?, _ request: FlagsBrowserRequest
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let plan = try plannedImport(text, isReplacing: isReplacing, destination: destination)
        let count = plan.writes.count
        var edit = BrowserEdit(
            title: "Imported \(count) \(count == 1 ? "override" : "overrides")\(isReplacing ? " in place of all" : "")",
            items: [], author: request.author)
        do throws(FlagsBrowserError) {
            try write(plan.removals + plan.writes, into: &edit)
        } catch {
            throw takenBack(edit, because: error)
        }
        let number = remember(edit)
        return reply("\(edit.title)\(plan.notes).", flags: edit.items.map(\.flag), edit: number)
    }

    /// Reads and checks a bundle.
    func plannedImport(
        _ text: String, isReplacing: Bool, destination name: String?
    ) throws(FlagsBrowserError) -> BundleImport {
        try throwIfOverridesAreNotAllowed()
        let bundle = try bundle(in: text)
        let targets = allTargets()
        let byKey = Dictionary(grouping: targets) { $0.key.text }
        let now = configuration.now()
        var plan = BundleImport()
        var imported: Set<String> = []
        for override in bundle.overrides {
            let all = byKey[override.key.text] ?? []
            let own = all.filter { $0.layout.section.id == override.section }
            // An override for a section that this program doesn't have applies to all flags with its key.
            let meant = own.isEmpty ? all : own
            guard !meant.isEmpty else {
                plan.unknown.append(override.key.text)
                continue
            }
            if let expires = override.expires, expires <= now {
                plan.expiredCount += 1
                continue
            }
            var refusal: FlagsBrowserError?
            var written: [AnyObject] = []
            for target in meant {
                do throws(FlagsBrowserError) {
                    let write = try write(of: override, to: target, destination: name)
                    imported.insert(target.id)
                    // Several loaders may share a provider.
                    let provider = write.destination.provider as AnyObject
                    guard !written.contains(where: { $0 === provider }) else { continue }
                    plan.writes.append(write)
                    written.append(provider)
                } catch {
                    refusal = refusal ?? error
                }
            }
            if written.isEmpty, let refusal { throw refusal }
        }
        guard isReplacing else { return plan }
        let others = targets.filter { !imported.contains($0.id) }
        plan.removals = try resettable(others, isAlone: false, destination: name)
        return plan
    }

    /// Checks what an import would write for one flag.
    private func write(
        of override: FlagOverrides.Entry, to target: BrowserTarget, destination name: String?
    ) throws(FlagsBrowserError) -> BrowserWrite {
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
        let value = try target.value(of: .value(override.value))
        return BrowserWrite(target: target, destination: destination, value: value, expires: override.expires)
    }

    private func bundle(in text: String) throws(FlagsBrowserError) -> FlagOverrideBundle {
        let value: EncodedFlagValue
        do throws(FlagJSONError) {
            value = try FlagJSONReader(limits: FlagsBrowserValue.jsonLimits).read(text)
        } catch {
            throw FlagsBrowserError(
                .unreadableBundle, "The bundle of overrides is not JSON: \(error). Nothing was imported.",
                line: error.line, column: error.column, path: error.path)
        }
        do throws(FlagValueError) {
            return try FlagOverrideBundle(encoded: value)
        } catch {
            throw FlagsBrowserError(
                .unreadableBundle,
                "The text is not a bundle of overrides: \(error). Nothing was imported. Import what an export wrote.",
                path: error.path)
        }
    }

    /// Restores the values that a failed import has replaced, and returns the error for its caller. An undo restores
    /// those that can't be restored now.
    private func takenBack(
        _ edit: BrowserEdit, because cause: FlagsBrowserError
    ) -> FlagsBrowserError {
        var left = edit
        while let item = left.items.last {
            guard (try? putBack(item)) != nil else { break }
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

    private func throwIfOverridesAreNotAllowed() throws(FlagsBrowserError) {
        if configuration.access == .dangerouslyEditingInProduction || allowsOverrides { return }
        throw FlagsBrowserError(
            .production,
            "Environment \"\(environment)\" takes and gives no bundles of overrides, since customers use it. Use another "
                + "build.")
    }
}

extension FlagsBrowser.BundleImport {
    /// The changes that the import would make, removals first. Values that the provider already holds are left out.
    var differences: [FlagsBrowserDifference] {
        let removed = removals.map { write in
            FlagsBrowserDifference(
                flag: write.target.id, key: write.target.key.text,
                old: write.target.browserValue(in: write.destination.provider))
        }
        let written = writes.compactMap { write -> FlagsBrowserDifference? in
            let target = write.target
            let held = HeldValue(of: target.entry.handle, in: write.destination.provider)
            guard held.value != write.value || held.expires != write.expires else { return nil }
            return FlagsBrowserDifference(
                flag: target.id, key: target.key.text, old: held.value.map(target.browserValue),
                new: write.value.map(target.browserValue), expires: write.expires)
        }
        return removed + written
    }

    /// Remarks about ignored overrides, as the end of a sentence.
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
