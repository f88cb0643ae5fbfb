/// A kind of API that Apple allows apps on iOS, tvOS, watchOS and visionOS for certain reasons only, which a file
/// `PrivacyInfo.xcprivacy` has to give.
///
/// The lists are those of Apple's "Describing use of required reason API". What measures time is none of it but the two
/// below: not `clock_gettime`, nor the clocks of Swift.
enum RequiredReasonAPI: String, CaseIterable {
    case fileTimestamp = "NSPrivacyAccessedAPICategoryFileTimestamp"
    case systemBootTime = "NSPrivacyAccessedAPICategorySystemBootTime"
    case diskSpace = "NSPrivacyAccessedAPICategoryDiskSpace"
    case activeKeyboards = "NSPrivacyAccessedAPICategoryActiveKeyboards"
    case userDefaults = "NSPrivacyAccessedAPICategoryUserDefaults"

    /// Its functions, types and members, under the names that Swift knows. Some belong to two kinds.
    var symbols: Set<String> {
        switch self {
        case .fileTimestamp:
            [
                "creationDate", "modificationDate", "fileModificationDate", "contentModificationDate",
                "contentModificationDateKey", "creationDateKey", "getattrlist", "getattrlistbulk", "fgetattrlist",
                "getattrlistat", "stat", "fstat", "fstatat", "lstat", "NSFileCreationDate", "NSFileModificationDate",
                "NSURLContentModificationDateKey", "NSURLCreationDateKey",
            ]
        case .systemBootTime: ["systemUptime", "mach_absolute_time"]
        case .diskSpace:
            [
                "volumeAvailableCapacity", "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsage",
                "volumeAvailableCapacityForImportantUsageKey", "volumeAvailableCapacityForOpportunisticUsage",
                "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacity", "volumeTotalCapacityKey",
                "systemFreeSize", "systemSize", "statfs", "statvfs", "fstatfs", "fstatvfs", "getattrlist",
                "fgetattrlist", "getattrlistat", "NSFileSystemFreeSize", "NSFileSystemSize",
            ]
        case .activeKeyboards: ["activeInputModes"]
        case .userDefaults: ["UserDefaults", "NSUserDefaults"]
        }
    }

    /// The reasons that Apple accepts.
    var reasons: Set<String> {
        switch self {
        case .fileTimestamp: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
        case .systemBootTime: ["35F9.1", "8FFB.1", "3D61.1"]
        case .diskSpace: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]
        case .activeKeyboards: ["3EC4.1", "54BD.1"]
        case .userDefaults: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]
        }
    }

    /// Where a source uses it in an app, as "line: symbol".
    func uses(in source: SourceText) -> [String] {
        var places: Set<Int> = []
        var found: [String] = []
        for system in SourceText.appSystems {
            for token in source.tokens(on: system) where symbols.contains(token.text) {
                if places.insert(token.line).inserted { found.append("\(token.line): \(token.text)") }
            }
        }
        return found
    }
}
