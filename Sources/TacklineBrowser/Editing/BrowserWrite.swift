import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which a value expires.

/// A value for a flag in a provider, or `nil` to remove the one that is there.
struct BrowserWrite: Sendable {
    var target: BrowserTarget
    var destination: BrowserDestination
    var value: EncodedFlagValue?
    /// The time at which the value expires, or `nil` if it never does.
    var expires: Date?

    /// The write that leaves the provider as it is now.
    var present: BrowserWrite {
        var present = BrowserWrite(target: target, destination: destination)
        let value = destination.provider.value(for: target.key)
        // A group of the same name is not a value of the flag.
        if case .object? = value, target.layout.core.isGroup(target.entry.handle.ordinal, of: destination.provider) {
            return present
        }
        present.value = value
        if let override = destination.overrides?.override(for: target.key), override.value == present.value {
            present.expires = override.expires
        }
        return present
    }

    /// Whether another write leaves the provider with the same value.
    func isSame(as other: BrowserWrite) -> Bool { value == other.value && expires == other.expires }

    /// The overrides that are written to, or `nil` if the provider is. A provider that wraps overrides can't be given
    /// the time at which a value expires, so it is given to the overrides inside it.
    fileprivate var overrides: FlagOverrides? {
        expires == nil && !(destination.provider is FlagOverrides) ? nil : destination.overrides
    }
}

extension FlagsBrowser {
    /// Writes values, either all or none. The values for the same `FlagOverrides` are one write.
    ///
    /// - Returns: The writes that put back what was there before, in the same order.
    func write(_ writes: [BrowserWrite]) throws(FlagsBrowserError) -> [BrowserWrite] {
        let before = writes.map(\.present)
        var done: [BrowserWrite] = []
        do throws(FlagsBrowserError) {
            for batch in writes.indices.batched(by: { writes[$0].overrides.map(ObjectIdentifier.init) }) {
                try writeAtOnce(batch.map { writes[$0] })
                done += batch.map { before[$0] }
                try throwIfExpiryIsLost(batch.map { writes[$0] })
            }
        } catch {
            var error = error
            let left = done.reversed().count { (try? writeAtOnce([$0])) == nil }
            if left > 0 {
                error.message += " \(left) of \(writes.count) values were written before that and could not be taken back."
            } else if writes.count > 1 {
                error.message += " Nothing was written."
            }
            throw error
        }
        return before
    }

    /// Writes one value, or several to the same overrides.
    private func writeAtOnce(_ writes: [BrowserWrite]) throws(FlagsBrowserError) {
        do throws(FlagError) {
            guard let overrides = writes[0].overrides else {
                let (target, value) = (writes[0].target, writes[0].value)
                let selector = FlagProviderSelector.named(writes[0].destination.id)
                return try target.layout.core.write(target.entry.handle.ordinal, to: [selector]) { value }
            }
            try overrides.setOverrides(
                writes.map { write in
                    let key = write.target.key
                    return (key, write.value.map { FlagOverrides.Entry(key: key, value: $0, expires: write.expires) })
                })
        } catch {
            var error = error
            if (writes.first { $0.target.key == error.key } ?? writes[0]).target.isSecret { error.value = nil }
            throw FlagsBrowserError(.writeFailed, error.description)
        }
        for write in writes {
            write.target.layout.core.noteWrite(of: write.target.entry.handle.ordinal, to: write.destination.id)
        }
    }

    /// Throws if a provider that wraps overrides doesn't give the values that were written to them.
    private func throwIfExpiryIsLost(_ writes: [BrowserWrite]) throws(FlagsBrowserError) {
        for write in writes where write.expires != nil && !write.present.isSame(as: write) {
            throw write.cannotExpire
        }
    }
}

extension BrowserWrite {
    /// The error for a provider that can't keep the time at which a value expires.
    var cannotExpire: FlagsBrowserError {
        target.invalid(
            .invalidExpiry,
            """
            provider \(destination.id.quoted) cannot keep when a value expires. Write to FlagOverrides, or set a value \
            that doesn't expire
            """)
    }

    /// Throws if the value can't expire at its time.
    ///
    /// - Parameter now: The present time.
    func throwIfItCannotExpire(_ now: Date) throws(FlagsBrowserError) {
        guard let expires else { return }
        guard destination.overrides != nil else { throw cannotExpire }
        guard expires > now else {
            throw target.invalid(
                .invalidExpiry, "the time at which the value would expire has passed. Choose a later one")
        }
    }
}

extension Collection {
    /// Returns the elements in groups of those with the same id, in the order of their first elements. An element
    /// without an id is a group of its own.
    fileprivate func batched<ID: Hashable>(by id: (Element) -> ID?) -> [[Element]] {
        var batches: [[Element]] = []
        var places: [ID: Int] = [:]
        for element in self {
            guard let id = id(element) else {
                batches.append([element])
                continue
            }
            let place = places[id] ?? batches.count
            if place == batches.count { batches.append([]) }
            batches[place].append(element)
            places[id] = place
        }
        return batches
    }
}
