extension FlagHandle {
    /// Writes a value to some providers of the chain, or removes it there if it is `nil`.
    ///
    /// When the call returns, the next read on this thread returns the new value. For an optional flag, `nil` removes
    /// the value too; to write the value `nil`, pass `.some(nil)`. All providers are looked up before the first one is
    /// written to, so a wrong name changes nothing.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove the provider's value.
    ///   - providers: `.named("overrides")` and others, in the order of the writes; `nil` for the first writable
    ///     provider of the chain.
    ///   - durability: The time at which the value is safe from a crash of the program. User interfaces pass
    ///     ``FlagWriteDurability/deferred``.
    /// - Throws: ``FlagWriteError`` at the first provider that fails. It lists the providers that took the value
    ///   before, which keep it. The failed provider and those after it are unchanged.
    public func setValue(
        _ value: Value?, providers: [FlagProviderSelector]? = nil, durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        guard let untyped else { throw FlagWriteError(key: nil, reason: .unbound, written: []) }
        let encoded: EncodedFlagValue?
        do throws(FlagValueError) {
            encoded = if let value { try self.encoded(value) } else { nil }
        } catch {
            throw FlagWriteError(key: untyped.keyPath, reason: .value(error), written: [])
        }
        try untyped.core.write(encoded, ordinal: ordinal, to: providers, durability)
    }

    /// Writes a value to the first provider of each of the given types, or removes it there if it is `nil`.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:durability:)` does. Nothing is written if the chain has
    ///   no provider of one of the types.
    public func setValue(
        _ value: Value?, providers: [any WritableFlagProvider.Type], durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        try setValue(value, providers: providers.map { .type($0) }, durability: durability)
    }

    /// Writes a value to the given providers of the chain, or removes it there if it is `nil`:
    /// `try flags.$limit.setValue(5, providers: [overrides])`.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:durability:)` does. Nothing is written if the chain
    ///   doesn't have one of the providers.
    public func setValue(
        _ value: Value?, providers: [any WritableFlagProvider], durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        try setValue(value, providers: providers.map { .instance($0) }, durability: durability)
    }

    /// Writes a value without blocking the caller's actor:
    /// `try await flags.$newCheckout.setValue(true, durability: .stored)`.
    ///
    /// The write waits for the disk and for other processes on a thread of the concurrent pool.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove the provider's value.
    ///   - providers: The providers in the order of the writes, or `nil` for the first writable provider of the chain.
    ///   - durability: The time at which the value is safe from a crash of the program.
    /// - Throws: ``FlagWriteError`` at the first provider that fails. It lists the providers that took the value
    ///   before.
    @concurrent
    public func setValue(
        _ value: Value?, providers: [FlagProviderSelector]? = nil, durability: FlagWriteDurability
    ) async throws(FlagWriteError) {
        let write: () throws(FlagWriteError) -> Void = { () throws(FlagWriteError) in
            try setValue(value, providers: providers, durability: durability)
        }
        try write()
    }

    /// Writes a value to the first provider of each of the given types without blocking the caller's actor.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:durability:)` does.
    public func setValue(
        _ value: Value?, providers: [any WritableFlagProvider.Type], durability: FlagWriteDurability
    ) async throws(FlagWriteError) {
        try await setValue(value, providers: providers.map { .type($0) }, durability: durability)
    }

    /// Writes a value to the given providers of the chain without blocking the caller's actor.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:durability:)` does.
    public func setValue(
        _ value: Value?, providers: [any WritableFlagProvider], durability: FlagWriteDurability
    ) async throws(FlagWriteError) {
        try await setValue(value, providers: providers.map { .instance($0) }, durability: durability)
    }

    /// Removes the value from some providers of the chain.
    ///
    /// It is the reverse of `setValue`: without names, it clears the provider that `setValue` writes to, and no other
    /// provider loses its value. In RealFlags it clears every writable provider. To clear several, name them.
    ///
    /// - Parameter providers: The providers, or `nil` for the first writable provider of the chain, which may not be
    ///   the one that answers.
    /// - Throws: ``FlagWriteError``, as `setValue` does.
    public func resetValue(providers: [FlagProviderSelector]? = nil) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// Removes the value from the first provider of each of the given types.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue` does.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// Removes the value from the given providers of the chain.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue` does.
    public func resetValue(providers: [any WritableFlagProvider]) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// A call that can't work: only a ``WritableFlagProvider`` can be written to. The compiler says so.
    @available(*, unavailable, message: "only a WritableFlagProvider can be written to")
    public func setValue(
        _ value: Value?, providers: [any FlagProvider], durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) { throw FlagWriteError(key: keyPath, reason: .noWritableProvider, written: []) }

    /// A call that can't work: only a ``WritableFlagProvider`` can be written to. The compiler says so.
    @available(*, unavailable, message: "only a WritableFlagProvider can be written to")
    public func setValue(
        _ value: Value?, providers: [any FlagProvider.Type], durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) { throw FlagWriteError(key: keyPath, reason: .noWritableProvider, written: []) }

    /// A call that can't work: a name is written `.named("overrides")`. The compiler says so.
    @available(*, unavailable, message: "write .named(\"…\") for a provider's name")
    public func setValue(
        _ value: Value?, providers: [String], durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) { throw FlagWriteError(key: keyPath, reason: .noWritableProvider, written: []) }

    /// Returns the encoded form of a value that is to be written.
    ///
    /// - Throws: ``FlagValueError`` if the value can't be encoded or is outside of the flag's bounds.
    public func encoded(_ value: Value) throws(FlagValueError) -> EncodedFlagValue {
        do throws(FlagValueError) {
            let encoded = try value.encoded
            try untyped?.declaration.checkBounds(of: ErasedFlagValue(value), encoded)
            return encoded
        } catch {
            throw error.withoutValue(if: untyped?.metadata.isSecret == true)
        }
    }

    /// Changes the default for as long as the loader exists.
    ///
    /// Other loaders of the collection keep theirs. The method does nothing if the flag has no loader. A default outside
    /// of the flag's bounds (``FlagBounds``) is reported and not used.
    public func setDefault(_ value: Value) { untyped?.setDefault(ErasedFlagValue(value)) }

    /// Restores the declared default after ``setDefault(_:)``.
    public func resetDefault() { untyped?.core.setDefault(nil, of: ordinal) }
}

extension AnyFlagHandle {
    /// Writes a value to some providers of the chain, or removes it there if it is `nil`.
    ///
    /// The value is converted to the flag's type and back, so nothing that the flag can't use is written.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove the provider's value. The flag's type converts
    ///     ``EncodedFlagValue/unparsed(_:)`` text.
    ///   - providers: The providers in the order of the writes, or `nil` for the first writable provider of the chain.
    ///   - durability: The time at which the value is safe from a crash of the program.
    /// - Throws: ``FlagWriteError``, as ``FlagHandle`` does, and if the type refuses the value.
    public func setValue(
        _ value: EncodedFlagValue?, providers: [FlagProviderSelector]? = nil,
        durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        var accepted = value
        if let value {
            do throws(FlagValueError) {
                accepted = try normalized(value)
            } catch {
                let error = error.withoutValue(if: metadata.isSecret)
                throw FlagWriteError(key: keyPath, reason: .value(error), written: [])
            }
        }
        try core.write(accepted, ordinal: ordinal, to: providers, durability)
    }

    /// Writes a value to the first provider of each of the given types, or removes it there if it is `nil`.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:durability:)` does.
    public func setValue(
        _ value: EncodedFlagValue?, providers: [any WritableFlagProvider.Type],
        durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        try setValue(value, providers: providers.map { .type($0) }, durability: durability)
    }

    /// Writes a value to the given providers of the chain, or removes it there if it is `nil`.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:durability:)` does.
    public func setValue(
        _ value: EncodedFlagValue?, providers: [any WritableFlagProvider], durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        try setValue(value, providers: providers.map { .instance($0) }, durability: durability)
    }

    /// Removes the value from some providers of the chain, or from the first writable one.
    ///
    /// - Throws: ``FlagWriteError``, as ``FlagHandle`` does.
    public func resetValue(providers: [FlagProviderSelector]? = nil) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// Removes the value from the first provider of each of the given types.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue` does.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }

    /// Removes the value from the given providers of the chain.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue` does.
    public func resetValue(providers: [any WritableFlagProvider]) throws(FlagWriteError) {
        try setValue(nil, providers: providers)
    }
}

extension AnyFlagHandle {
    /// Changes the default if it is within the flag's bounds, and reports it otherwise.
    fileprivate func setDefault(_ value: ErasedFlagValue) {
        do throws(FlagValueError) {
            try declaration.checkBounds(of: value, declaration.encode(value) ?? .null)
        } catch {
            let message = """
                The default of flag "\(keyPath)" was not changed, because the new one is outside of its bounds: \
                \(error.withoutValue(if: metadata.isSecret)). Give a default within the bounds.
                """
            return core.reporter.report(FlagIssue(.invalidBounds, message: message, key: keyPath))
        }
        core.setDefault(value, of: ordinal)
    }
}

extension AnyFlagHandle {
    /// Returns whether a provider has a group under the flag's key, and no value that the flag can use.
    package func hasGroup(in provider: any FlagProvider) -> Bool { core.isGroup(ordinal, of: provider) }
}

extension LoaderCore {
    /// Writes a value, or removes it if it is `nil`.
    ///
    /// - Parameter selectors: The providers in the order of the writes, or `nil` for the first writable one.
    package func write(
        _ value: EncodedFlagValue?, ordinal: Int, to selectors: [FlagProviderSelector]?,
        _ durability: FlagWriteDurability = .stored
    ) throws(FlagWriteError) {
        let key = index.keyPaths[ordinal]
        if value == .null, !declarations[ordinal].takesNull {
            let error = FlagValueError(expected: "anything but null, which means no value here", found: .null)
            throw FlagWriteError(key: key, reason: .value(error), written: [])
        }
        var written: [String] = []
        for target in try targets(of: selectors, key) {
            let isGroup = isGroup(ordinal, of: target.provider)
            if value == nil, isGroup { continue }
            do throws(FlagProviderError) {
                // With several components the value is set as a flat key, beside the group.
                if isGroup, key.components.count == 1 { throw LoaderCore.groupError(key, target.id) }
                try target.provider.setValue(value, for: key, durability: durability)
            } catch {
                var error = error
                if declarations[ordinal].metadata.isSecret { error.value = nil }
                throw FlagWriteError(key: key, reason: .provider(error), written: written)
            }
            written.append(target.id)
            noteWrite(of: ordinal, to: target.id)
        }
    }

    /// Resolves a flag anew after a value was written to a provider of the chain.
    package func noteWrite(of ordinal: Int, to provider: String) {
        unpin(ordinal) { $0 == .provider(provider) }
        // The provider may not notify observers, and a pinned value may have been removed.
        tracker.invalidate(ordinal)
        notifyObservation()
    }

    /// Returns the value that a read would return if a provider had another value or none. Nothing is written.
    package func preview(
        _ ordinal: Int, ifProvider id: String, has value: EncodedFlagValue?
    ) -> (value: EncodedFlagValue, source: FlagSource, isPinned: Bool) {
        struct Preview: FlagProvider {
            let value: EncodedFlagValue?
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { value }
        }
        let chain = chain.replacingLinks {
            $0.id == id ? $0.replacingProvider(with: Preview(value: value)) : $0
        }
        let isUnpinned = isUnpinned(ordinal, in: chain) { $0 == .provider(id) }
        let step = inspect(ordinal, isLive: isUnpinned, in: chain)
        let encoded = step.value.flatMap { declarations[ordinal].encode($0) } ?? .null
        return (encoded, step.source, step.isPinned)
    }

    /// Returns whether a provider has a group under a flag's key, and no value. The flag's type refuses the group.
    fileprivate func isGroup(_ ordinal: Int, of provider: any FlagProvider) -> Bool {
        let key = index.keyPaths[ordinal]
        guard let document = provider.document, document.hasGroup(at: key), let value = document.value(for: key) else {
            return false
        }
        return (try? declarations[ordinal].decode(value)) == nil
    }

    private static func groupError(_ key: FlagKeyPath, _ provider: String) -> FlagProviderError {
        FlagProviderError(
            .rejected, provider: provider, key: key,
            reason: "it has a group under the key \"\(key)\", whose members are the values of other flags",
            advice: "Give the flag a key of its own with @Flag(key:)")
    }

    private typealias Target = (id: String, provider: any WritableFlagProvider)

    private func targets(of selectors: [FlagProviderSelector]?, _ key: FlagKeyPath) throws(FlagWriteError) -> [Target] {
        let chain = chain
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

/// The error of a write that failed wholly or in part.
public struct FlagWriteError: Error, Sendable, Equatable {
    /// The reason for a failed write.
    public enum Reason: Sendable, Equatable {
        /// A provider that refused or failed. It keeps the value that it had before.
        case provider(FlagProviderError)
        /// A chain without a writable provider.
        case noWritableProvider
        /// A type, id or provider that the chain doesn't have.
        case notInChain(String)
        /// The id of a provider that can't be written to.
        case notWritable(String)
        /// A value that can't be encoded or that the flag's type refuses.
        case value(FlagValueError)
        /// A flag that no loader bound, or whose loader is deallocated.
        case unbound
    }

    /// The flag, or `nil` if no loader bound it.
    public let key: FlagKeyPath?
    /// The reason for the failure.
    public let reason: Reason
    /// The ids of the providers that took the value before the failure, in the order of the writes. They keep it.
    public let written: [String]
}

extension FlagWriteError: CustomStringConvertible {
    /// The flag, the failure, the next step, and the providers that took the value.
    public var description: String {
        let subject = key.map { "Flag \"\($0)\" was not written" } ?? "A flag was not written"
        let cause =
            switch reason {
            case .provider(let error): "\(error)"
            case .noWritableProvider:
                "No provider of the chain can be written to. Add one, such as a LocalProvider or a MemoryProvider."
            case .notInChain(let name):
                "The chain has no provider \"\(name)\". Add it to the loader's providers; in production, overrides are "
                    + "left out of the chain."
            case .notWritable(let name): "Provider \"\(name)\" cannot be written to. Name another one."
            case .value(let error): "The value cannot be kept: \(error)."
            case .unbound: "It has no loader, or its loader is gone. Keep the FlagsLoader while its flags are written."
            }
        let done = written.isEmpty ? "" : " Written before that: \(written.joined(separator: ", "))."
        return "\(subject). \(cause)\(done)"
    }
}
