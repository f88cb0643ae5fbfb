import TacklineCore

extension FlagProviderConformance {
    private struct Whole: FlagCollectionProtocol {
        @Flag(key: .absolute("tackline_neighbours"), default: [:]) var flag: [String: Int]
    }

    private struct Members: FlagCollectionProtocol {
        @Flag(key: .absolute("tackline_neighbours/inner"), default: 0) var inner: Int
        @Flag(key: .absolute("tackline_neighbours/other"), default: 0) var other: Int
    }

    private struct Accents: FlagCollectionProtocol {
        @Flag(key: .absolute("tackline_caf\u{E9}"), default: 0) var composed: Int
        @Flag(key: .absolute("tackline_cafe\u{301}"), default: 0) var decomposed: Int
    }

    /// Returns the keys of a loader, because a provider may treat them differently from keys of its document.
    private static func keys<Flags: FlagCollectionProtocol>(of type: Flags.Type) -> [FlagKeyPath] {
        FlagsLoader(type, providers: [], observation: .untracked, issueReporter: .silent).allFlags.map(\.keyPath)
    }

    func checkNeighbours(_ run: FlagProviderCheckRun) async throws {
        guard let provider = try await make() as? any WritableFlagProvider else {
            return run.skip("the provider cannot be written to through flags")
        }
        let (accents, members) = (Self.keys(of: Accents.self), Self.keys(of: Members.self))
        var expected: [(key: FlagKeyPath, value: EncodedFlagValue?)] = []
        func write(_ written: EncodedFlagValue?, _ key: FlagKeyPath) throws {
            try provider.setValue(written, for: key)
            expected.removeAll { $0.key == key }
            expected.append((key, written))
            for (other, value) in expected {
                let found = provider.value(for: other)
                if found != value {
                    run.fail(
                        other,
                        """
                        the value is \(phrase(found)) instead of \(phrase(value)) after \
                        \(written == nil ? "the removal of" : "a write of") "\(key)"
                        """,
                        "keep values as FlagDocument does, each under its own key")
                }
            }
        }
        for value in [1, nil, 3] as [EncodedFlagValue?] {
            try write(value, accents[0])
            try write(2, accents[1])
        }
        try write(nil, accents[1])
        do {
            try write(["inner": 9], Self.keys(of: Whole.self)[0])
        } catch let error as FlagProviderError where error.code == .unsupportedValue {
            return
        }
        let inner = provider.value(for: members[0])
        if inner != nil {
            run.fail(
                members[0], "the value is \(phrase(inner)), a part of the object that is the value of another flag",
                "tell a flag's object from a group of flags, as FlagDocument does")
        }
        for value in [1, 2, nil] as [EncodedFlagValue?] {
            try write(value, members[0])
            try write(5, members[1])
            try write(["inner": 9], Self.keys(of: Whole.self)[0])
            try write(true, Self.keys(of: Whole.self)[0])
            try write(nil, Self.keys(of: Whole.self)[0])
        }
    }
}
