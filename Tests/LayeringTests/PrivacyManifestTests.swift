import Foundation
import Testing

/// The privacy manifests state the reasons for the APIs that apps on Apple systems use through this package.
@Suite("The privacy manifests") struct PrivacyManifestTests {
    /// A module and its folder, relative to the root of the package.
    struct Module {
        let folder: String
        let name: String

        static func all() throws -> [Module] {
            try ["Sources", "Providers"].flatMap { parent in
                let url = SourceTree.root.appendingPathComponent(parent)
                return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
                    .filter { !$0.hasPrefix(".") }
                    .map { Module(folder: "\(parent)/\($0)", name: parent == "Sources" ? $0 : "Tackline\($0)") }
            }
        }

        var manifest: PrivacyManifest? {
            get throws {
                let url = SourceTree.root.appendingPathComponent("\(folder)/PrivacyInfo.xcprivacy")
                guard FileManager.default.fileExists(atPath: url.path) else { return nil }
                return try PropertyListDecoder().decode(PrivacyManifest.self, from: Data(contentsOf: url))
            }
        }
    }

    /// The contents of a privacy manifest.
    struct PrivacyManifest: Decodable {
        struct Access: Decodable {
            let type: String
            let reasons: [String]

            enum CodingKeys: String, CodingKey {
                case type = "NSPrivacyAccessedAPIType"
                case reasons = "NSPrivacyAccessedAPITypeReasons"
            }
        }

        let tracks: Bool
        let trackingDomains: [String]
        let collectedData: [[String: String]]
        let accesses: [Access]

        enum CodingKeys: String, CodingKey {
            case tracks = "NSPrivacyTracking"
            case trackingDomains = "NSPrivacyTrackingDomains"
            case collectedData = "NSPrivacyCollectedDataTypes"
            case accesses = "NSPrivacyAccessedAPITypes"
        }
    }

    /// Returns the faults of a manifest, given the sources of its module.
    static func faults(
        of sources: [(path: String, source: SourceText)], declared: [PrivacyManifest.Access]
    ) -> [String] {
        RequiredReasonAPI.allCases.flatMap { api -> [String] in
            let uses = sources.flatMap { file in api.uses(in: file.source).map { "\(file.path):\($0)" } }
            let accesses = declared.filter { $0.type == api.rawValue }
            switch (uses.first, accesses.count) {
            case (nil, 0): return []
            case (let use?, 0): return ["\(use) needs \(api.rawValue)"]
            case (nil, _): return ["nothing uses \(api.rawValue)"]
            default: break
            }
            let reasons = accesses.flatMap(\.reasons)
            if accesses.count > 1 || reasons.isEmpty { return ["\(api.rawValue) stands twice, or without reasons"] }
            return reasons.filter { !api.reasons.contains($0) }.map { "\($0) is no reason for \(api.rawValue)" }
        }
    }

    /// The files whose uses no app for Apple's systems compiles.
    private static let otherSystems: Set = ["Sources/TacklineLaunchGuard/LaunchProcess.swift"]

    @Test("give reasons for every API that needs one, and for no other")
    func everyUseIsDeclared() throws {
        let modules = try Module.all()
        #expect(modules.contains { $0.name == "TacklineCore" } && modules.contains { $0.name == "TacklineLocal" })
        for module in modules {
            let sources = try SourceTree.files(in: module.folder).map { (path: $0.path, source: $0.source) }
            #expect(!sources.isEmpty, "\(module.folder)")
            let declared = try module.manifest?.accesses ?? []
            let compiled = sources.filter { !Self.otherSystems.contains($0.path) }
            #expect(Self.faults(of: compiled, declared: declared) == [], "\(module.folder)")
        }
    }

    @Test("state that the package tracks no one, collects nothing, and does not ask for free disk space")
    func nothingIsCollected() throws {
        for module in try Module.all() {
            guard let manifest = try module.manifest else { continue }
            #expect(!manifest.accesses.contains { $0.type == RequiredReasonAPI.diskSpace.rawValue }, "\(module.folder)")
            #expect(!manifest.tracks && manifest.trackingDomains.isEmpty && manifest.collectedData.isEmpty)
            #expect(!manifest.accesses.isEmpty, "\(module.folder)")
        }
    }

    @Test("are resources of the package")
    func manifestsAreResources() throws {
        let package = try String(contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let list = try #require(package.firstMatch(of: #/hasPrivacyManifest = \[([^\]]*)\]/#)).output.1
        let names = Set(list.matches(of: #/"([^"]+)"/#).map { String($0.output.1) })
        #expect(try names == Set(Module.all().filter { try $0.manifest != nil }.map(\.name)))
    }

    @Test("are found faulty if a kind of API is missing")
    func missingReasonIsFound() {
        let cases: [(code: String, api: RequiredReasonAPI)] = [
            ("var a = stat()", .fileTimestamp), ("lstat(path, &a)", .fileTimestamp),
            ("values.contentModificationDate", .fileTimestamp), ("process.systemUptime", .systemBootTime),
            ("mach_absolute_time()", .systemBootTime), ("statvfs(path, &a)", .diskSpace),
            ("attributes[.systemFreeSize]", .diskSpace), ("UITextInputMode.activeInputModes", .activeKeyboards),
            ("UserDefaults.standard", .userDefaults),
        ]
        for (code, api) in cases {
            let faults = Self.faults(of: [("a", SourceText("// A comment.\n" + code))], declared: [])
            #expect(faults.count == 1)
            #expect(
                faults.first?.hasPrefix("a:2: ") == true && faults.first?.hasSuffix(" needs \(api.rawValue)") == true)
        }
        #expect(Set(cases.map(\.api)) == Set(RequiredReasonAPI.allCases))
    }

    @Test("are found faulty if a reason is superfluous or wrong")
    func superfluousReasonIsFound() {
        let access = { (reasons: [String]) in
            PrivacyManifest.Access(type: RequiredReasonAPI.fileTimestamp.rawValue, reasons: reasons)
        }
        let quiet = SourceText("/* stat */ let text = \"stat\"")
        let asking = SourceText("stat(path, &a)")
        let kind = RequiredReasonAPI.fileTimestamp.rawValue
        #expect(Self.faults(of: [("a", quiet)], declared: [access(["C617.1"])]) == ["nothing uses \(kind)"])
        #expect(Self.faults(of: [("a", asking)], declared: [access(["C617.1"])]) == [])
        #expect(Self.faults(of: [("a", asking)], declared: [access(["CA92.1"])]) == ["CA92.1 is no reason for \(kind)"])
        #expect(Self.faults(of: [("a", asking)], declared: [access([])]) != [])
    }
}
