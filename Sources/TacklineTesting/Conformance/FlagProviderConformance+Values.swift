import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are among the values.

extension FlagProviderConformance {
    /// Samples of each type, including values that formats tend to lose.
    private static var samples: [EncodedFlagValue] {
        [
            .bool(true), .bool(false),
            .integer(0), .integer(1), .integer(-1), .integer(Int128(Int64.min)), .integer(Int128(UInt64.max)),
            .integer(9_007_199_254_740_993), .integer(.max), .double(9_007_199_254_740_992),
            .double(1), .double(0.1), .double(-2.5e300), .double(.leastNonzeroMagnitude),
            .double(0), .double(-0.0), .double(.nan), .double(.infinity), .double(-.infinity),
            .string(""), .string("true"), .string("1"), .string("a \"quoted\"\nline\t🚩 e\u{301}"),
            .string(String(repeating: "long ", count: 2000)),
            .data(Data()), .data(Data(0...255)),
            .date(Date(timeIntervalSince1970: 1_700_000_000.25)), .date(Date(timeIntervalSince1970: -1_000_000_000)),
            .array([]), .array([true, 1, 1.0, "one", [2]]), .array([.null, 1, .null]),
            .array([.double(.nan), .double(-0.0)]),
            .object([:]), .object(["flag": true, "list": [1, 2], "inner": ["text": "x"]]),
            .object(["null": .null, "a": 1]),
            .unparsed("yes"), .null, (0..<EncodedFlagValue.maximumDepth).reduce("deep") { value, _ in .array([value]) },
        ]
    }

    func checkEveryValueType(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let write = writer(for: provider) else { return run.skip("the provider cannot be written to") }
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        _ = provider.observe(observer)
        for (number, sample) in FlagProviderConformance.samples.enumerated() {
            let key = FlagKeyPath("tackline_values/value_\(number)")
            let notices = recorder.notices.count
            func expectUnchanged(_ value: EncodedFlagValue?, before: Int) {
                let found = provider.value(for: key)
                guard found != value || recorder.notices.count != before else { return }
                run.fail(
                    key,
                    found == value
                        ? "a write of \(phrase(sample)) threw and announced a change"
                        : "a write of \(phrase(sample)) threw and left \(phrase(found)) instead of \(phrase(value))",
                    "change and announce nothing if a write throws")
            }
            do {
                try await write(key, sample)
            } catch {
                if number == 0 { run.fail(key, "a write of true threw \(error)", "take a Boolean at least") }
                expectUnchanged(nil, before: notices)
                // Repeats the write over a value, which a throwing write must leave unchanged. The effect of `change`
                // is not known.
                guard provider is any WritableFlagProvider else { continue }
                try await write(key, true)
                let before = recorder.notices.count
                do {
                    try await write(key, sample)
                    run.fail(
                        key, "a write of \(phrase(sample)) threw and the same write didn't, once there was a value",
                        "throw for a value that the provider can't hold, whatever was there")
                } catch {
                    expectUnchanged(true, before: before)
                }
                continue
            }
            let answer = provider.value(for: key)
            if !(answer.map { isSame(sample, $0) } ?? false) {
                run.fail(
                    key, "\(phrase(sample)) was written and \(phrase(answer)) came back",
                    "keep the value exactly, or throw a FlagError with the code unsupportedValue before anything "
                        + "changes")
            }
        }
        withExtendedLifetime(observer) {}
    }

    func checkRemoval(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let write = writer(for: provider) else { return run.skip("the provider cannot be written to") }
        let (kept, removed): (FlagKeyPath, FlagKeyPath) = ("tackline_removal/kept", "tackline_removal/removed")
        func expect(_ key: FlagKeyPath, _ value: EncodedFlagValue?, _ action: String, _ advice: String) {
            let found = provider.value(for: key)
            if found != value {
                run.fail(key, "the value is \(phrase(found)) instead of \(phrase(value)) \(action)", advice)
            }
        }
        try await write(kept, .bool(true))
        for value in [true, ["a": 1], .null, [1], 2.5] as [EncodedFlagValue] {
            do {
                try await write(removed, value)
            } catch let error as FlagError where error.code == .unsupportedValue {
                continue
            }
            try await write(removed, nil)
            expect(removed, nil, "after it was removed", "remove a value that is set to nil, in every shape")
            expect(kept, true, "after another value was removed", "remove nothing but the value of the key")
            try await write(kept, false)
            expect(removed, nil, "after it was removed, and another value written", "forget a removed value for good")
            try await write(kept, true)
        }
        try await write(removed, nil)
        expect(removed, nil, "after it was removed twice", "let a value be removed that isn't there")
        try await write(removed, .bool(false))
        expect(removed, false, "after it was removed and written again", "keep the last value that is written")
        // Resets flags that the document may have in both shapes.
        guard provider.wrappedProviders.isEmpty, !provider.traits.contains(.override) else { return }
        for (key, value) in held.sorted(by: { $0.key.text < $1.key.text }) {
            // Its own value, because a source may know the types of its values.
            try await write(key, value)
            try await write(key, nil)
            expect(key, nil, "after a reset", "remove a value that is set to nil, flat and nested")
        }
    }
}
