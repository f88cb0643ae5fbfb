#if CommandLine
    /// A share of all users, exact in decimal: 12.5 % is 125 of 1000.
    struct RolloutShare: Hashable, CustomStringConvertible {
        let weight: Int
        let total: Int

        /// Reads a percentage such as `10`, `12.5` or `0.01 %`. Returns `nil` unless it is from 0 to 100 and has at
        /// most five decimal places.
        init?(percentage text: String) {
            var text = text[...]
            if text.hasSuffix("%") { text = text.dropLast() }
            while text.last == " " { text = text.dropLast() }
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let whole = parts.first, !whole.isEmpty, whole.count <= 3 else { return nil }
            var fraction = parts.count > 1 ? parts[1] : ""
            if parts.count > 1, fraction.isEmpty { return nil }
            guard (whole + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }), fraction.count <= 5 else {
                return nil
            }
            while fraction.last == "0" { fraction = fraction.dropLast() }
            let total = fraction.reduce(100) { total, _ in total * 10 }
            guard let weight = Int(whole + fraction), weight <= total else { return nil }
            self.weight = weight
            self.total = total
        }

        /// The percentage without trailing zeros.
        var description: String {
            var text = "\(weight * 100 / total)"
            var rest = weight * 100 % total
            if rest > 0 { text += "." }
            while rest > 0 {
                text += "\(rest * 10 / total)"
                rest = rest * 10 % total
            }
            return text
        }

        /// Returns all weights, with the rest divided among the others in proportion to theirs. The sum is exactly
        /// `total`.
        func weights(atPosition position: Int, others: [Int]) -> [Int] {
            let sum = others.reduce(0, +)
            var result: [Int] = []
            var taken = 0
            var running = 0
            for weight in others {
                running += sum == 0 ? 1 : weight
                // The weights of a file may be large and numerous, so the product needs a wide integer.
                let divisor = max(1, sum == 0 ? others.count : sum)
                let end = Int(Int128(total - self.weight) * Int128(running) / Int128(divisor))
                result.append(end - taken)
                taken = end
            }
            result.insert(self.weight, at: position)
            return result
        }
    }
#endif
