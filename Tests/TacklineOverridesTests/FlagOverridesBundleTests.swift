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
        let end = Date(timeIntervalSince1970: 86400)
        try first.setOverrides([("secrets/boom_feature", .init(key: "secrets/boom_feature", value: true, expires: end))]
        )
        try first.setValue(.null, for: FlagKeyPath("a.b", separator: "."))
        try first.setValue(["x": 1, "y": [1.5, "text"]], for: "c")
        let json = try first.exportBundle()
        #expect(
            String(decoding: json, as: UTF8.self).filter { !$0.isWhitespace } == """
                {"format":"tackline-overrides","overrides":[{"key":"a.b","value":null},{"key":"c","value":\
                {"x":1,"y":[1.5,"text"]}},{"expires":"1970-01-02T00:00:00Z","key":"secrets/boom_feature","value":true}],\
                "version":1}
                """)
        let second = overrides()
        try second.importBundle(json)
        #expect(second.overrides.map(\.encoded) == first.overrides.map(\.encoded))
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
        // What has ended is passed over, and takes nothing away.
        try overrides.setValue(5, for: "old")
        let bundle = FlagOverrideBundle([
            .init(key: "old", value: 1, expires: Date(timeIntervalSince1970: -1)),
            .init(key: "new", value: 1, expires: Date(timeIntervalSince1970: 1)),
        ])
        try overrides.importBundle(try FlagJSONWriter().data(of: bundle.encoded))
        #expect(overrides.overrides.map(\.value) == [1, 1, 5])
    }

    @Test("that has anything unknown, missing or wrong changes nothing and says what and where")
    func damaged() throws {
        func bundle(_ entry: String) -> String {
            #"{"format":"tackline-overrides","version":1,"overrides":[{"key":"a","value":1},\#(entry)]}"#
        }
        let cases: [(String, String)] = [
            ("", "line 1"), ("junk", "line 1"), ("[]", "expected an object"), ("{}", "found the array []"),
            (#"{"format":"other","version":1,"overrides":[]}"#, #""other", 1"#),
            (#"{"format":"tackline-overrides","version":2,"overrides":[]}"#, #""tackline-overrides", 2"#),
            (#"{"format":"tackline-overrides","version":1}"#, #"found the array ["format", "version"]"#),
            (#"{"format":"tackline-overrides","version":1,"overrides":[],"more":1}"#, #""more""#),
            (bundle(#"{"value":1}"#), #"found the array ["value"] at "1""#),
            (bundle(#"{"key":"mode"}"#), #"found the array ["key"] at "1""#),
            (bundle(#"{"key":"mode","valeu":"x"}"#), #"found the array ["key", "valeu"] at "1""#),
            (
                bundle(#"{"key":"mode","value":1,"expire":"2030-01-01T00:00:00Z"}"#),
                #"["expire", "key", "value"] at "1""#
            ),
            (bundle(#"{"key":5,"value":1}"#), "found the integer 5"),
            (bundle(#"{"key":"b","value":1,"expires":5}"#), "found the integer 5"),
            (bundle(#"{"key":"b","value":1,"section":5}"#), "found the integer 5"),
            (bundle("1"), #"expected an object, found the string "something else" at "1""#),
        ]
        for (json, reason) in cases {
            let overrides = overrides()
            try overrides.setValue(1, for: "kept")
            let error = #expect(throws: FlagError.self) {
                try overrides.importBundle(Data(json.utf8), replacing: true)
            }
            #expect(
                error?.code == .unreadable && error?.message.contains(reason) == true,
                "\(json): \(error?.message ?? "")")
            #expect(overrides.overrides.map(\.key.text) == ["kept"], "\(json)")
        }
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
        ]
        for attempt in attempts {
            let error = #expect(throws: FlagError.self) { try attempt() }
            #expect(error?.code == .overridesRefused)
        }
        overrides.removeExpired()
        #expect(overrides.value(for: "new_checkout") == nil && storage.document == before)
        let flags = FlagsLoader(OverriddenFlags.self, environment: .production, providers: [overrides])
        #expect(flags.providers.isEmpty)
        guard case .failed(let error) = overrides.status else {
            Issue.record("The status is \(overrides.status).")
            return
        }
        #expect(error.code == .overridesRefused)
        // What was left behind can be removed.
        try overrides.removeAll()
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
