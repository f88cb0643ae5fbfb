#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of an XML property list while it is written.
struct FlagXMLPropertyListOutput {
    private var text = ""

    mutating func document(_ value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try append(value, level: 0)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    private mutating func append(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        switch value {
        case .null: line("<string>\(FlagPropertyListMarker.null)</string>", level)
        case .bool(let value): line(value ? "<true/>" : "<false/>", level)
        case .integer(let value):
            if Int64(exactly: value) != nil || UInt64(exactly: value) != nil {
                line("<integer>\(value)</integer>", level)
            } else {
                line("<string>\(FlagPropertyListMarker.integer(value))</string>", level)
            }
        case .double(let value): line("<real>\(Self.text(of: value))</real>", level)
        case .string(let value), .unparsed(let value): line("<string>\(Self.escaped(value))</string>", level)
        case .data(let value): line("<data>\(value.base64EncodedString())</data>", level)
        case .date(let value):
            let interval = value.timeIntervalSinceReferenceDate
            if interval == interval.rounded() {
                line("<date>\(try FlagTimestamp.text(of: value))</date>", level)
            } else {
                line("<string>\(try FlagPropertyListMarker.date(value))</string>", level)
            }
        case .array(let elements): try append(elements, level: level)
        case .object(let members): try append(members, level: level)
        }
    }

    private mutating func append(_ elements: [EncodedFlagValue], level: Int) throws(FlagValueError) {
        try FlagJSONOutput.checkDepth(level)
        line("<array>", level)
        for (index, element) in elements.enumerated() {
            do {
                try append(element, level: level + 1)
            } catch {
                throw error.nested(in: String(index))
            }
        }
        line("</array>", level)
    }

    private mutating func append(_ members: [String: EncodedFlagValue], level: Int) throws(FlagValueError) {
        try FlagJSONOutput.checkDepth(level)
        line("<dict>", level)
        for (key, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            line("<key>\(Self.escaped(key))</key>", level + 1)
            do {
                try append(value, level: level + 1)
            } catch {
                throw error.nested(in: key)
            }
        }
        line("</dict>", level)
    }

    private mutating func line(_ content: String, _ level: Int) {
        for _ in 0..<level { text += "\t" }
        text += content
        text += "\n"
    }

    private static func text(of value: Double) -> String {
        if value.isNaN { return "nan" }
        return value.isInfinite ? (value < 0 ? "-infinity" : "+infinity") : value.description
    }

    private static func escaped(_ string: String) -> String {
        let isXML = string.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case 0..<0x20, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
        guard isXML else { return FlagPropertyListMarker.text(string) }
        var result = ""
        for scalar in FlagPropertyListMarker.escaped(string).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
