import TacklineCore
import TacklineOverrides

import TacklineFoundation

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
        present.expires = wrappedOverrides?.override(for: target.key)?.expires
        return present
    }

    /// The provider if it is `FlagOverrides`, which take several values at once.
    fileprivate var ownOverrides: FlagOverrides? { destination.provider as? FlagOverrides }

    /// The overrides that the provider is or takes the flag's value from, or `nil` if it has it from elsewhere.
    fileprivate var wrappedOverrides: FlagOverrides? {
        let value = destination.provider.value(for: target.key)
        return destination.overrides.flatMap { $0.override(for: target.key)?.value == value ? $0 : nil }
    }

    /// Whether another write leaves the provider with the same value.
    func isSame(as other: BrowserWrite) -> Bool { value == other.value && expires == other.expires }

    /// The override that is written, or `nil` to remove it.
    fileprivate var entry: FlagOverrides.Entry? {
        value.map { FlagOverrides.Entry(key: target.key, value: $0, expires: expires) }
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
            for batch in writes.indices.batched(by: { writes[$0].ownOverrides.map(ObjectIdentifier.init) }) {
                done += batch.map { before[$0] }
                try writeAtOnce(batch.map { writes[$0] })
            }
        } catch {
            var error = error
            let left = done.reversed().count { !$0.isSame(as: $0.present) && (try? writeAtOnce([$0])) == nil }
            if left > 0 {
                error.message += " \(left) of \(writes.count) values were written and could not be taken back."
            } else if writes.count > 1 {
                error.message += " Nothing was written."
            }
            throw error
        }
        return before
    }

    /// Writes one value, or several to the same overrides.
    private func writeAtOnce(_ writes: [BrowserWrite]) throws(FlagsBrowserError) {
        let first = writes[0]
        do throws(FlagError) {
            if let overrides = first.ownOverrides {
                try overrides.setOverrides(writes.map { (key: $0.target.key, override: $0.entry) })
            } else {
                let selector = FlagProviderSelector.named(first.destination.id)
                let (core, ordinal) = (first.target.layout.core, first.target.entry.handle.ordinal)
                try core.write(.success(first.value), to: [selector], ordinal)
                // A provider that wraps overrides passes a value on to them, and not when it expires.
                if first.expires != nil, let overrides = first.wrappedOverrides {
                    try overrides.setOverrides([(key: first.target.key, override: first.entry)])
                }
            }
        } catch {
            var error = error
            if (writes.first { $0.target.key == error.key } ?? first).target.isSecret { error.value = nil }
            throw FlagsBrowserError(.writeFailed, error.description)
        }
        for write in writes {
            write.target.layout.core.noteWrite(of: write.target.entry.handle.ordinal, to: write.destination.id)
        }
        if first.expires != nil, first.wrappedOverrides == nil { throw first.cannotExpire }
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
