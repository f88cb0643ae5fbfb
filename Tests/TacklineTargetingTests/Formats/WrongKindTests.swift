import Foundation
import Tackline
import TacklineCore
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

/// Documents that are JSON objects, and not what a provider was made for.
enum WrongKind: String, CaseIterable {
    case schema = #"{"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": {}}"#
    case definitions = """
        {"flags": {"a": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"}, "b": 1}}
        """
    case listOfDefinitions = """
        {"flags": [{"key": "a", "state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}]}
        """
    case bulkAnswer = #"{"flags": [{"key": "a", "value": true, "reason": "STATIC", "variant": "on"}]}"#
    case launchDarklyServer = """
        {"flags": {"a": {"key": "a", "version": 3, "on": true, "variations": [true, false], "salt": "x"}}, "segments": {}}
        """
    case launchDarklyFile = #"{"flagValues": {"a": true, "b": 2}}"#
    case launchDarklyClient = """
        {"a": {"version": 100, "flagVersion": 3, "value": true, "variation": 0, "trackEvents": false},
         "b": {"version": 100, "flagVersion": 9, "value": "x", "variation": 1, "trackEvents": true}}
        """
    case growthBook = """
        {"status": 200, "features": {"a": {"defaultValue": false, "rules": [{"force": true}]}, "b": {"defaultValue": 1}},
         "dateUpdated": "2026-01-01T00:00:00.000Z"}
        """
    case firebaseTemplate = """
        {"conditions": [], "parameters": {"a": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN"}},
         "version": {"versionNumber": "6"}}
        """
    case firebaseAnswer = #"{"entries": {"a": "true"}, "state": "UPDATE", "templateVersion": "6", "appName": "x"}"#
    case unleash = """
        {"version": 2, "features": [{"name": "a", "enabled": true, "strategies": [{"name": "default"}]}]}
        """
    case unleashFrontend = """
        {"toggles": [{"name": "a", "enabled": true, "impressionData": false, "variant": {"name": "disabled"}}]}
        """
    case configCat = #"{"p": {"u": "https://cdn-global.configcat.com"}, "f": {"a": {"t": 0, "v": {"b": true}}}}"#
    case envelope = """
        {"payloadType": "application/vnd.tackline.flags+json", "payload": "e30=", "signatures": [{"sig": "AA=="}]}
        """

    /// A part of the name by which it is recognized.
    var name: String {
        switch self {
        case .schema, .definitions, .listOfDefinitions: "flagd"
        case .bulkAnswer: "OFREP"
        case .launchDarklyServer, .launchDarklyFile, .launchDarklyClient: "LaunchDarkly"
        case .growthBook: "GrowthBook"
        case .firebaseTemplate, .firebaseAnswer: "Firebase"
        case .unleash, .unleashFrontend: "Unleash"
        case .configCat: "ConfigCat"
        case .envelope: "signed envelope"
        }
    }
}

@Suite("A document of the wrong kind", .hangLimit) struct WrongKindTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("is refused by a provider of plain values, which keeps what it has and names the kind")
    func values() async throws {
        for kind in WrongKind.allCases {
            let transport = ScriptedTransport([.json(#"{"a": 7}"#), .json(kind.rawValue), .json(#"{"a": 8}"#)])
            let url = try #require(URL(string: "https://flags.example/f"))
            let provider = FlagIssueReporter.withReporter(.silent) {
                RemoteJSONProvider(
                    url: url, configuration: .forTests(transport, format: .values) { $0.cache = .disabled })
            }
            try await provider.refresh()
            await #expect { try await provider.refresh() } throws: { error in
                let error = error as? FlagProviderError
                return error?.code == .rejected && error?.reason.contains(kind.name) == true
            }
            #expect(provider.value(for: "a") == 7, "\(kind)")
            #expect(provider.document?.root.count == 1, "\(kind)")
            #expect(try await provider.refresh() == .changed(["a"]), "\(kind)")
        }
    }

    @Test("is refused by a file of plain values, which keeps what it has and names the kind")
    func file() throws {
        for kind in WrongKind.allCases {
            let file = folder.file("flags.json")
            try Data(#"{"a": 7}"#.utf8).write(to: file)
            let provider = FlagIssueReporter.withReporter(.silent) {
                LocalProvider(localURL: file, options: .init(changeDetection: .off))
            }
            try Data(kind.rawValue.utf8).write(to: file)
            let thrown = #expect(throws: FlagProviderError.self) { try provider.reload() }
            #expect(thrown?.reason.contains(kind.name) == true, "\(kind)")
            #expect(provider.value(for: "a") == 7, "\(kind)")
            #expect(thrown?.code == .unreadable, "\(kind)")
            #expect(provider.status == thrown.map { .failed($0) }, "\(kind)")
        }
    }

    @Test("is refused by a provider of definitions, which keeps what it has")
    func definitions() async throws {
        let cases: [String] = [
            #"{"flags": {}}"#, #"{"flags": []}"#, #"{"flags": [1]}"#, #"{"flags": {"a": true}}"#, #"{"a": true}"#,
            WrongKind.launchDarklyServer.rawValue, WrongKind.bulkAnswer.rawValue, WrongKind.growthBook.rawValue,
            WrongKind.envelope.rawValue,
        ]
        for text in cases {
            let transport = ScriptedTransport([.json(WrongKind.definitions.rawValue), .json(text)])
            let url = try #require(URL(string: "https://flags.example/f"))
            let format = FlagDocumentFormat.flagd(context: .fixed([:]), issueReporter: .silent)
            let provider = FlagIssueReporter.withReporter(.silent) {
                RemoteJSONProvider(
                    url: url, configuration: .forTests(transport, format: format) { $0.cache = .disabled })
            }
            try await provider.refresh()
            await #expect { try await provider.refresh() } throws: { ($0 as? FlagProviderError)?.code == .rejected }
            #expect(provider.value(for: "a") == true, "\(text)")

            let file = folder.file("flags.json")
            try Data(WrongKind.definitions.rawValue.utf8).write(to: file)
            let local = FlagIssueReporter.withReporter(.silent) {
                LocalProvider(localURL: file, format: format, options: .init(changeDetection: .off))
            }
            try Data(text.utf8).write(to: file)
            #expect(throws: FlagProviderError.self) { try local.reload() }
            #expect(local.value(for: "a") == true, "\(text)")
        }
    }

    @Test("is not what merely has members of the same names")
    func plain() throws {
        let cases: [String] = [
            #"{"flags": [1]}"#, #"{"flags": {"a": true}}"#, #"{"flags": {"variants": 3, "state": "on"}}"#,
            #"{"features": {"chat": true}}"#, #"{"features": ["chat"]}"#, #"{"features": {"chat": {"rules": "none"}}}"#,
            #"{"parameters": {"speed": {"value": 3}}}"#, #"{"state": "UPDATE"}"#, #"{"entries": {"a": 1}}"#,
            #"{"theme": {"value": "dark", "version": 2}}"#, #"{"payload": "x", "signatures": []}"#,
            #"{"flagValues": {"a": 1}, "other": 2}"#, #"{"f": {"a": 1}}"#,
            #"{"$schema": "https://example.com/own.json"}"#,
            "{}",
        ]
        for text in cases {
            let document = try FlagDocument(json: Data(text.utf8))
            try FlagDocumentFormat.values.checkKind(of: document)
        }
    }
}
