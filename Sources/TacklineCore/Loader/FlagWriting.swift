extension FlagHandle {
    /// Writes a value to a provider of the chain: `try flags.$limit.setValue(5, in: overrides)`.
    ///
    /// When the call returns, the next read on this thread returns the value, unless a provider before it has another one.
    /// If the flag's own computed value answers at present, the value is stored, and that it has no effect is reported.
    ///
    /// - Parameters:
    ///   - value: The value. `nil` of an optional flag is a value; ``resetValue(in:)`` removes it.
    ///   - provider: A provider of the chain, or `nil` for the first one that the flag asks and that can be written to.
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func setValue(_ value: Value, in provider: (any WritableFlagProvider)? = nil) throws(FlagError) {
        try write(value, to: [provider.map { .instance($0) }])
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

    /// Removes the value from a provider of the chain.
    ///
    /// In RealFlags it is removed from every writable provider. Here it is the reverse of ``setValue(_:in:)``.
    ///
    /// - Parameter provider: A provider of the chain, or `nil` for the first one that can be written to, which may not be
    ///   the one that answers.
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(in provider: (any WritableFlagProvider)? = nil) throws(FlagError) {
        try write(nil, to: [provider.map { .instance($0) }])
    }

    /// Removes the value from the first provider of each of the given types.
    ///
    /// - Throws: ``FlagError``, as ``setValue(_:providers:)`` does.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagError) {
        try write(nil, to: providers.map { .type($0) })
    }

    /// Removes the value from the provider with an id.
    ///
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(inProviderNamed id: String) throws(FlagError) { try write(nil, to: [.named(id)]) }

    private func write(_ value: Value?, to selectors: [FlagProviderSelector?]) throws(FlagError) {
        guard let untyped else {
            let message = """
                A flag was not written. It has no loader, or its loader is gone. Keep the FlagsLoader while its flags are \
                written.
                """
            throw FlagError(.unboundFlag, message)
        }
        let new = Result { () throws(FlagValueError) -> EncodedFlagValue? in
            if let value { try encoded(value) } else { nil }
        }
        try untyped.core.write(new, to: selectors, ordinal)
    }

    /// Returns the encoded form of a value that is to be written.
    ///
    /// - Throws: ``FlagValueError`` if the value can't be encoded or is outside of the flag's bounds.
    public func encoded(_ value: Value) throws(FlagValueError) -> EncodedFlagValue {
        if let untyped { try untyped.encoded(ErasedFlagValue(value)) } else { try value.encoded }
    }

    /// Changes the default for as long as the loader exists.
    ///
    /// Other loaders of the collection keep theirs. The method does nothing if the flag has no loader. A default outside
    /// of the flag's bounds (``FlagBounds``) is reported and not used.
    public func setDefault(_ value: Value) {
        guard let untyped else { return }
        let new = ErasedFlagValue(value)
        do throws(FlagValueError) {
            try untyped.declaration.checkBounds(of: new, untyped.declaration.encode(new) ?? .null)
        } catch {
            let message = """
                The default of flag "\(untyped.keyPath)" was not changed, because the new one is outside of its bounds: \
                \(error.withoutValue(if: untyped.metadata.isSecret)). Give a default within the bounds.
                """
            return untyped.core.reporter.report(FlagError(.invalidBounds, message, key: untyped.keyPath))
        }
        untyped.core.setDefault(new, of: ordinal)
    }

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
    ///   - provider: A provider of the chain, or `nil` for the first one that the flag asks and that can be written to.
    /// - Throws: ``FlagError``, also if the type refuses the value. Nothing has changed then.
    public func setValue(
        _ value: EncodedFlagValue, in provider: (any WritableFlagProvider)? = nil
    ) throws(FlagError) {
        try write(value, to: [provider.map { .instance($0) }])
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
        try core.write(.success(nil), to: [provider.map { .instance($0) }], ordinal)
    }

    /// Removes the value from the provider with an id.
    ///
    /// - Throws: ``FlagError``. Nothing has changed then.
    public func resetValue(inProviderNamed id: String) throws(FlagError) {
        try core.write(.success(nil), to: [.named(id)], ordinal)
    }

    package func write(_ value: EncodedFlagValue, to selectors: [FlagProviderSelector?]) throws(FlagError) {
        try core.write(.init { () throws(FlagValueError) in try normalized(value) }, to: selectors, ordinal)
    }
}

extension LoaderCore {
    /// Writes a value, or removes it if it is `nil`. The error of a value that can't be encoded is thrown.
    ///
    /// - Parameter selectors: The providers in the order of the writes; `nil` is the first writable one.
    package func write(
        _ new: Result<EncodedFlagValue?, FlagValueError>, to selectors: [FlagProviderSelector?], _ ordinal: Int
    ) throws(FlagError) {
        let (key, declaration) = (keyPaths[ordinal], declarations[ordinal])
        var written: [String] = []
        do throws(FlagError) {
            let value = try valueToWrite(new, declaration)
            for (id, provider) in try selectors.map({ (each) throws(FlagError) in try target(each, declaration) }) {
                // The members of a group are the values of other flags.
                let isGroup = isGroup(ordinal, of: provider)
                if isGroup, value == nil { continue }
                // With several components the value is set as a flat key, beside the group.
                if isGroup, key.components.count == 1 {
                    throw FlagError(
                        .rejected, provider: id, key: key,
                        reason: "it has a group under the key \"\(key)\", whose members are the values of other flags",
                        advice: "Give the flag a key of its own with @Flag(key:)")
                }
                do { try provider.setValue(value, for: key) } catch {
                    throw FlagError(error, provider: id, key: key)
                }
                written.append(id)
                noteWrite(of: ordinal, to: id)
            }
            guard value != nil, let last = written.last, declaration.isComputed, inspect(ordinal).source == .computed
            else { return }
            let message = """
                Flag "\(key)" was written to provider "\(last)", and the value has no effect at present, because the flag \
                computes its value. It counts while the computed value is nil. Set the flags that it is computed from.
                """
            report(FlagError(.computedFlagWritten, message, key: key, provider: last))
        } catch {
            var failure = error
            let done = written.isEmpty ? "" : " Written before that: \(written.joined(separator: ", "))."
            failure.message = "Flag \"\(key)\" was not written. \(error.message)\(done)"
            (failure.key, failure.writtenProviders, failure.isSecret) = (key, written, declaration.isSecret)
            if failure.isSecret { failure.value = nil }
            throw failure
        }
    }

    private func valueToWrite(
        _ new: Result<EncodedFlagValue?, FlagValueError>, _ declaration: FlagDeclaration
    ) throws(FlagError) -> EncodedFlagValue? {
        do throws(FlagValueError) {
            let value = try new.get()
            if value != .null || declaration.takesNull { return value }
            throw FlagValueError(expected: "anything but null, which means no value here", found: .null)
        } catch {
            let error = error.withoutValue(if: declaration.isSecret)
            throw FlagError(.refusedValue, "The value cannot be kept: \(error).")
        }
    }

    /// Returns the provider of a selector, or the first one that can be written to and that the flag asks.
    private func target(
        _ selector: FlagProviderSelector?, _ flag: FlagDeclaration
    ) throws(FlagError) -> (id: String, provider: any WritableFlagProvider) {
        let chain = chain
        guard let selector else {
            for link in chain.links where chain.isAsked(link) && !flag.excludedProviderTypes.contains(link.type) {
                if let provider = link.provider as? any WritableFlagProvider { return (link.id, provider) }
            }
            let message = "No provider that the flag asks can be written to. Add one, such as a LocalProvider."
            throw FlagError(.noWritableProvider, message)
        }
        guard let link = chain.link(selector) else {
            let message = """
                The chain has no provider "\(selector)". Add it to the loader's providers; in production, overrides are \
                left out of the chain.
                """
            throw FlagError(.unknownProvider, message)
        }
        guard let provider = link.provider as? any WritableFlagProvider else {
            throw FlagError(
                .notWritable, "Provider \"\(link.id)\" cannot be written to. Name another one.", provider: link.id)
        }
        return (link.id, provider)
    }

    /// Resolves a flag anew after a value was written to a provider of the chain.
    package func noteWrite(of ordinal: Int, to provider: String) {
        unpin(ordinal, by: .provider(provider))
        // The provider may not notify observers, and a pinned value may have been removed.
        tracker.invalidate(CollectionOfOne(ordinal))
        tracker.notifyObservation()
    }

    /// Returns the value that a read would return if a provider had another value or none. Nothing is written.
    package func preview(
        _ ordinal: Int, ifProvider id: String, has value: EncodedFlagValue?
    ) -> (value: EncodedFlagValue, source: FlagSource, isPinned: Bool) {
        let substitute: FlagChain.Substitute = { link, _ in link.id == id ? FlagEvaluation(value: value) : nil }
        let isLive = isUnpinned(ordinal, by: .provider(id), substitute)
        let step = inspect(ordinal, isLive: isLive, substitute: substitute)
        return (encoded(step, ordinal) ?? .null, step.source, step.isPinned)
    }

    /// Returns whether a provider has a group under a flag's key, and no value. The flag's type refuses the group.
    package func isGroup(_ ordinal: Int, of provider: any FlagProvider) -> Bool {
        let key = keyPaths[ordinal]
        guard let document = provider.document, document.hasGroup(at: key), let value = document.value(for: key) else {
            return false
        }
        return (try? declarations[ordinal].decode(value)) == nil
    }
}
