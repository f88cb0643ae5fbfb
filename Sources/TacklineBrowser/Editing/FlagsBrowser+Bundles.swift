import TacklineCore
import TacklineOverrides

extension FlagsBrowser {
    /// Returns a reply with the values of the destination as a bundle. The reply has no bundle if there are no values.
    func exportBundle(destination name: String?) throws(FlagsBrowserError) -> FlagsBrowserReply {
        try throwIfOverridesAreNotAllowed()
        var held: [BrowserWrite] = []
        var unreachable: FlagsBrowserError?
        for target in allTargets() {
            do throws(FlagsBrowserError) {
                held.append(BrowserWrite(target: target, destination: try target.destination(name)).present)
            } catch {
                unreachable = unreachable ?? error
            }
        }
        if held.isEmpty, let unreachable { throw unreachable }
        // If loaders that share a key hold different values, each override names its section.
        let values = Dictionary(held.map { ($0.target.key.text, Set([$0.value])) }) { $0.union($1) }
        let bundle = FlagOverrideBundle(
            held.compactMap { held in
                held.value.map { value in
                    let isShared = values[held.target.key.text, default: []].count > 1
                    return FlagOverrides.Entry(
                        key: held.target.key, value: value, expires: held.expires,
                        section: isShared ? held.target.layout.section.id : nil)
                }
            })
        guard !bundle.overrides.isEmpty else {
            return FlagsBrowserReply(message: "Nothing to share: no flag is overridden.")
        }
        do throws(FlagValueError) {
            let text = try FlagJSONWriter().text(of: bundle.encoded)
            return FlagsBrowserReply(message: "Exported \(count(bundle.overrides.count)).", bundle: text)
        } catch {
            throw FlagsBrowserError(
                .writeFailed, "The overrides cannot be exported: \(error). Reset the override of that value.")
        }
    }

    private func count(_ overrides: Int) -> String { "\(overrides) \(overrides == 1 ? "override" : "overrides")" }

    /// Reads and checks a bundle. Overrides without a flag and those that have expired are left out.
    func importPlan(
        _ text: String, isReplacing: Bool, destination name: String?
    ) throws(FlagsBrowserError) -> BrowserPlan {
        try throwIfOverridesAreNotAllowed()
        let targets = allTargets()
        let byKey = Dictionary(grouping: targets) { $0.key.text }
        var writes: [BrowserWrite] = []
        var unknown: [String] = []
        var expiredCount = 0
        var imported: Set<String> = []
        for override in try bundle(in: text).overrides {
            let all = byKey[override.key.text] ?? []
            let own = all.filter { $0.layout.section.id == override.section }
            // An override for a section that this program doesn't have applies to all flags with its key.
            let meant = own.isEmpty ? all : own
            if meant.isEmpty {
                unknown.append(override.key.text)
            } else if let expires = override.expires, expires <= now {
                expiredCount += 1
            } else {
                writes += try self.writes(of: override, to: meant, destination: name, &imported)
            }
        }
        let others = isReplacing ? targets.filter { !imported.contains($0.id) } : []
        let removals = try resets(of: others, destination: name)
        var notes = removals.isEmpty ? "" : "; \(count(removals.count)) removed"
        if !unknown.isEmpty {
            let shown = unknown.prefix(5).map(\.quoted).joined(separator: ", ")
            let rest = unknown.count > 5 ? " and \(unknown.count - 5) more" : ""
            notes += "; passed over \(shown)\(rest), which no flag here has as its key"
        }
        if expiredCount > 0 { notes += "; passed over \(expiredCount) that had expired" }
        let edit = count(writes.count) + notes
        return BrowserPlan(writes: removals + writes, does: "Imports \(edit).", done: "Imported \(edit).")
    }

    /// Returns what an import writes for the flags with the key of an override.
    ///
    /// - Parameter imported: Gets the ids of the flags.
    private func writes(
        of override: FlagOverrides.Entry, to targets: [BrowserTarget], destination name: String?,
        _ imported: inout Set<String>
    ) throws(FlagsBrowserError) -> [BrowserWrite] {
        var writes: [BrowserWrite] = []
        var refusal: FlagsBrowserError?
        for target in targets {
            do throws(FlagsBrowserError) {
                try throwIfNotEditable(target)
                let write = BrowserWrite(
                    target: target, destination: try target.destination(name),
                    value: try target.normalized(override.value), expires: override.expires)
                try write.throwIfItCannotExpire(now)
                imported.insert(target.id)
                // Several loaders may share a provider.
                let provider = write.destination.provider as AnyObject
                if !writes.contains(where: { $0.destination.provider as AnyObject === provider }) {
                    writes.append(write)
                }
            } catch {
                refusal = refusal ?? error
            }
        }
        if writes.isEmpty, var refusal {
            refusal.message = "Nothing was imported. \(refusal.message)"
            throw refusal
        }
        return writes
    }

    private func bundle(in text: String) throws(FlagsBrowserError) -> FlagOverrideBundle {
        guard text.utf8.count <= FlagsBrowserValue.inputLimit else {
            throw FlagsBrowserError(
                .unreadableBundle, "The bundle of overrides is longer than 1 MiB. Nothing was imported.")
        }
        let value: EncodedFlagValue
        do throws(FlagJSONError) {
            value = try FlagJSONReader().read(text)
        } catch {
            throw FlagsBrowserError(
                .unreadableBundle, "The bundle of overrides is not JSON: \(error). Nothing was imported.",
                line: error.line, column: error.column)
        }
        do throws(FlagValueError) {
            return try FlagOverrideBundle(encoded: value)
        } catch {
            throw FlagsBrowserError(
                .unreadableBundle,
                "The text is not a bundle of overrides: \(error). Nothing was imported. Import what an export wrote.")
        }
    }

    private func throwIfOverridesAreNotAllowed() throws(FlagsBrowserError) {
        if access == .dangerouslyEditingInProduction || allowsOverrides { return }
        throw FlagsBrowserError(
            .production,
            "Environment \"\(environment)\" takes and gives no bundles of overrides, since customers use it. Use another "
                + "build.")
    }
}
