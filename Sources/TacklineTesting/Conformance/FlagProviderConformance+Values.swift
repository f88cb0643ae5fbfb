import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are among the values.

extension FlagProviderConformance {
    /// One or more of each type, with the values that formats tend to lose.
    private static var samples: [EncodedFlagValue] {
        [
            .bool(true), .bool(false),
            .integer(0), .integer(1), .integer(-1), .integer(Int128(Int64.min)), .integer(Int128(UInt64.max)),
            .double(1), .double(0.1), .double(-2.5e300), .double(.leastNonzeroMagnitude),
            .string(""), .string("true"), .string("1"), .string("a \"quoted\"\nline\t🚩 e\u{301}"),
            .string(String(repeating: "long ", count: 2000)),
            .data(Data()), .data(Data(0...255)),
            .date(Date(timeIntervalSince1970: 1_700_000_000.25)), .date(Date(timeIntervalSince1970: -1_000_000_000)),
            .array([]), .array([true, 1, 1.0, "one", [2]]),
            .object([:]), .object(["flag": true, "list": [1, 2], "inner": ["text": "x"]]),
            .unparsed("yes"), .null,
        ]
    }

    func checkEveryValueType(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let writer = writer(for: provider) else { return run.skip("the provider cannot be written to") }
        let recorder = FlagNoticeRecorder()
        let observer = recorder.makeObserver()
        _ = provider.observe(observer)
        for (number, sample) in FlagProviderConformance.samples.enumerated() {
            let key = FlagKeyPath("tackline_values/value_\(number)")
            let before = recorder.notices.count
            do {
                try await writer(key, sample)
            } catch {
                run.expect(number > 0, "a plain true cannot be written: \(error)")
                let left = provider.value(for: key)
                run.expect(
                    left == nil,
                    "writing \(sample) threw and left \(phrase(left)). A write that throws changes nothing: \(error)"
                )
                run.expect(
                    recorder.notices.count == before,
                    "writing \(sample) threw, and a change was announced all the same: \(error)"
                )
                continue
            }
            let answer = provider.value(for: key)
            run.expect(
                answer.map { isSame(sample, $0) } ?? false,
                """
                \(sample) was written and \(phrase(answer)) came back. Keep it exactly, or throw a FlagProviderError \
                with the code unsupportedValue before anything changes
                """
            )
        }
        withExtendedLifetime(observer) {}
    }

    func checkRemoval(_ run: FlagProviderCheckRun) async throws {
        let provider = try await make()
        guard let writer = writer(for: provider) else { return run.skip("the provider cannot be written to") }
        try await writer("tackline_removal/kept", .bool(true))
        try await writer("tackline_removal/removed", .bool(true))
        try await writer("tackline_removal/removed", nil)
        let removed = provider.value(for: "tackline_removal/removed")
        run.expect(removed == nil, "a value was removed with nil and \(phrase(removed)) is still there")
        let kept = provider.value(for: "tackline_removal/kept")
        run.expect(kept == true, "removing a value changed its neighbour from true to \(phrase(kept))")
        try await writer("tackline_removal/removed", nil)
        try await writer("tackline_removal/removed", .bool(false))
        let again = provider.value(for: "tackline_removal/removed")
        run.expect(again == false, "false was written where a value had been removed, and \(phrase(again)) came back")
    }
}
