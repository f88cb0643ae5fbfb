/// A kind of API that Apple allows in apps for iOS, tvOS, watchOS and visionOS only for certain reasons, which a file
/// `PrivacyInfo.xcprivacy` states.
///
/// The lists are those of Apple's "Describing use of required reason API". `clock_gettime` and the clocks of Swift need no
/// reason.
enum RequiredReasonAPI: String, CaseIterable {
    case fileTimestamp = "NSPrivacyAccessedAPICategoryFileTimestamp"
    case systemBootTime = "NSPrivacyAccessedAPICategorySystemBootTime"
    case diskSpace = "NSPrivacyAccessedAPICategoryDiskSpace"
    case activeKeyboards = "NSPrivacyAccessedAPICategoryActiveKeyboards"
    case userDefaults = "NSPrivacyAccessedAPICategoryUserDefaults"

    /// The functions, types and members of the kind, by their names in Swift. Some belong to two kinds.
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

    /// Returns the uses of the kind in a source, as "line: symbol".
    func uses(in source: SourceText) -> [String] {
        source.tokens.filter { symbols.contains($0.text) }.map { "\($0.line): \($0.text)" }
    }
}
