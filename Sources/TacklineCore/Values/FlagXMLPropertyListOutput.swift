#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of an XML property list while it is written.
struct FlagXMLPropertyListOutput: FlagValueVisitor {
    private var text = ""

    mutating func document(_ value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try visit(value)
        text += "</plist>\n"
        return Array(text.utf8)
    }

    mutating func leaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        switch value {
        case .null, .array, .object: line("<string>\(FlagPropertyListMarker.null)</string>", level)
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
        }
    }

    mutating func begin(isObject: Bool, count: Int, level: Int) {
        line(isObject ? "<dict>" : "<array>", level)
    }

    mutating func part(key: String?, isFirst: Bool, level: Int) {
        if let key { line("<key>\(Self.escaped(key))</key>", level) }
    }

    mutating func end(isObject: Bool, count: Int, level: Int) {
        line(isObject ? "</dict>" : "</array>", level)
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
