import TacklineCore

extension FlagProviderConformance {
    func checkName(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        run.expect(!provider.name.isEmpty, "the name is empty, so nobody can name the provider. Give it one")
        run.expect(provider.name == provider.name, "the name differs from one call to the next. Make it a constant")
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
            let value = provider.value(for: key)
            run.expect(
                value == nil,
                """
                the key \(EncodedFlagValue.string(key.text)) was never set and is answered with \(phrase(value)). \
                Answer nil where there is no value, or later providers are never asked
                """
            )
        }
    }

    func checkHeldValues(_ run: FlagProviderCheckRun) async throws {
        guard !held.isEmpty else {
            return run.skip("no values were given that a fresh provider holds. Pass holding: to check them")
        }
        let provider = try await make()
        for (key, value) in held.sorted(by: { $0.key.text < $1.key.text }) {
            let answer = provider.value(for: key)
            run.expect(
                answer.map { isSame(value, $0) } ?? false,
                "\"\(key)\" should be \(value) in a fresh provider and is \(phrase(answer))"
            )
            let again = provider.value(for: FlagKeyPath(key.text, separator: key.separator))
            run.expect(
                again == answer, "\"\(key)\" is \(phrase(answer)) at first and \(phrase(again)) when asked again")
        }
    }

    func checkFlatAndNestedKeys(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let writer = writer(for: provider) else {
            return run.skip("the provider cannot be written to. Pass nested keys in holding: to check both shapes")
        }
        try await writer("tackline_flat/inner", .bool(true))
        let flat = provider.value(for: FlagKeyPath(components: ["tackline_flat", "inner"]))
        run.expect(
            flat == true, "\"tackline_flat/inner\" was set to true and its names are answered with \(phrase(flat))")
        do {
            try await writer("tackline_nested", ["inner": ["deep": true]])
        } catch let error as FlagProviderError where error.code == .unsupportedValue {
            return
        }
        let nested = provider.value(for: "tackline_nested/inner/deep")
        run.expect(
            nested == true,
            """
            "tackline_nested" was set to an object and "tackline_nested/inner/deep" in it is answered with \
            \(phrase(nested)). Look keys up as FlagDocument does: as one flat key, then in nested objects
            """
        )
        let missing = provider.value(for: "tackline_nested/inner/other")
        run.expect(missing == nil, "\"tackline_nested/inner/other\" was never set and is \(phrase(missing))")
    }

    func checkDocument(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard provider.document != nil else { return run.skip("the provider has no document") }
        if let writer = writer(for: provider) {
            try await writer("tackline_document/inner", .bool(true))
            try await writer("tackline_document_flat", .integer(3))
        }
        let keys = held.keys + ["tackline_document/inner", "tackline_document_flat", "tackline_absent"]
        let document = provider.document ?? FlagDocument()
        for key in keys {
            let (there, here) = (document.value(for: key), provider.value(for: key))
            run.expect(
                there == here, "\"\(key)\" is \(phrase(there)) in the document and \(phrase(here)) in value(for:)")
        }
    }

    /// How the suite changes one value of the provider; `nil` if it cannot.
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
