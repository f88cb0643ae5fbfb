import Tackline

/// A big group of flags of the usual types. Each `Area` makes it another type, which is reflected on its own.
struct MixedFlags<Area>: FlagCollectionProtocol {
    @Flag(default: false, description: "0") var mixedFlag0: Bool
    @Flag(default: 0, description: "1") var mixedFlag1: Int
    @Flag(default: "", description: "2") var mixedFlag2: String
    @Flag(default: 0, description: "3") var mixedFlag3: Double
    @Flag(default: false, description: "4") var mixedFlag4: Bool
    @Flag(default: 0, description: "5") var mixedFlag5: Int
    @Flag(default: "", description: "6") var mixedFlag6: String
    @Flag(default: 0, description: "7") var mixedFlag7: Double
    @Flag(default: false, description: "8") var mixedFlag8: Bool
    @Flag(default: 0, description: "9") var mixedFlag9: Int
    @Flag(default: "", description: "10") var mixedFlag10: String
    @Flag(default: 0, description: "11") var mixedFlag11: Double
    @Flag(default: false, description: "12") var mixedFlag12: Bool
    @Flag(default: 0, description: "13") var mixedFlag13: Int
    @Flag(default: "", description: "14") var mixedFlag14: String
    @Flag(default: 0, description: "15") var mixedFlag15: Double
    @Flag(default: false, description: "16") var mixedFlag16: Bool
    @Flag(default: 0, description: "17") var mixedFlag17: Int
    @Flag(default: "", description: "18") var mixedFlag18: String
    @Flag(default: 0, description: "19") var mixedFlag19: Double
    @Flag(default: false, description: "20") var mixedFlag20: Bool
    @Flag(default: 0, description: "21") var mixedFlag21: Int
    @Flag(default: "", description: "22") var mixedFlag22: String
    @Flag(default: 0, description: "23") var mixedFlag23: Double
    @Flag(default: false, description: "24") var mixedFlag24: Bool
    @Flag(default: 0, description: "25") var mixedFlag25: Int
    @Flag(default: "", description: "26") var mixedFlag26: String
    @Flag(default: 0, description: "27") var mixedFlag27: Double
    @Flag(default: false, description: "28") var mixedFlag28: Bool
    @Flag(default: 0, description: "29") var mixedFlag29: Int
    @Flag(default: "", description: "30") var mixedFlag30: String
    @Flag(default: 0, description: "31") var mixedFlag31: Double
    @Flag(default: false, description: "32") var mixedFlag32: Bool
    @Flag(default: 0, description: "33") var mixedFlag33: Int
    @Flag(default: "", description: "34") var mixedFlag34: String
    @Flag(default: 0, description: "35") var mixedFlag35: Double
    @Flag(default: false, description: "36") var mixedFlag36: Bool
    @Flag(default: 0, description: "37") var mixedFlag37: Int
    @Flag(default: "", description: "38") var mixedFlag38: String
    @Flag(default: 0, description: "39") var mixedFlag39: Double
    @Flag(default: false, description: "40") var mixedFlag40: Bool
    @Flag(default: 0, description: "41") var mixedFlag41: Int
    @Flag(default: "", description: "42") var mixedFlag42: String
    @Flag(default: 0, description: "43") var mixedFlag43: Double
    @Flag(default: false, description: "44") var mixedFlag44: Bool
    @Flag(default: 0, description: "45") var mixedFlag45: Int
    @Flag(default: "", description: "46") var mixedFlag46: String
    @Flag(default: 0, description: "47") var mixedFlag47: Double
    @Flag(default: false, description: "48") var mixedFlag48: Bool
    @Flag(default: 0, description: "49") var mixedFlag49: Int
    @Flag(default: "", description: "50") var mixedFlag50: String
    @Flag(default: 0, description: "51") var mixedFlag51: Double
    @Flag(default: false, description: "52") var mixedFlag52: Bool
    @Flag(default: 0, description: "53") var mixedFlag53: Int
    @Flag(default: "", description: "54") var mixedFlag54: String
    @Flag(default: 0, description: "55") var mixedFlag55: Double
    @Flag(default: false, description: "56") var mixedFlag56: Bool
    @Flag(default: 0, description: "57") var mixedFlag57: Int
    @Flag(default: "", description: "58") var mixedFlag58: String
    @Flag(default: 0, description: "59") var mixedFlag59: Double
    @Flag(default: false, description: "60") var mixedFlag60: Bool
    @Flag(default: 0, description: "61") var mixedFlag61: Int
    @Flag(default: "", description: "62") var mixedFlag62: String
    @Flag(default: 0, description: "63") var mixedFlag63: Double
    @Flag(default: false, description: "64") var mixedFlag64: Bool
    @Flag(default: 0, description: "65") var mixedFlag65: Int
    @Flag(default: "", description: "66") var mixedFlag66: String
    @Flag(default: 0, description: "67") var mixedFlag67: Double
    @Flag(default: false, description: "68") var mixedFlag68: Bool
    @Flag(default: 0, description: "69") var mixedFlag69: Int
    @Flag(default: "", description: "70") var mixedFlag70: String
    @Flag(default: 0, description: "71") var mixedFlag71: Double
    @Flag(default: false, description: "72") var mixedFlag72: Bool
    @Flag(default: 0, description: "73") var mixedFlag73: Int
    @Flag(default: "", description: "74") var mixedFlag74: String
    @Flag(default: 0, description: "75") var mixedFlag75: Double
    @Flag(default: false, description: "76") var mixedFlag76: Bool
    @Flag(default: 0, description: "77") var mixedFlag77: Int
    @Flag(default: "", description: "78") var mixedFlag78: String
    @Flag(default: 0, description: "79") var mixedFlag79: Double
    @Flag(default: false, description: "80") var mixedFlag80: Bool
    @Flag(default: 0, description: "81") var mixedFlag81: Int
    @Flag(default: "", description: "82") var mixedFlag82: String
    @Flag(default: 0, description: "83") var mixedFlag83: Double
    @Flag(default: false, description: "84") var mixedFlag84: Bool
    @Flag(default: 0, description: "85") var mixedFlag85: Int
    @Flag(default: "", description: "86") var mixedFlag86: String
    @Flag(default: 0, description: "87") var mixedFlag87: Double
    @Flag(default: false, description: "88") var mixedFlag88: Bool
    @Flag(default: 0, description: "89") var mixedFlag89: Int
    @Flag(default: "", description: "90") var mixedFlag90: String
    @Flag(default: 0, description: "91") var mixedFlag91: Double
    @Flag(default: false, description: "92") var mixedFlag92: Bool
    @Flag(default: 0, description: "93") var mixedFlag93: Int
    @Flag(default: "", description: "94") var mixedFlag94: String
    @Flag(default: 0, description: "95") var mixedFlag95: Double
    @Flag(default: false, description: "96") var mixedFlag96: Bool
    @Flag(default: 0, description: "97") var mixedFlag97: Int
    @Flag(default: "", description: "98") var mixedFlag98: String
    @Flag(default: 0, description: "99") var mixedFlag99: Double
}

enum Area0 {}
enum Area1 {}
enum Area2 {}
enum Area3 {}
enum Area4 {}
enum Area5 {}
enum Area6 {}
enum Area7 {}
enum Area8 {}
enum Area9 {}

/// 1,000 flags in ten groups of different types.
struct GroupedFlags: FlagCollectionProtocol {
    @FlagCollection(description: "0") var group0: MixedFlags<Area0>
    @FlagCollection(description: "1") var group1: MixedFlags<Area1>
    @FlagCollection(description: "2") var group2: MixedFlags<Area2>
    @FlagCollection(description: "3") var group3: MixedFlags<Area3>
    @FlagCollection(description: "4") var group4: MixedFlags<Area4>
    @FlagCollection(description: "5") var group5: MixedFlags<Area5>
    @FlagCollection(description: "6") var group6: MixedFlags<Area6>
    @FlagCollection(description: "7") var group7: MixedFlags<Area7>
    @FlagCollection(description: "8") var group8: MixedFlags<Area8>
    @FlagCollection(description: "9") var group9: MixedFlags<Area9>
}
