import TacklineCore

extension RuleEvaluator {
    /// Converts a value as JavaScript's `Number(value)` does.
    mutating func number(_ value: EncodedFlagValue) throws(RuleFailure) -> Double {
        switch value {
        case .null: return 0
        case .bool(let flag): return flag ? 1 : 0
        case .integer(let number): return Self.double(number)
        case .double(let number): return number
        case .object: return .nan
        case .array, .string, .unparsed, .data, .date:
            let text = try text(value)
            try charge(text.utf8.count / 16)
            return ScriptNumber.parse(text)
        }
    }

    /// Returns a whole number as a double. The conversion from 128 bits takes longer than the rest of a comparison.
    @inline(__always)
    static func double(_ number: Int128) -> Double {
        let narrow = Int64(truncatingIfNeeded: number)
        return Int128(narrow) == number ? Double(narrow) : Double(number)
    }

    /// Returns the number of bytes in the text of a value; 0 for a value that is no text.
    static func byteCount(_ value: EncodedFlagValue) -> Int {
        switch value {
        case .string(let text), .unparsed(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .date: 32
        default: 0
        }
    }

    /// Returns a value with bytes and points in time as the texts that they are to a rule. They are converted once,
    /// since that costs their length.
    @inline(__always)
    mutating func plain(_ value: EncodedFlagValue) throws(RuleFailure) -> EncodedFlagValue {
        switch value {
        case .data, .date:
            try charge(Self.byteCount(value) / 16)
            return value.scriptString.map { .string($0) } ?? value
        default: return value
        }
    }

    /// Returns the number of a value that is one, and NaN otherwise.
    @inline(__always)
    static func plainNumber(_ value: EncodedFlagValue) -> Double {
        switch value {
        case .integer(let number): double(number)
        case .double(let number): number
        default: .nan
        }
    }

    /// Converts a value as JavaScript's `String(value)` does, except that the text may not exceed the limit.
    mutating func text(_ value: EncodedFlagValue) throws(RuleFailure) -> String {
        switch value {
        case .string(let text), .unparsed(let text): return text
        case .null: return "null"
        default:
            var text = ""
            try append(value, to: &text, depth: 0)
            return text
        }
    }

    /// Appends a value as `join` does: like its text, but null is empty.
    mutating func append(_ value: EncodedFlagValue, to text: inout String, depth: Int) throws(RuleFailure) {
        switch value {
        case .null: break
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += ScriptNumber.text(of: number)
        case .double(let number):
            // The search for its shortest digits takes as long as some twenty steps.
            try charge(20)
            text += ScriptNumber.text(number)
        case .array(let elements): try append(elements, to: &text, depth: depth)
        case .object: text += "[object Object]"
        case .string(let piece), .unparsed(let piece): try append(piece, to: &text)
        case .data, .date:
            try charge(Self.byteCount(value) / 16)
            try append(value.scriptString ?? "", to: &text)
        }
        if text.utf8.count > program.settings.limits.maximumTextLength { throw .textTooLong }
    }

    private mutating func append(_ piece: String, to text: inout String) throws(RuleFailure) {
        try charge(piece.utf8.count / 16)
        if text.utf8.count + piece.utf8.count > program.settings.limits.maximumTextLength { throw .textTooLong }
        text += piece
    }

    private mutating func append(
        _ elements: [EncodedFlagValue], to text: inout String, depth: Int
    ) throws(RuleFailure) {
        guard depth < TargetingLimits.depthCeiling else { throw .valueTooDeep }
        for (position, element) in elements.enumerated() {
            try charge(1)
            if position > 0 { text += "," }
            try append(element, to: &text, depth: depth + 1)
        }
    }

    /// Returns the value itself, or the text of a list or an object.
    mutating func primitive(_ value: EncodedFlagValue) throws(RuleFailure) -> EncodedFlagValue {
        switch value {
        case .array, .object: .string(try text(value))
        default: value
        }
    }

    /// Throws if a value is nested too deeply to be traversed or released safely. Each visited element costs a step,
    /// and so do 16 bytes of text.
    mutating func checkDepth(of value: EncodedFlagValue, depth: Int = 0) throws(RuleFailure) {
        switch value {
        case .array(let elements):
            guard depth < TargetingLimits.depthCeiling else { throw .valueTooDeep }
            try charge(elements.count)
            for element in elements { try checkDepth(of: element, depth: depth + 1) }
        case .object(let members):
            guard depth < TargetingLimits.depthCeiling else { throw .valueTooDeep }
            try charge(members.count)
            for (name, member) in members {
                try charge(name.utf8.count / 16)
                try checkDepth(of: member, depth: depth + 1)
            }
        default: try charge(Self.byteCount(value) / 16)
        }
    }
}
