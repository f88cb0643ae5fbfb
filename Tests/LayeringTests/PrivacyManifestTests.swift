import Foundation
import Testing

/// The privacy manifests state the reasons for the APIs that apps on Apple systems use through this package.
@Suite("The privacy manifests") struct PrivacyManifestTests {
    /// The kinds of API that Apple allows in apps only for certain reasons: the functions, types and members by their names
    /// in Swift, and the reasons that Apple accepts ("Describing use of required reason API"). `clock_gettime` and the
    /// clocks of Swift need no reason.
    private static let kinds: [String: (symbols: Set<String>, reasons: Set<String>)] = [
        "FileTimestamp": (
            [
                "creationDate", "modificationDate", "fileModificationDate", "contentModificationDate",
                "contentModificationDateKey", "creationDateKey", "getattrlist", "getattrlistbulk", "fgetattrlist",
                "getattrlistat", "stat", "fstat", "fstatat", "lstat",
            ], ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
        ),
        "SystemBootTime": (["systemUptime", "mach_absolute_time"], ["35F9.1", "8FFB.1", "3D61.1"]),
        "DiskSpace": (
            [
                "volumeAvailableCapacity", "volumeAvailableCapacityKey", "volumeTotalCapacity",
                "volumeTotalCapacityKey",
                "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs",
            ], []
        ),
        "ActiveKeyboards": (["activeInputModes"], []),
        "UserDefaults": (["UserDefaults", "NSUserDefaults"], ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
    ]

    /// Returns the reasons that a manifest gives, by the kind of API.
    private static func reasons(in manifest: Data) throws -> [String: Set<String>] {
        let manifest = try #require(
            PropertyListSerialization.propertyList(from: manifest, format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        let accesses = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        return try accesses.reduce(into: [:]) { reasons, access in
            let type = try #require(access["NSPrivacyAccessedAPIType"] as? String)
            let list = try #require(access["NSPrivacyAccessedAPITypeReasons"] as? [String])
            reasons[type.replacing("NSPrivacyAccessedAPICategory", with: "")] = Set(list)
        }
    }

    /// The file whose uses no app for Apple's systems compiles.
    private static let otherSystems = "Sources/TacklineLaunchGuard/LaunchProcess.swift"

    /// The symbols in some sources that need a reason, by their kind.
    private static func uses(in sources: [SourceText]) -> [String: Set<String>] {
        let words = sources.reduce(into: Set<String>()) { $0.formUnion($1.tokens.map(\.text)) }
        return kinds.mapValues { $0.symbols.intersection(words) }.filter { !$0.value.isEmpty }
    }

    @Test("give accepted reasons for every API that needs one and for no other, and say that nothing is collected")
    func everyUseIsDeclared() throws {
        var declaring: Set<String> = []
        for parent in ["Sources", "Providers"] {
            let url = SourceTree.root.appendingPathComponent(parent)
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) where !name.hasPrefix(".") {
                let folder = "\(parent)/\(name)"
                let files = try SourceTree.files(in: folder).filter { $0.path != Self.otherSystems }
                var declared: [String: Set<String>] = [:]
                if let data = try? Data(contentsOf: url.appendingPathComponent("\(name)/PrivacyInfo.xcprivacy")) {
                    declared = try Self.reasons(in: data)
                    declaring.insert(parent == "Sources" ? name : "Tackline\(name)")
                }
                let uses = Self.uses(in: files.map(\.source))
                #expect(Set(uses.keys) == Set(declared.keys), "\(folder) uses \(uses)")
                for (kind, reasons) in declared {
                    let accepted = Self.kinds[kind]?.reasons ?? []
                    #expect(!reasons.isEmpty && reasons.isSubset(of: accepted), "\(folder): \(kind)")
                }
            }
        }
        let package = try String(contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let resources = try #require(package.firstMatch(of: #/hasPrivacyManifest = \[([^\]]*)\]/#)).output.1
        #expect(Set(resources.matches(of: #/"([^"]+)"/#).map { String($0.output.1) }) == declaring)
    }
}
