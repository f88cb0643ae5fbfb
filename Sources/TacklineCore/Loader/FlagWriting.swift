extension FlagHandle {
    /// Writes a value to a provider of the chain: `try flags.$limit.setValue(5, in: overrides)`.
    ///
    /// When the call returns, the next read on this thread returns the value, unless a provider before it has another one.
    /// If the flag's own computed value answers at present, the value is stored, and that it has no effect is reported.
    ///
    /// - Parameters:
    ///   - value: The value. `nil` of an optional flag is a value; ``resetValue(in:)`` removes it.
    ///   - provider: A provider of the chain, or `nil` for the first one that can be written to.
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func setValue(_ value: Value, in provider: (any WritableFlagProvider)? = nil) throws(FlagError) {
        try write(value, to: provider.map { [.instance($0)] })
    }

    /// Writes a value to the first provider of each of the given types, in their order, as RealFlags does.
    ///
    /// All providers are looked up before the first one is written to, so a missing type changes nothing.
    ///
    /// - Throws: ``FlagError`` at the first provider that fails. It lists the providers that took the value before,
    ///   which keep it. The failed provider and those after it are unchanged.
    public func setValue(_ value: Value, providers: [any WritableFlagProvider.Type]) throws(FlagError) {
        try write(value, to: providers.map { .type($0) })
    }

    /// Writes a value to the provider with an id, for user interfaces.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - id: The provider's name, followed by a number if an earlier provider of the chain has the same name.
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func setValue(_ value: Value, inProviderNamed id: String) throws(FlagError) {
        try write(value, to: [.named(id)])
    }

    private func write(_ value: Value, to selectors: [FlagProviderSelector]?) throws(FlagError) {
        guard let untyped else { throw FlagError.unbound }
        let encoded: EncodedFlagValue
        do throws(FlagValueError) {
            encoded = try self.encoded(value)
        } catch {
            throw FlagError.refusedValue(error, untyped.keyPath)
        }
        try untyped.core.write(encoded, ordinal: ordinal, to: selectors)
    }

    /// Removes the value from a provider of the chain.
    ///
    /// In RealFlags it is removed from every writable provider. Here it is the reverse of ``setValue(_:in:)``.
    ///
    /// - Parameter provider: A provider of the chain, or `nil` for the first one that can be written to, which may not be
    ///   the one that answers.
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(in provider: (any WritableFlagProvider)? = nil) throws(FlagError) {
        try reset(in: provider.map { [.instance($0)] })
    }

    /// Removes the value from the first provider of each of the given types.
    ///
    /// - Throws: ``FlagError``, as ``setValue(_:providers:)`` does.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagError) {
        try reset(in: providers.map { .type($0) })
    }

    /// Removes the value from the provider with an id.
    ///
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(inProviderNamed id: String) throws(FlagError) { try reset(in: [.named(id)]) }

    private func reset(in selectors: [FlagProviderSelector]?) throws(FlagError) {
        guard let untyped else { throw FlagError.unbound }
        try untyped.core.write(nil, ordinal: ordinal, to: selectors)
    }

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
    /// Writes a value to a provider of the chain, as ``FlagHandle/setValue(_:in:)`` does.
    ///
    /// The value is converted to the flag's type and back, so nothing that the flag can't use is written.
    ///
    /// - Parameters:
    ///   - value: The value. The flag's type converts ``EncodedFlagValue/unparsed(_:)`` text.
    ///   - provider: A provider of the chain, or `nil` for the first one that can be written to.
    /// - Throws: ``FlagError``, also if the type refuses the value. Nothing has changed then.
    public func setValue(
        _ value: EncodedFlagValue, in provider: (any WritableFlagProvider)? = nil
    ) throws(FlagError) {
        try write(value, to: provider.map { [.instance($0)] })
    }

    /// Writes a value to the first provider of each of the given types, as ``FlagHandle/setValue(_:providers:)`` does.
    ///
    /// - Throws: ``FlagError`` at the first provider that fails.
    public func setValue(
        _ value: EncodedFlagValue, providers: [any WritableFlagProvider.Type]
    ) throws(FlagError) {
        try write(value, to: providers.map { .type($0) })
    }

    /// Writes a value to the provider with an id.
    ///
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue, inProviderNamed id: String) throws(FlagError) {
        try write(value, to: [.named(id)])
    }

    /// Removes the value from a provider of the chain, or from the first one that can be written to.
    ///
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(in provider: (any WritableFlagProvider)? = nil) throws(FlagError) {
        try core.write(nil, ordinal: ordinal, to: provider.map { [.instance($0)] })
    }

    /// Removes the value from the first provider of each of the given types.
    ///
    /// - Throws: ``FlagError`` at the first provider that fails.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagError) {
        try core.write(nil, ordinal: ordinal, to: providers.map { .type($0) })
    }

    /// Removes the value from the provider with an id.
    ///
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(inProviderNamed id: String) throws(FlagError) {
        try core.write(nil, ordinal: ordinal, to: [.named(id)])
    }

    /// Writes a value that the flag's type accepts.
    ///
    /// - Parameter selectors: The providers in the order of the writes, or `nil` for the first writable one.
    package func write(
        _ value: EncodedFlagValue, to selectors: [FlagProviderSelector]?
    ) throws(FlagError) {
        let accepted: EncodedFlagValue
        do throws(FlagValueError) {
            accepted = try normalized(value)
        } catch {
            let error = error.withoutValue(if: metadata.isSecret)
            throw FlagError.refusedValue(error, keyPath)
        }
        try core.write(accepted, ordinal: ordinal, to: selectors)
    }

    /// Changes the default if it is within the flag's bounds, and reports it otherwise.
    fileprivate func setDefault(_ value: ErasedFlagValue) {
        do throws(FlagValueError) {
            try declaration.checkBounds(of: value, declaration.encode(value) ?? .null)
        } catch {
            let message = """
                The default of flag "\(keyPath)" was not changed, because the new one is outside of its bounds: \
                \(error.withoutValue(if: metadata.isSecret)). Give a default within the bounds.
                """
            return core.reporter.report(FlagError(.invalidBounds, message, key: keyPath))
        }
        core.setDefault(value, of: ordinal)
    }

    /// Returns whether a provider has a group under the flag's key, and no value that the flag can use.
    package func hasGroup(in provider: any FlagProvider) -> Bool { core.isGroup(ordinal, of: provider) }
}

extension LoaderCore {
    /// Writes a value, or removes it if it is `nil`.
    ///
    /// - Parameter selectors: The providers in the order of the writes, or `nil` for the first writable one.
    package func write(
        _ value: EncodedFlagValue?, ordinal: Int, to selectors: [FlagProviderSelector]?
    ) throws(FlagError) {
        let key = index.keyPaths[ordinal]
        if value == .null, !declarations[ordinal].takesNull {
            let error = FlagValueError(expected: "anything but null, which means no value here", found: .null)
            throw FlagError.refusedValue(error, key)
        }
        var written: [String] = []
        for target in try targets(of: selectors, key) {
            let isGroup = isGroup(ordinal, of: target.provider)
            if value == nil, isGroup { continue }
            do {
                // With several components the value is set as a flat key, beside the group.
                if isGroup, key.components.count == 1 { throw LoaderCore.groupError(key, target.id) }
                try target.provider.setValue(value, for: key)
            } catch {
                let cause = FlagError(error, provider: target.id, key: key)
                var failure = FlagError(
                    cause.code, writing: key, cause.message, provider: cause.provider, value: cause.value,
                    written: written)
                failure.isSecret = declarations[ordinal].metadata.isSecret
                if failure.isSecret { failure.value = nil }
                throw failure
            }
            written.append(target.id)
            noteWrite(of: ordinal, to: target.id)
        }
        if value != nil, let provider = written.last { reportIfComputed(ordinal, writtenTo: provider) }
    }

    /// Reports a written value that has no effect, because the flag's own computed value answers.
    private func reportIfComputed(_ ordinal: Int, writtenTo provider: String) {
        guard declarations[ordinal].isComputed, inspect(ordinal).source == .computed else { return }
        let key = index.keyPaths[ordinal]
        let message = """
            Flag "\(key)" was written to provider "\(provider)", and the value has no effect at present, because the flag \
            computes its value. It counts while the computed value is nil. Set the flags that it is computed from.
            """
        report(FlagError(.computedFlagWritten, message, key: key, provider: provider))
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
        let chain = chain.replacingProviders { $0.id == id ? Preview(value: value) : nil }
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

    private static func groupError(_ key: FlagKeyPath, _ provider: String) -> FlagError {
        FlagError(
            .rejected, provider: provider, key: key,
            reason: "it has a group under the key \"\(key)\", whose members are the values of other flags",
            advice: "Give the flag a key of its own with @Flag(key:)")
    }

    private typealias Target = (id: String, provider: any WritableFlagProvider)

    private func targets(of selectors: [FlagProviderSelector]?, _ key: FlagKeyPath) throws(FlagError) -> [Target] {
        let chain = chain
        func target(_ link: FlagChain.Link) -> Target? {
            (link.provider as? any WritableFlagProvider).map { (link.id, $0) }
        }
        guard let selectors else {
            guard let first = chain.links.lazy.filter({ chain.isAsked($0) }).compactMap(target).first else {
                throw FlagError.noWritableProvider(key)
            }
            return [first]
        }
        var targets: [Target] = []
        for selector in selectors {
            guard let link = chain.link(selector) else {
                throw FlagError(
                    .unknownProvider, writing: key,
                    "The chain has no provider \"\(selector)\". Add it to the loader's providers; in production, overrides "
                        + "are left out of the chain.")
            }
            guard let target = target(link) else {
                throw FlagError(
                    .notWritable, writing: key, "Provider \"\(link.id)\" cannot be written to. Name another one.",
                    provider: link.id)
            }
            targets.append(target)
        }
        return targets
    }
}

extension FlagError {
    /// Creates the error of a write that failed.
    ///
    /// - Parameters:
    ///   - key: The flag, or `nil` if no loader bound it.
    ///   - cause: The failure and the next step, in full sentences.
    ///   - written: The ids of the providers that took the value before.
    fileprivate init(
        _ code: Code, writing key: FlagKeyPath?, _ cause: String, provider: String? = nil,
        value: EncodedFlagValue? = nil,
        written: [String] = []
    ) {
        let subject = key.map { "Flag \"\($0)\" was not written" } ?? "A flag was not written"
        let done = written.isEmpty ? "" : " Written before that: \(written.joined(separator: ", "))."
        self.init(code, "\(subject). \(cause)\(done)", key: key, provider: provider, value: value)
        writtenProviders = written
    }

    /// The error of a write to a flag that has no loader.
    fileprivate static var unbound: FlagError {
        let cause = "It has no loader, or its loader is gone. Keep the FlagsLoader while its flags are written."
        return FlagError(.unboundFlag, writing: nil, cause)
    }

    /// The error of a write to a chain in which nothing can be written to.
    fileprivate static func noWritableProvider(_ key: FlagKeyPath?) -> FlagError {
        let cause = "No provider of the chain can be written to. Add one, such as a LocalProvider or a MemoryProvider."
        return FlagError(.noWritableProvider, writing: key, cause)
    }

    /// Returns the error of a write of a value that can't be encoded or that the flag's type refuses.
    fileprivate static func refusedValue(_ error: FlagValueError, _ key: FlagKeyPath) -> FlagError {
        FlagError(.refusedValue, writing: key, "The value cannot be kept: \(error).")
    }
}
