import Foundation
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@Suite("A property list")
struct FlagPropertyListTests {
    private static let formats: [FlagPropertyList.Format] = [.xml, .binary]

    private func roundTrip(_ value: EncodedFlagValue, _ format: FlagPropertyList.Format) throws -> EncodedFlagValue? {
        let bytes = try FlagPropertyList.encode(["value": value], as: format)
        #expect(FlagPropertyList.format(of: bytes) == format)
        guard case .object(let members) = try FlagPropertyList.decode(bytes) else { return nil }
        return members["value"]
    }

    private func refusal(_ value: EncodedFlagValue, _ format: FlagPropertyList.Format) -> String {
        do { return "written: \(try FlagPropertyList.encode(value, as: format))" } catch { return error.description }
    }

    @Test("that is written is read by Foundation, and one of Foundation is read")
    func foundation() throws {
        let sample: EncodedFlagValue = [
            "bool": true, "int": 1, "min": .integer(Int128(Int64.min)), "max": .integer(Int128(UInt64.max)),
            "string": "a <&> é😀\r\n", "data": .data(Data([1, 2, 3])), "empty": .data(Data()),
            "date": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)), "list": [1, "two", [3.5]], "group": [:],
            "many": .array((0..<300).map { .integer($0) }), "long": .string(String(repeating: "x", count: 1000)),
            "shared": .array(Array(repeating: .string(String(repeating: "y", count: 100)), count: 1000)),
        ]
        for format in Self.formats {
            let data = Data(try FlagPropertyList.encode(sample, as: format))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            #expect((list as? [String: Any])?["min"] as? Int64 == .min)
            let again = try PropertyListSerialization.data(
                fromPropertyList: list, format: format == .xml ? .xml : .binary, options: 0)
            #expect(try FlagPropertyList.decode([UInt8](again)) == sample)
        }
        let text = String(decoding: try FlagPropertyList.encode(["b": true, "a": [:]], as: .xml), as: UTF8.self)
        #expect(text.hasSuffix("\n\t<key>a</key>\n\t<dict/>\n\t<key>b</key>\n\t<true/>\n</dict>\n</plist>\n"))
    }

    @Test("gives back numbers that JSON lacks, and some values in another form")
    func roundTrips() throws {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.249)
        for format in Self.formats {
            for number in [Double.nan, .infinity, -.infinity, 1e22] {
                #expect(try roundTrip(.double(number), format) == .double(number))
            }
            #expect(try roundTrip(1.0, format) == 1)
            #expect(try roundTrip(.unparsed("5"), format) == "5")
            let expected: EncodedFlagValue = format == .xml ? "2023-03-08T20:26:40.249Z" : .date(date)
            #expect(try roundTrip(.date(date), format) == expected)
        }
    }

    @Test("refuses what it cannot hold, and names the place and the next step")
    func refusals() {
        let start = "expected a value that a property list can hold, found"
        let cases: [(EncodedFlagValue, String)] = [
            (
                ["secrets": ["boom": .null]],
                "null at \"secrets/boom\": it has no null; reset the flag instead, or keep its values in a JSON file"
            ),
            (
                ["a": [1, .integer(1 << 64)]],
                "the integer 18446744073709551616 at \"a/1\": its integers have 64 bits; use a smaller one, or a string"
            ),
            (["a": "$null"], "the string \"$null\" at \"a\": \"$null\" stands for nil there; use another text"),
        ]
        for format in Self.formats {
            for (value, message) in cases { #expect(refusal(value, format) == "\(start) \(message)") }
            for date in [Date.distantPast, Date(timeIntervalSinceReferenceDate: 1e15)] {
                #expect(refusal(["a": .date(date)], format).hasSuffix("the date is outside the years 1 to 9999"))
            }
        }
    }

    @Test("has at most 64 levels, which are written and read on a stack of 512 KiB")
    func depth() async {
        let isHandled = await onThread(stackSize: 512 << 10) { () -> Bool in
            for wrap: (EncodedFlagValue) -> EncodedFlagValue in [{ [$0] }, { ["a": $0] }] {
                let deepest = (0..<EncodedFlagValue.maximumDepth).reduce(1) { value, _ in wrap(value) }
                for format in Self.formats {
                    guard let bytes = try? FlagPropertyList.encode(deepest, as: format),
                        (try? FlagPropertyList.decode(bytes)) == deepest,
                        (try? FlagPropertyList.decode(bytes, maximumDepth: 63)) == nil,
                        (try? FlagPropertyList.encode(wrap(deepest), as: format)) == nil
                    else { return false }
                }
            }
            return true
        }
        #expect(isHandled)
        // What is read can be written again. An empty container has a level, too.
        for (levels, isRead) in [(63, true), (64, false)] {
            let tags = ["<array>", "</array>"].map { String(repeating: $0, count: levels) }
            for empty in ["<array/>", "<dict></dict>"] {
                let list = Array("<plist>\(tags[0])\(empty)\(tags[1])</plist>".utf8)
                let value = try? FlagPropertyList.decode(list)
                for format in Self.formats { #expect(refusal(value ?? .null, format).hasPrefix("written") == isRead) }
            }
        }
    }

    private func read(xml: String) -> String {
        let text = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(xml)</plist>"
        do { return "\(try FlagPropertyList.decode(Array(text.utf8)))" } catch { return error.description }
    }

    @Test("in XML may have comments, references and CDATA sections")
    func xmlSyntax() {
        let cases: [(String, EncodedFlagValue)] = [
            ("<!-- </dict> --><dict ><key>a</key><array/><key>b</key><dict></dict></dict>", ["a": [], "b": [:]]),
            ("<string>a&#x1F600;&#233;&lt;<![CDATA[<array>]]>b</string>", "a😀é<<array>b"),
            ("<array><true/><false></false><string/><integer>+5</integer></array>", [true, false, "", 5]),
            ("<data>\n\tAQ\n\tI=\n</data>", .data(Data([1, 2]))), ("<real>-infinity</real>", .double(-.infinity)),
        ]
        for (xml, value) in cases { #expect(read(xml: xml) == "\(value)", "\(xml)") }
        let doctype = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/a.dtd\">"
        #expect((try? FlagPropertyList.decode(Array("\u{FEFF}\(doctype)<plist><true/></plist>".utf8))) == true)
    }

    @Test("in XML is refused if an element is wrong, or its text is not of it, and is not taken for another value")
    func invalid() {
        for (name, text) in [
            ("date", "2026-00-01T00:00:00Z"), ("date", "2026-02-30T00:00:00Z"), ("date", "today"), ("real", "1e400"),
            ("real", "1x"), ("data", "AQI"), ("data", "%%"),
        ] {
            #expect(
                read(xml: "<dict>\n<key>a</key><\(name)>\(text)</\(name)></dict>")
                    == "\"\(text)\" is not the text of a <\(name)>, or out of range; correct it")
        }
        for text in ["1.5", "18446744073709551616", "x"] {
            #expect(
                read(xml: "<dict><key>a</key><array><integer>\(text)</integer></array></dict>")
                    == #"the value at "a/0" is out of range, or of a type that a flag cannot have; correct it"#)
        }
        for (xml, mistake) in [
            ("<dict><true/></dict>", "Non key string used as key in dictionary"),
            ("<dict><key>a</key></dict>", "Value missing for key inside <dict>"),
            ("<array></dict>", "Close tag does not match open tag array"),
            ("<true/><true/>", "Encountered unexpected element (plist can only include one object)"),
            ("", "Encountered empty <plist>"), ("<set/>", "Encountered unknown tag set/"),
            ("<string>&nbsp;</string>", "Encountered unknown ampersand-escape sequence"),
        ] {
            #expect(read(xml: xml) == mistake)
        }
        for text in ["", "{ a = b; }", "<true/>", "junk"] {
            let message = "there is no <plist>; this is not a property list, so name another file"
            #expect { try FlagPropertyList.decode(Array(text.utf8)) } throws: { "\($0)" == message }
        }
    }
}
