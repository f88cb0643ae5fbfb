/// The key of an element, of a superclass, or of a path that errors carry.
struct FlagValueCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    static let superclass = FlagValueCodingKey(stringValue: "super")
}
