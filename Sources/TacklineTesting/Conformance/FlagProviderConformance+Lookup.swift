import TacklineCore

extension FlagProviderConformance {
    func checkName(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        if provider.name.isEmpty {
            run.fail("the name is empty; give the provider one, by which people tell it from others")
        }
        if provider.name != provider.name {
            run.fail("the name differs from one call to the next; make it a constant")
        }
    }

    func checkAbsentKeys(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        let keys: [FlagKeyPath] = [
            "tackline_absent", "tackline_absent/inner", "tackline_absent/a/b/c/d/e/f/g/h",
            FlagKeyPath(components: ["tackline absent", "schlüssel", "🚩"]),
            FlagKeyPath(components: ["tackline_absent", ""]),
            FlagKeyPath(components: []), FlagKeyPath("tackline_absent.inner", separator: "."),
            FlagKeyPath(String(repeating: "tackline_absent/", count: 500)),
        ]
        for key in keys where held[key] == nil {
            guard let value = provider.value(for: key) else { continue }
            run.fail(
                key, "the key was never set and is answered with \(phrase(value))",
                "return nil where there is no value, or later providers are never asked")
        }
    }

    func checkHeldValues(_ run: FlagProviderCheckRun) async throws {
        guard !held.isEmpty else {
            return run.skip("no values were given that a fresh provider holds. Pass holding: to check them")
        }
        let provider = try await make()
        expectHeldValues(in: provider, run)
        for key in held.keys {
            let answer = provider.value(for: key)
            let again = provider.value(for: FlagKeyPath(key.text, separator: key.separator))
            if again != answer {
                run.fail(
                    key, "the value is \(phrase(answer)) at first and \(phrase(again)) when it is read again",
                    "give the same value until it changes")
            }
        }
    }

    private func expectHeldValues(
        in provider: any FlagProvider, after action: String = "in a fresh provider", _ run: FlagProviderCheckRun
    ) {
        for (key, value) in held.sorted(by: { $0.key.text < $1.key.text }) {
            let answer = provider.value(for: key)
            if !(answer.map { isSame(value, $0) } ?? false) {
                run.fail(
                    key, "the value should be \(phrase(value)) \(action) and is \(phrase(answer))",
                    "look keys up as FlagDocument does, as one flat key and then in nested objects")
            }
        }
    }

    /// Writes values of a group in both shapes, in an order that determines the value of each key.
    func checkFlatAndNestedKeys(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let write = writer(for: provider) else {
            return run.skip("the provider cannot be written to. Pass nested keys in holding: to check both shapes")
        }
        let advice = "look keys up as FlagDocument does, as one flat key and then in nested objects"
        var expected: [(key: FlagKeyPath, value: EncodedFlagValue?)] = []
        func perform(
            _ key: FlagKeyPath, _ value: EncodedFlagValue?, then values: [(FlagKeyPath, EncodedFlagValue?)]
        ) async throws {
            try await write(key, value)
            expected.removeAll { old in values.contains { $0.0 == old.key } }
            expected += values
            for (other, wanted) in expected {
                let found = provider.value(for: other)
                guard found != wanted else { continue }
                let action = value == nil ? "the removal of \"\(key)\"" : "a write of \(phrase(value)) to \"\(key)\""
                run.fail(
                    other, "the value should be \(phrase(wanted)) after \(action) and is \(phrase(found))", advice)
            }
        }
        try await perform("tackline_flat/inner", true, then: [("tackline_flat/inner", true)])
        let names = FlagKeyPath(components: ["tackline_flat", "inner"])
        if provider.value(for: names) != true {
            run.fail(names, "the value is found by the text of its key and not by its names", advice)
        }
        try await perform("tackline_flat/other/deep", 1, then: [("tackline_flat/other/deep", 1)])
        try await perform("tackline_flat/other/deeper", 2, then: [("tackline_flat/other/deeper", 2)])
        try await perform("tackline_flat/inner", nil, then: [("tackline_flat/inner", nil)])
        do {
            try await perform(
                "tackline_nested", ["inner": ["deep": true, "null": 0], "other": 1],
                then: [
                    ("tackline_nested/inner/deep", true), ("tackline_nested/inner/absent", nil),
                    ("tackline_nested/inner/deep/below", nil), ("tackline_nested/other", 1),
                ])
        } catch let error as FlagError where error.code == .unsupportedValue {
            return
        }
        let isInLayers = !provider.wrappedProviders.isEmpty || provider.traits.contains(.override)
        try await perform("tackline_nested/inner/deep", 3, then: [("tackline_nested/inner/deep", 3)])
        try await perform("tackline_nested/new", 4, then: [("tackline_nested/new", 4)])
        // In other providers, an object may be a separate value that reappears when a value set over it is removed.
        guard provider is any WritableFlagProvider, !isInLayers else { return }
        try await perform("tackline_nested/other", nil, then: [("tackline_nested/other", nil)])
        do {
            try await perform("tackline_nested/inner/deep", .null, then: [("tackline_nested/inner/deep", .null)])
        } catch let error as FlagError where error.code == .unsupportedValue {}
        try await perform("tackline_nested/inner/deep", nil, then: [("tackline_nested/inner/deep", nil)])
        try await perform("tackline_nested/new", nil, then: [("tackline_nested/new", nil)])
        expectHeldValues(in: provider, after: "after writes of other keys", run)
    }

    func checkDocument(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard provider.document != nil else { return run.skip("the provider has no document") }
        let keys: [FlagKeyPath] = [
            "tackline_document", "tackline_document/inner", "tackline_document/null", "tackline_document_flat",
            "tackline_absent",
        ]
        expectEqualDocument(keys, of: provider, run)
        guard let write = writer(for: provider) else { return }
        for (key, value) in [
            ("tackline_document/inner", true), ("tackline_document_flat", 3), ("tackline_document/inner", false),
            ("tackline_document/null", .null), ("tackline_document/inner", nil), ("tackline_document_flat", 4),
        ] as [(FlagKeyPath, EncodedFlagValue?)] {
            do {
                try await write(key, value)
            } catch let error as FlagError where error.code == .unsupportedValue {
                continue
            }
            expectEqualDocument(keys, of: provider, run)
        }
    }

    private func expectEqualDocument(_ keys: [FlagKeyPath], of provider: any FlagProvider, _ run: FlagProviderCheckRun)
    {
        let document = provider.document ?? FlagDocument()
        var keys = Set(keys).union(held.keys)
        func add(_ members: [String: EncodedFlagValue], below path: [String]) {
            for (name, value) in members {
                keys.insert(FlagKeyPath(components: path + [name]))
                if case .object(let inner) = value, path.count < 8 { add(inner, below: path + [name]) }
            }
        }
        add(document.root.filter { !$0.key.contains("/") }, below: [])
        for key in keys.sorted(by: { $0.text < $1.text }) {
            let (there, here) = (document.value(for: key), provider.value(for: key))
            guard there != here else { continue }
            run.fail(
                key, "the value is \(phrase(there)) in the document and \(phrase(here)) in value(for:)",
                "make both from the same values")
        }
    }

    /// Returns a closure that changes one value of the provider, or `nil` if the suite can't change values.
    func writer(
        for provider: any FlagProvider
    ) -> (@Sendable (FlagKeyPath, EncodedFlagValue?) async throws -> Void)? {
        if let provider = provider as? any WritableFlagProvider {
            return { key, value in try provider.setValue(value, for: key) }
        }
        guard let change else { return nil }
        return { key, value in try await change(provider, [key: value]) }
    }
}
