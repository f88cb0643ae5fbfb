import Foundation
import TacklineCore
import TacklineFormats
import Testing

@Suite("Property lists")
struct PropertyListTests {
    private func read(_ bytes: [UInt8], limits: FlagPropertyListReader.Limits = .init()) -> EncodedFlagValue? {
        try? FlagPropertyListReader(limits: limits).read(bytes)
    }

    private func read(xml: String) -> EncodedFlagValue? {
        read(Array("<?xml version=\"1.0\"?><plist version=\"1.0\">\(xml)</plist>".utf8))
    }

    private func message(xml: String) -> String {
        do {
            return "read \(try FlagPropertyListReader().read(Array("<plist>\(xml)</plist>".utf8)))"
        } catch {
            return error.description
        }
    }

    private let sample: EncodedFlagValue = [
        "bool": true, "int": 1, "real": 1.0, "min": .integer(Int128(Int64.min)), "max": .integer(Int128(UInt64.max)),
        "string": "a <&> é😀", "data": .data(Data([1, 2, 3])), "empty": .data(Data()),
        "date": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)), "list": [1, "two", [3.5]], "group": [:],
        "many": .array((0..<300).map { .integer($0) }),
    ]

    @Test("written by Tackline are read by Foundation")
    func foundationReads() throws {
        for format in [FlagPropertyListWriter.Format.xml, .binary] {
            try foundationReads(format: format)
        }
    }

    private func foundationReads(format: FlagPropertyListWriter.Format) throws {
        let data = try FlagPropertyListWriter(format: format).data(of: sample)
        let list = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        )
        #expect(list["string"] as? String == "a <&> é😀")
        #expect(list["int"] as? Int == 1)
        #expect(list["min"] as? Int64 == .min)
        #expect(list["data"] as? Data == Data([1, 2, 3]))
        #expect(list["date"] as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000))
        #expect((list["many"] as? [Int])?.count == 300)
    }

    @Test("written by Foundation are read by Tackline")
    func foundationWrites() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            try foundationWrites(format: format)
        }
    }

    private func foundationWrites(format: PropertyListSerialization.PropertyListFormat) throws {
        let list: [String: Any] = [
            "bool": true, "int": 1, "real": 1.5, "min": Int64.min, "max": UInt64.max, "string": "a <&> é😀\r\n",
            "data": Data([1, 2, 3]), "date": Date(timeIntervalSinceReferenceDate: 700_000_000),
            "list": ["two", ["a": "b"]] as [Any], "long": String(repeating: "x", count: 1000),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let value = try FlagPropertyListReader().read(data)
        guard case .object(let members) = value else {
            Issue.record("not an object")
            return
        }
        #expect(members["bool"] == true)
        #expect(members["int"] == 1)
        #expect(members["real"] == 1.5)
        #expect(members["min"] == .integer(Int128(Int64.min)))
        #expect(members["max"] == .integer(Int128(UInt64.max)))
        #expect(members["data"] == .data(Data([1, 2, 3])))
        #expect(members["date"] == .date(Date(timeIntervalSinceReferenceDate: 700_000_000)))
        #expect(members["list"] == ["two", ["a": "b"]])
        #expect(members["long"] == .string(String(repeating: "x", count: 1000)))
    }

    @Test("represent unsupported values as marker strings, and escape strings that resemble markers")
    func markers() throws {
        let values: [EncodedFlagValue] = [
            .null, "$null", "$$null", "$", "$$", "$5", "$nullable", .integer(.max), "$integer 5", "$integer x",
            "$date x",
            "$text x", "$text YQ==", "\u{1}", .date(Date(timeIntervalSinceReferenceDate: -0.25)), ["$null": "$null"],
            ["\u{0}": "\u{FFFE}"], ["$text YQ==": 1], "",
        ]
        for value in values {
            for format in [FlagPropertyListWriter.Format.xml, .binary] {
                #expect(read(try FlagPropertyListWriter(format: format).bytes(of: value)) == value)
            }
        }
        let text = String(
            decoding: try FlagPropertyListWriter(format: .xml).bytes(of: [.null, "$null"]), as: UTF8.self)
        #expect(text.contains("<string>$null</string>\n\t<string>$$null</string>"))
    }

    @Test("in XML can contain comments, attributes, references and CDATA sections")
    func xmlSyntax() {
        #expect(
            read(xml: "<!-- a --><dict ><key>a</key><array/><key>b</key><dict></dict></dict>") == ["a": [], "b": [:]]
        )
        #expect(read(xml: "<string>a&#x1F600;&#233;&lt;<![CDATA[<&>]]><!-- no -->b</string>") == "a😀é<<&>b")
        #expect(
            read(xml: "<array><true/><false></false><string/><integer>+5</integer><real>1</real></array>") == [
                true, false, "", 5, 1.0,
            ]
        )
        #expect(read(xml: "<data>\n\tAQ\n\tI=\n</data>") == .data(Data([1, 2])))
        #expect(read(xml: "<string>a\r\nb\rc&#13;</string>") == "a\nb\nc\r")
    }

    @Test("with errors are refused with a message that contains the position and the fix")
    func errorMessages() {
        let cases = [
            ("<integer>1.5</integer>", #"byte 29: "1.5" is not an integer, or out of range; correct it"#),
            (
                "<dict><key>a</key><array><real>x</real></array></dict>",
                #"byte 46 at "a/0": "x" is not a number, or out of range; correct it"#
            ),
            (
                "<dict><key>a</key><true/><key>a</key></dict>",
                #"byte 37: the key "a" occurs twice; remove one of the two"#
            ),
            ("<dict><true/></dict>", "byte 20: a value without a key in a dictionary; give it one"),
            ("<dict><key>a</key></dict>", #"byte 32 at "a": a key without a value; give it one"#),
            ("<array></dict>", #"byte 21 at "0": </dict> closes nothing; repair the property list"#),
            ("<true/><true/>", "byte 21: a second value after the first; remove it"),
            ("<string>&nbsp;</string>", "byte 15: the reference &nbsp; is unknown; write &amp; for an ampersand"),
            ("<string>a & b</string>", "byte 17: an ampersand on its own; write &amp;"),
            ("", "byte 15: the property list is empty or not complete; complete it"),
            ("<array>", #"byte 22 at "0": the property list is empty or not complete; complete it"#),
            ("<set/>", #"byte 13: "set" is not an element of a property list; remove it"#),
            ("<data>AQI</data>", "byte 23: the data is not base64; correct it"),
            ("<data>%%</data>", "byte 22: the data is not base64; correct it"),
            ("<real>1e400</real>", #"byte 25: "1e400" is not a number, or out of range; correct it"#),
            (
                "<date>2026-00-01T00:00:00Z</date>",
                #"byte 40: "2026-00-01T00:00:00Z" is not a date like 2026-11-21T08:00:00Z; correct it"#
            ),
            ("<date>today</date>", #"byte 25: "today" is not a date like 2026-11-21T08:00:00Z; correct it"#),
        ]
        for (xml, message) in cases {
            #expect(self.message(xml: xml) == message, "\(xml)")
        }
    }

    @Test("that define entities are refused")
    func entities() {
        let bomb = "<!DOCTYPE plist [<!ENTITY a \"aa\">]><plist><string>&a;</string></plist>"
        #expect(read(Array(bomb.utf8)) == nil)
    }

    @Test("nested 200,000 levels deep are refused")
    func deepNesting() {
        #expect(read(xml: String(repeating: "<array>", count: 200_000)) == nil)
        #expect(read(xml: String(repeating: "<dict><key>a</key>", count: 200_000)) == nil)
    }

    @Test("in binary form that contain themselves, or a value too many times, are refused")
    func cycles() {
        func list(_ objects: [[UInt8]]) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets.append(UInt8(bytes.count))
                bytes += object
            }
            let table = UInt8(bytes.count)
            bytes += offsets
            bytes += [0, 0, 0, 0, 0, 0, 1, 1]
            bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            bytes += [0, 0, 0, 0, 0, 0, 0, 0]
            bytes += [0, 0, 0, 0, 0, 0, 0, table]
            return bytes
        }
        #expect(read(list([[0xA1, 1], [0x10, 7]])) == [7])
        #expect(read(list([[0xA1, 0]])) == nil)
        #expect(read(list([[0xA2, 1, 1], [0xA2, 0, 0]])) == nil)
        // Each level refers to the next one twice: 2³⁰ values in about 100 bytes.
        let levels = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] as [UInt8] }
        var limits = FlagPropertyListReader.Limits()
        #expect(limits.maximumValues <= 1_000_000)
        limits.maximumValues = 10_000
        #expect(read(list(levels + [[0x09]]), limits: limits) == nil)
        limits.maximumValues = 3
        #expect(read(list([[0xA2, 1, 1], [0x09]]), limits: limits) == [true, true])
        #expect(read(list([[0xA3, 1, 1, 1], [0x09]]), limits: limits) == nil)
        #expect(read(list([[0x80, 1]])) == nil)
    }
}
