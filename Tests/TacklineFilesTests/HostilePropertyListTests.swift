import Foundation
import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@Suite("A hostile property list", .hangLimit)
struct HostilePropertyListTests {
    private func isRefused(_ bytes: [UInt8]) -> Bool { (try? FlagPropertyList.decode(bytes)) == nil }

    private func isRefused(xml: String) -> Bool { isRefused(Array(xml.utf8)) }

    /// A binary list of fewer than 256 bytes. The first object is the top.
    private func list(_ objects: [[UInt8]]) -> [UInt8] {
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

    @Test("that contains itself is refused")
    func cycles() throws {
        #expect((try? FlagPropertyList.decode(list([[0xA1, 1], [0x10, 7]]))) == [7])
        #expect(isRefused(list([[0xA1, 0]])))
        #expect(isRefused(list([[0xA2, 1, 1], [0xA2, 0, 0]])))
        #expect(isRefused(list([[0xC1, 0]])))
        #expect(isRefused(list([[0xD1, 1, 0], [0x51, 0x61]])))
        #expect(isRefused(list([[0xD1, 0, 1], [0x51, 0x61]])))
    }

    @Test(
        "that a decoder never finished is refused",
        .enabled(if: Suites.folder("propertylists") != nil, Suites.skipMessage))
    func publicLists() throws {
        let suite = try #require(Suites.folder("propertylists"))
        for name in ["cycle.plist", "mutated.plist"] {
            #expect(isRefused([UInt8](try Data(contentsOf: suite.appending(path: name)))), "\(name)")
        }
    }

    @Test("whose texts and counts reach beyond their object is refused")
    func lengths() {
        #expect((try? FlagPropertyList.decode(list([[0xA1, 1], [0x61, 0, 0x61]]))) == ["a"])
        let huge: [UInt8] = [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        for kind in [0x40, 0x50, 0x60, 0xA0, 0xC0, 0xD0] as [UInt8] {
            #expect(isRefused(list([[kind | 0xF] + huge])))
            #expect(isRefused(list([[0xA1, 1], [kind | 0xF] + huge])))
            #expect(isRefused(list([[0xA1, 1], [kind | 0xF, 0x1F, 0]])))
            #expect(isRefused(list([[0xA1, 1], [kind | 3, 0, 0]])))
        }
        // Three units of UTF-16 in three bytes.
        #expect(isRefused(list([[0xA1, 1], [0x63, 0, 1, 0]])))
    }

    @Test("that has a value too many times is refused")
    func expansion() {
        #expect((try? FlagPropertyList.decode(list([[0xA2, 1, 1], [0x09]]))) == [true, true])
        // Each level refers to the next one twice: 2³⁰ values in about 100 bytes.
        let levels = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] as [UInt8] }
        #expect(isRefused(list(levels + [[0x09]])))
        // 65,535 references to a text of 64 KiB.
        let count: [UInt8] = [0x11, 0xFF, 0xFF]
        var bytes = Array("bplist00".utf8) + [0xAF] + count + [UInt8](repeating: 1, count: 0xFFFF)
        let text = bytes.count
        bytes += [0x5F] + count + [UInt8](repeating: 0x61, count: 0xFFFF)
        let table = bytes.count
        for offset in [8, text] + [Int](repeating: 8, count: 10) { bytes += bigEndian(offset) }
        bytes += [0, 0, 0, 0, 0, 0, 8, 1] + bigEndian(12) + bigEndian(0) + bigEndian(table)
        #expect(isRefused(bytes))
    }

    private func bigEndian(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    @Test("with a million levels is refused")
    func deepNesting() {
        for opening in ["<array>", "<array x>", "<arrays>", "<dict><key>a</key>", "<string>", "<plist>", "<x>"] {
            #expect(isRefused(xml: "<plist>" + String(repeating: opening, count: 1_000_000)))
        }
        // Without what hides the end tags from Foundation, these are a million levels.
        for hidden in [
            "<!--</array>-->", "<!--<!--></array><!-- -->", "<!--></array>-->", "<![CDATA[</array>]]>", "<?</array>?>",
            "<?></array>", "<?x></array></array>?>", "<string></array></string>",
        ] {
            #expect(isRefused(xml: "<plist>" + String(repeating: "<array>\(hidden)", count: 10_000)), "\(hidden)")
        }
        // Each array holds the next one.
        let levels: UInt32 = 1_000_000
        var bytes = Array("bplist00".utf8)
        for level in 1...levels {
            bytes.append(0xA1)
            withUnsafeBytes(of: level.bigEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(0x09)
        let table = bytes.count
        for level in 0...levels { withUnsafeBytes(of: (8 + 5 * level).bigEndian) { bytes.append(contentsOf: $0) } }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4] + bigEndian(Int(levels) + 1) + bigEndian(0) + bigEndian(table)
        #expect(isRefused(bytes))
    }

    @Test("in a format of OpenStep is refused, also with the end of a binary list")
    func openStep() {
        #expect(isRefused(xml: "{ a = b; }"))
        let binary = list([[0x09]])
        let deep = String(repeating: "(", count: 100_000)
        for start in ["bplist", "bplist1", "bplist2 = \(deep)", "bplist\(deep)"] {
            #expect(isRefused(Array(start.utf8) + binary.dropFirst(7)), "\(start.prefix(20))")
        }
        for count in 0..<41 { #expect(isRefused(Array("bplist00".utf8) + [UInt8](repeating: 0x20, count: count))) }
    }

    @Test("that defines entities, or has another encoding, is refused")
    func entities() {
        #expect(isRefused(xml: "<!DOCTYPE plist [<!ENTITY a \"aa\">]><plist><string>&a;</string></plist>"))
        let list = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>"
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32] {
            #expect(isRefused([UInt8](list.data(using: encoding) ?? Data())), "\(encoding)")
        }
    }
}
