// Made by tackline generate swift from types.manifest.json. Change that, and make this anew.
// swift-format-ignore-file

import Foundation
import Tackline

/// Type name flags
struct TypeNameFlags: FlagCollectionProtocol {
    @Flag(key: "Date", default: Date(timeIntervalSince1970: 1577836800), description: FlagMetadata(owner: "Ada", expiryDate: Date(timeIntervalSince1970: 1893456000)))
    var date: Date

    @Flag(key: "URL", default: URL(string: "https://example.com")!)
    var url: URL

    @Flag(key: "UUID", default: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
    var uuid: UUID

    @Flag(key: "Data", default: Data(base64Encoded: "AQL/")!)
    var data: Data

    @Flag(key: "FlagMetadata", default: true, description: FlagMetadata(owner: "Ben"))
    var flagMetadata: Bool

    enum FlagValueValue: String, CaseIterable, FlagValue {
        case string = "String"
        case int = "Int"
    }

    @Flag(key: "FlagValue", default: .int)
    var flagValue: FlagValueValue

    enum Members: String, CaseIterable, FlagValue {
        case allCases2 = "allCases"
        case takesNull2 = "takesNull"
        case rawValue
    }

    @Flag(default: .allCases2)
    var members: Members

    @Flag(key: "EncodedFlagValue", default: [.integer(1)])
    var encodedFlagValue: EncodedFlagValue

    @Flag(key: "Bool", default: false)
    var bool: Bool

    @Flag(key: "String", default: "x")
    var string: String

    @Flag(default: false)
    var a: Bool

    @Flag(key: "_a", default: false)
    var _a2: Bool

    @FlagCollection var int: IntValue

    struct IntValue: FlagCollectionProtocol {
        @Flag(key: .absolute("Int/Int"), default: 1)
        var int: Int

        enum Theme: String, CaseIterable, FlagValue {
            case light = "Light"
            case dark
        }

        @Flag(key: .absolute("Int/Theme"), default: .dark)
        var theme: Theme
    }
}
