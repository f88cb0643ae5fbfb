import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import Testing

@Suite("A bundle of overrides")
struct FlagOverridesBundleTests {
    private func overrides(_ environment: DeploymentEnvironment = .nonProduction) -> FlagOverrides {
        FlagOverrides(storage: MemoryProvider(), environment: environment, now: { Date(timeIntervalSince1970: 0) })
    }

    @Test("is JSON that people can read, and comes back as it was")
    func roundTrip() throws {
        let first = overrides()
        try first.setValue(true, for: "secrets/boom_feature", expires: Date(timeIntervalSince1970: 86400))
        try first.setValue(.null, for: FlagKeyPath("a.b", separator: "."))
        try first.setValue(["x": 1, "y": [1.5, "text"]], for: "c")
        let json = try first.exportBundle()
        #expect(
            String(decoding: json, as: UTF8.self).filter { !$0.isWhitespace } == """
                {"format":"tackline-overrides","overrides":[{"key":"a.b","separator":"."},{"key":"c","value":\
                {"x":1,"y":[1.5,"text"]}},{"expires":"1970-01-02T00:00:00Z","key":"secrets/boom_feature","value":true}],\
                "version":1}
                """)
        let second = overrides()
        try second.importBundle(json)
        #expect(second.overrides == first.overrides)
        #expect(second.overrides.first?.key.components == ["a", "b"])
    }

    @Test("adds to what is there, or replaces it")
    func replacing() throws {
        let overrides = overrides()
        try overrides.setValue(1, for: "a")
        let json = try overrides.exportBundle()
        try overrides.setValue(2, for: "a")
        try overrides.setValue(3, for: "b")
        try overrides.importBundle(json)
        #expect(overrides.overrides.map(\.value) == [1, 3])
        try overrides.importBundle(json, replacing: true)
        #expect(overrides.overrides.map(\.key.text) == ["a"])
    }

    @Test("passes over what has expired")
    func expired() throws {
        let overrides = overrides()
        let bundle = FlagOverrideBundle([
            FlagOverride(key: "old", value: 1, expires: Date(timeIntervalSince1970: -1)),
            FlagOverride(key: "new", value: 1, expires: Date(timeIntervalSince1970: 1)),
        ])
        try overrides.importBundle(try FlagJSONWriter().data(of: bundle.encoded))
        #expect(overrides.overrides.map(\.key.text) == ["new"])
    }

    @Test("that is damaged changes nothing and says where")
    func damaged() throws {
        let cases = [
            "", "[]", "{}", #"{"format":"other","version":1,"overrides":[]}"#,
            #"{"format":"tackline-overrides","version":2,"overrides":[]}"#,
            #"{"format":"tackline-overrides","version":1}"#,
            #"{"format":"tackline-overrides","version":1,"overrides":[{"key":"a","value":1},{"value":1}]}"#,
            #"{"format":"tackline-overrides","version":1,"overrides":[{"key":"","value":1}]}"#,
            #"{"format":"tackline-overrides","version":1,"overrides":[{"key":"a","value":1,"expires":5}]}"#,
            #"{"format":"tackline-overrides","version":1,"overrides":[{"key":"a","value":1,"separator":5}]}"#,
            #"{"format":"tackline-overrides","version":1,"overrides":[]} x"#,
        ]
        for json in cases {
            let overrides = overrides()
            try overrides.setValue(1, for: "kept")
            let error = #expect(throws: FlagError.self) {
                try overrides.importBundle(Data(json.utf8), replacing: true)
            }
            #expect(error?.code == .unreadable, "\(json)")
            #expect(overrides.overrides.map(\.key.text) == ["kept"], "\(json)")
        }
    }

    @Test("of more than a mebibyte is refused")
    func size() {
        let json = Data(repeating: UInt8(ascii: " "), count: 1 << 20 + 1)
        #expect(throws: FlagError.self) { try overrides().importBundle(json) }
    }
}

@Suite("Overrides in production")
struct FlagOverridesProductionTests {
    private let json = Data(
        #"{"format":"tackline-overrides","version":1,"overrides":[{"key":"new_checkout","value":true}]}"#.utf8)

    /// A storage with overrides, as a test build left it on the device.
    private func storage() throws -> MemoryProvider {
        let storage = MemoryProvider()
        try FlagOverrides(storage: storage, environment: .nonProduction).importBundle(json)
        return storage
    }

    @Test("answer nothing, list nothing and take nothing, whoever asks")
    func refused() throws {
        let storage = try storage()
        let overrides = FlagOverrides(storage: storage, environment: .production)
        let before = storage.document
        #expect(overrides.value(for: "new_checkout") == nil)
        #expect(overrides.overrides.isEmpty && overrides.document?.root.isEmpty == true)
        let attempts: [() throws -> Void] = [
            { try overrides.importBundle(json) },
            { try overrides.importBundle(json, replacing: true) },
            { _ = try overrides.exportBundle() },
            { try overrides.setValue(true, for: "new_checkout") },
            { try overrides.setValue(true, for: "new_checkout", expires: .distantFuture) },
        ]
        for attempt in attempts {
            let error = #expect(throws: FlagError.self) { try attempt() }
            #expect(error?.code == .overridesRefused)
        }
        overrides.removeExpired()
        #expect(overrides.value(for: "new_checkout") == nil && storage.document == before)
        guard case .failed(let error) = overrides.status else {
            Issue.record("The status is \(overrides.status).")
            return
        }
        #expect(error.code == .overridesRefused)
    }

    @Test("stay out of the chain, and have no effect behind a closure that hides them")
    func chain() throws {
        let storage = try storage()
        struct Hiding: FlagProvider {
            let answer: @Sendable (FlagKeyPath) -> EncodedFlagValue?
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { answer(key) }
        }
        let tested = FlagOverrides(storage: storage, environment: .nonProduction)
        let overrides = FlagOverrides(storage: storage, environment: .production)
        let flags = FlagsLoader(
            OverriddenFlags.self,
            environment: .production, providers: [tested, overrides, Hiding { overrides.value(for: $0) }],
            issueReporter: .silent)
        #expect(!flags.newCheckout)
        #expect(flags.providers.count == 1)
    }

    @Test("that were left behind can be removed")
    func removal() throws {
        let storage = try storage()
        try FlagOverrides(storage: storage, environment: .production).removeAll()
        #expect(storage.document?.root.isEmpty == true)
    }

    @Test("work with the one opt-in")
    func optIn() throws {
        let environment = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
        let overrides = FlagOverrides(storage: try storage(), environment: environment)
        let flags = FlagsLoader(OverriddenFlags.self, environment: environment, providers: [overrides])
        #expect(flags.newCheckout)
    }
}
