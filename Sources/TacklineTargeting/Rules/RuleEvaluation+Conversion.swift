import TacklineCore

extension EncodedFlagValue {
    /// Returns a number as JavaScript would hold it: whole if a double holds the whole number exactly.
    static func scriptNumber(_ number: Double) -> EncodedFlagValue {
        // Minus zero stays a double, since it has no whole form.
        if number == 0 && number.sign == .minus || abs(number) > ScriptNumber.exactLimit { return .double(number) }
        return Int64(exactly: number).map { .integer(Int128($0)) } ?? .double(number)
    }

    /// Whether JsonLogic treats the value as true: not 0, NaN, an empty text, an empty list, null or false.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .integer(let number): number != 0
        case .double(let number): number != 0 && !number.isNaN
        case .string(let text), .unparsed(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        default: true
        }
    }

    /// The text of a value that is a text. Bytes and points in time are texts to a rule, as they are in JSON.
    @inline(__always)
    var scriptString: String? {
        switch self {
        case .string(let text), .unparsed(let text): text
        // Without its quotation marks. Neither base64 nor the form of RFC 3339 contains anything to escape.
        case .data, .date:
            (try? FlagJSONWriter(layout: .compact).text(of: self)).map { String($0.dropFirst().dropLast()) }
        default: nil
        }
    }

    /// The number of bytes in the text of a value; 0 for a value that is no text.
    var byteCount: Int { if case .string(let text) = self { text.utf8.count } else { scriptString?.utf8.count ?? 0 } }

    /// The number of a value that is one, and NaN otherwise.
    @inline(__always)
    var scriptNumber: Double {
        switch self {
        case .integer(let number):
            // The conversion from 128 bits takes longer than the rest of a comparison.
            Int64(exactly: number).map { Double($0) } ?? Double(number)
        case .double(let number): number
        default: .nan
        }
    }
}

extension String {
    /// Calls `body` with the text's UTF-8 bytes, without copying them if the text already stores UTF-8.
    @inline(__always)
    func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // A text bridged from Objective-C may be stored as UTF-16.
        var contiguous = self
        return contiguous.withUTF8(body)
    }

    /// Returns whether the bytes of another text stand at an offset.
    func hasBytes(of other: String, at offset: Int) -> Bool {
        withUTF8Bytes { bytes in
            other.withUTF8Bytes { others in
                // By index, because iterators are slow.
                offset >= 0 && offset + others.count <= bytes.count
                    && others.indices.allSatisfy { bytes[offset + $0] == others[$0] }
            }
        }
    }

    /// Returns whether both texts have the same bytes.
    func hasBytes(of other: String) -> Bool { utf8.count == other.utf8.count && hasBytes(of: other, at: 0) }
}

extension RuleEvaluation {
    /// Converts a value as JavaScript's `Number(value)` does.
    mutating func number(_ value: EncodedFlagValue) throws -> Double {
        switch value {
        case .null: return 0
        case .bool(let flag): return flag ? 1 : 0
        case .array, .string, .unparsed, .data, .date:
            let text = try text(value)
            try charge(2 + text.utf8.count / 8)
            return ScriptNumber.parse(text)
        default: return value.scriptNumber
        }
    }

    /// Converts a value to a whole number as JavaScript does: towards zero, and 0 for NaN.
    mutating func whole(_ value: EncodedFlagValue) throws -> Double {
        let number = try number(value)
        return number.isNaN ? 0 : number.rounded(.towardZero)
    }

    /// Converts a value as JavaScript's `String(value)` does, except that the text may not exceed the limit.
    mutating func text(_ value: EncodedFlagValue) throws -> String {
        switch value {
        case .string(let text), .unparsed(let text): return text
        case .null: return "null"
        default:
            var text = ""
            try append(value, to: &text)
            return text
        }
    }

    /// Appends a value as `join` does: like its text, but null is empty.
    mutating func append(_ value: EncodedFlagValue, to text: inout String, depth: Int = 0) throws {
        let piece: String
        switch value {
        case .null: piece = ""
        case .bool(let flag): piece = flag ? "true" : "false"
        case .array(let elements):
            guard depth < RuleLimits.depth else { throw RuleFailure.valueTooDeep }
            for (position, element) in elements.enumerated() {
                try charge(1)
                if position > 0 { text += "," }
                try append(element, to: &text, depth: depth + 1)
            }
            piece = ""
        case .object: piece = "[object Object]"
        default:
            // The search for the shortest digits of a fraction takes as long as some twenty steps.
            if case .double = value { try charge(20) }
            piece = value.scriptString ?? ScriptNumber.text(value.scriptNumber)
        }
        try charge(piece.utf8.count / 16)
        guard text.utf8.count + piece.utf8.count <= RuleLimits.textLength else { throw RuleFailure.textTooLong }
        text += piece
    }

    /// Returns the value itself, or the text of a list or an object.
    mutating func primitive(_ value: EncodedFlagValue) throws -> EncodedFlagValue {
        switch value {
        case .array, .object: .string(try text(value))
        default: value
        }
    }

    // MARK: Comparison

    /// Compares values as JavaScript's `===` does. Lists and objects equal nothing: they would have to be the same
    /// object.
    static func areIdentical(_ left: EncodedFlagValue, _ right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        default:
            if let left = left.scriptString, let right = right.scriptString { return left.hasBytes(of: right) }
            // NaN, which stands for a value that is no number, equals nothing.
            return left.scriptNumber == right.scriptNumber
        }
    }

    /// Compares values as JavaScript's `==` does.
    mutating func areEqual(_ left: EncodedFlagValue, _ right: EncodedFlagValue) throws -> Bool {
        if case (.string(let left), .string(let right)) = (left, right) { return left.hasBytes(of: right) }
        if left == .null || right == .null || left.isContainer && right.isContainer {
            return Self.areIdentical(left, right)
        }
        let (left, right) = (try primitive(left), try primitive(right))
        if let left = left.scriptString, let right = right.scriptString { return left.hasBytes(of: right) }
        return try number(left) == number(right)
    }

    /// Compares values as JavaScript's `<` does: texts by code units, all else as numbers.
    mutating func isLess(_ left: EncodedFlagValue, _ right: EncodedFlagValue, orEqual: Bool) throws -> Bool {
        let (left, right) = (try primitive(left), try primitive(right))
        if let left = left.scriptString, let right = right.scriptString {
            return orEqual
                ? !right.utf16.lexicographicallyPrecedes(left.utf16) : left.utf16.lexicographicallyPrecedes(right.utf16)
        }
        let (leftNumber, rightNumber) = (try number(left), try number(right))
        return orEqual ? leftNumber <= rightNumber : leftNumber < rightNumber
    }

    /// Throws if a value is nested too deeply to be traversed or released safely. Each visited element costs a step,
    /// and so do 16 bytes of text.
    mutating func checkDepth(of value: EncodedFlagValue, depth: Int = 0) throws {
        guard depth <= RuleLimits.depth else { throw RuleFailure.valueTooDeep }
        switch value {
        case .array(let elements):
            try charge(elements.count)
            for element in elements { try checkDepth(of: element, depth: depth + 1) }
        case .object(let members):
            try charge(members.count)
            for (name, member) in members {
                try charge(name.utf8.count / 16)
                try checkDepth(of: member, depth: depth + 1)
            }
        default: try charge(value.byteCount / 16)
        }
    }
}
