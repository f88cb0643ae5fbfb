import Synchronization

extension FlagHandle {
    /// Writes a value to some providers of the chain, or removes it there with `nil`.
    ///
    /// When the call returns, the next read on this thread sees the write. For an optional flag, `nil` removes too; to
    /// write the value `nil`, pass `.some(nil)`. Every provider is looked up before the first one is written to, so a
    /// wrong name changes nothing.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes what the provider holds.
    ///   - providers: `.instance(overrides)` or `.named("overrides")`, in the order of the writes; `nil` for the first
    ///     writable provider of the chain.
    /// - Throws: ``FlagWriteError`` at the first provider that fails; it names those that took the value before. Those
    ///   keep it; the one that failed and the ones behind it have not changed.
    public func setValue(_ value: Value?, providers: [FlagProviderSelector]? = nil) throws(FlagWriteError) {
        guard let reference else { throw FlagWriteError(key: nil, reason: .unbound, written: []) }
        let encoded: EncodedFlagValue?
        do throws(FlagValueError) {
            encoded = try value?.encoded
        } catch {
            throw FlagWriteError(key: reference.keyPath, reason: .value(error), written: [])
        }
        try reference.core.write(encoded, ordinal: reference.ordinal, to: providers)
    }

    /// Writes a value to the providers of some types, or removes it there with `nil`.
    ///
    /// For each type, the first provider of exactly that type in the chain is written to.
    ///
    /// - Throws: ``FlagWriteError``, as for providers that are named in other ways.
    public func setValue(_ value: Value?, providers: [any WritableFlagProvider.Type]) throws(FlagWriteError) {
        try setValue(value, providers: providers.map { .type($0) })
    }

    /// Removes the value from some providers of the chain.
    ///
    /// In RealFlags it clears every writable provider. Here it is the reverse of `setValue`: without names, what that one
    /// writes to is cleared, and no other provider loses what it keeps. To clear several, name them.
    ///
    /// - Parameter providers: `nil` for the first writable provider of the chain, which need not be the one that answers.
    /// - Throws: ``FlagWriteError``, as for providers that are named in other ways.
    public func resetValue(providers: [FlagProviderSelector]? = nil) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// Removes the value from the providers of some types.
    ///
    /// - Throws: ``FlagWriteError``, as for providers that are named in other ways.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// Changes the default for as long as the loader lives, or restores the declared one with `nil`.
    ///
    /// It concerns this loader only. A flag without a loader stays as it is.
    public func setDefault(_ value: Value?) {
        guard let reference else { return }
        reference.core.setDefault(value.map { ErasedFlagValue($0) }, of: reference.ordinal)
    }
}

extension LoaderCore {
    /// Writes a value, or removes it with `nil`.
    ///
    /// - Parameter selectors: The providers in the order of the writes; `nil` for the first writable one.
    package func write(
        _ value: EncodedFlagValue?, ordinal: Int, to selectors: [FlagProviderSelector]?
    ) throws(FlagWriteError) {
        let key = index.keyPaths[ordinal]
        if value == .null, !declaration(of: ordinal).takesNull {
            let error = FlagValueError(expected: "anything but null, which means no value here", found: .null)
            throw FlagWriteError(key: key, reason: .value(error), written: [])
        }
        var written: [String] = []
        for target in try targets(of: selectors, key) {
            do throws(FlagProviderError) {
                try target.provider.setValue(value, for: key)
            } catch {
                throw FlagWriteError(key: key, reason: .provider(error), written: written)
            }
            written.append(target.id)
            releaseHold(of: ordinal) { $0 == .provider(target.id) }
            // A provider that cannot tell changes was just seen to change, and what is held may have been let go.
            board.mark(ordinal)
            tellObservation()
        }
    }

    /// Looks at what a read would give once a provider holds something else, or nothing, which it does not do.
    package func outlook(
        _ ordinal: Int, if value: EncodedFlagValue?, isHeldBy id: String
    ) -> (value: EncodedFlagValue, source: FlagSource, isHeld: Bool) {
        struct Outlook: FlagProvider {
            let value: EncodedFlagValue?
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { value }
        }
        let (declaration, present) = (declaration(of: ordinal), resolver.chain)
        let links = present.links.map { $0.id == id ? $0.answering(by: Outlook(value: value)) : $0 }
        let chain = FlagChain(links: links, given: present.given, revision: present.revision)
        let isReleased = isReleased(ordinal, in: chain) { $0 == .provider(id) }
        let found = resolver.finding(declaration, ordinal, isLive: isReleased, in: chain)
        let encoded = found.step.encoded ?? declaration.encode(found.value) ?? .null
        let isHeld = if case .hold = found.step { true } else { false }
        return (encoded, found.step.source, isHeld)
    }

    private typealias Target = (id: String, provider: any WritableFlagProvider)

    private func targets(of selectors: [FlagProviderSelector]?, _ key: FlagKeyPath) throws(FlagWriteError) -> [Target] {
        let chain = resolver.chain
        func target(_ link: FlagChain.Link) -> Target? {
            (link.provider as? any WritableFlagProvider).map { (link.id, $0) }
        }
        guard let selectors else {
            guard let first = chain.links.lazy.filter({ chain.isAsked($0) }).compactMap(target).first else {
                throw FlagWriteError(key: key, reason: .noWritableProvider, written: [])
            }
            return [first]
        }
        var targets: [Target] = []
        for selector in selectors {
            guard let link = chain.link(selector) else {
                throw FlagWriteError(key: key, reason: .notInChain("\(selector)"), written: [])
            }
            guard let target = target(link) else {
                throw FlagWriteError(key: key, reason: .notWritable(link.id), written: [])
            }
            targets.append(target)
        }
        return targets
    }
}

/// A write to providers that did not, or not wholly, succeed.
public struct FlagWriteError: Error, Sendable, Equatable {
    /// Why a write failed.
    public enum Reason: Sendable, Equatable {
        /// A provider refused or failed. It kept what it had before.
        case provider(FlagProviderError)
        /// No provider of the chain can be written to.
        case noWritableProvider
        /// The chain has no provider of this type, name or identity.
        case notInChain(String)
        /// The named provider cannot be written to.
        case notWritable(String)
        /// The value has no neutral form, or the flag's type refuses it.
        case value(FlagValueError)
        /// No loader bound the flag, or its loader is gone.
        case unbound
    }

    /// The flag; `nil` if no loader bound it.
    public let key: FlagKeyPath?
    /// What went wrong.
    public let reason: Reason
    /// The ids of the providers that took the value before that, in the order of the writes. They keep it.
    public let written: [String]
}

extension FlagWriteError: CustomStringConvertible {
    /// What happened, where, and what to do next.
    public var description: String {
        let subject = key.map { "Flag \"\($0)\" was not written" } ?? "A flag was not written"
        let cause =
            switch reason {
            case .provider(let error): "\(error)"
            case .noWritableProvider:
                "No provider of the chain can be written to. Add one, such as a LocalProvider or a MemoryProvider."
            case .notInChain(let name): "The chain has no provider \"\(name)\". Add it to the loader's providers."
            case .notWritable(let name): "Provider \"\(name)\" cannot be written to. Name another one."
            case .value(let error): "The value cannot be kept: \(error)."
            case .unbound: "It has no loader, or its loader is gone. Keep the FlagsLoader while its flags are written."
            }
        let done = written.isEmpty ? "" : " Written before that: \(written.joined(separator: ", "))."
        return "\(subject). \(cause)\(done)"
    }
}
