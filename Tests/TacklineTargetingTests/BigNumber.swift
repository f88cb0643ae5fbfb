/// Whole numbers of any size, slow and simple: decimal digits, the lowest first. Made for checking other arithmetic, so it
/// shares nothing with it.
struct BigNumber: Equatable {
    private var digits: [Int]

    init(_ number: some BinaryInteger) {
        digits = String(number).reversed().compactMap(\.wholeNumberValue)
        trim()
    }

    private init(digits: [Int]) {
        self.digits = digits
        trim()
    }

    private mutating func trim() {
        while digits.last == 0 { digits.removeLast() }
    }

    static func * (left: BigNumber, right: BigNumber) -> BigNumber {
        var product = Array(repeating: 0, count: left.digits.count + right.digits.count + 1)
        for (leftPosition, leftDigit) in left.digits.enumerated() {
            for (rightPosition, rightDigit) in right.digits.enumerated() {
                product[leftPosition + rightPosition] += leftDigit * rightDigit
            }
        }
        return BigNumber(digits: carried(product))
    }

    static func + (left: BigNumber, right: BigNumber) -> BigNumber {
        let count = max(left.digits.count, right.digits.count) + 1
        let sum = (0..<count).map {
            ($0 < left.digits.count ? left.digits[$0] : 0) + ($0 < right.digits.count ? right.digits[$0] : 0)
        }
        return BigNumber(digits: carried(sum))
    }

    private static func carried(_ digits: [Int]) -> [Int] {
        var result: [Int] = []
        var carry = 0
        for digit in digits {
            result.append((digit + carry) % 10)
            carry = (digit + carry) / 10
        }
        while carry > 0 {
            result.append(carry % 10)
            carry /= 10
        }
        return result
    }

    /// Half of the number, rounded down.
    var half: BigNumber {
        var result = digits
        var remainder = 0
        for position in digits.indices.reversed() {
            let current = remainder * 10 + digits[position]
            result[position] = current / 2
            remainder = current % 2
        }
        return BigNumber(digits: result)
    }

    static func < (left: BigNumber, right: BigNumber) -> Bool {
        if left.digits.count != right.digits.count { return left.digits.count < right.digits.count }
        for position in left.digits.indices.reversed() where left.digits[position] != right.digits[position] {
            return left.digits[position] < right.digits[position]
        }
        return false
    }
}
