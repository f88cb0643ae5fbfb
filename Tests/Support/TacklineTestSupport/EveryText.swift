/// Returns what `print`, `debugPrint`, `dump` and mirrors show of a value.
public func everyText(of value: Any) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    // `dump` goes through the mirror of each member.
    dump(value, to: &text)
    return text
}
