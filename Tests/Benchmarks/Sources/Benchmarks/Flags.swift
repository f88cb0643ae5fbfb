import Tackline

/// A struct as applications have them.
struct Profile: Codable, FlagValue, Equatable {
    var attempts = 3
    var delay = 0.5
    var label = "a label that takes more than fifteen bytes"
}

struct MiddleFlags: FlagCollectionProtocol {
    @FlagCollection(description: "The innermost") var inner: HundredFlags
}

/// Flags as they are read.
struct ReadFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The first provider has it") var first: Bool
    @Flag(default: false, description: "The third provider has it") var third: Bool
    @Flag(default: true, description: "No provider has it") var missing: Bool
    @Flag(default: 0, description: "A number") var integer: Int
    @Flag(default: "", description: "A text of 5 bytes") var short: String
    @Flag(default: "", description: "A text of 42 bytes") var long: String
    @Flag(default: Profile(), description: "A struct") var profile: Profile
    @Flag(default: false, description: "Written to") var written: Bool
    @FlagCollection(description: "The middle") var middle: MiddleFlags
}

struct TenFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "0") var flag0: Bool
    @Flag(default: false, description: "1") var flag1: Bool
    @Flag(default: false, description: "2") var flag2: Bool
    @Flag(default: false, description: "3") var flag3: Bool
    @Flag(default: false, description: "4") var flag4: Bool
    @Flag(default: false, description: "5") var flag5: Bool
    @Flag(default: false, description: "6") var flag6: Bool
    @Flag(default: false, description: "7") var flag7: Bool
    @Flag(default: false, description: "8") var flag8: Bool
    @Flag(default: false, description: "9") var flag9: Bool
}

struct ThousandFlags: FlagCollectionProtocol {
    @FlagCollection(description: "0") var group0: HundredFlags
    @FlagCollection(description: "1") var group1: HundredFlags
    @FlagCollection(description: "2") var group2: HundredFlags
    @FlagCollection(description: "3") var group3: HundredFlags
    @FlagCollection(description: "4") var group4: HundredFlags
    @FlagCollection(description: "5") var group5: HundredFlags
    @FlagCollection(description: "6") var group6: HundredFlags
    @FlagCollection(description: "7") var group7: HundredFlags
    @FlagCollection(description: "8") var group8: HundredFlags
    @FlagCollection(description: "9") var group9: HundredFlags
}
