import TacklineCLibrary

// MARK: Comparing strings by bytes

// `String` compares by canonical equivalence. Two flags of one document may have keys that are canonically equivalent
// but consist of different scalars, such as the two spellings of "é". Canonical comparison also takes quadratic time
// for a run of combining marks. Keys and strings from outside are therefore compared by their UTF-8 bytes, in linear
// time.

extension String {
    /// Returns whether the UTF-8 bytes of both strings are equal.
    package func hasSameBytes(as other: String) -> Bool {
        isBitwiseIdentical(to: other) || utf8.count == other.utf8.count && byteOrder(to: other) == 0
    }

    /// Returns whether both strings have the same representation in memory.
    ///
    /// The test is fast and finds copies and equal short strings. Equal strings with separate storage give `false`.
    private func isBitwiseIdentical(to other: String) -> Bool {
        unsafe withUnsafeBytes(of: self) { left in
            unsafe withUnsafeBytes(of: other) { right in
                unsafe memcmp(left.baseAddress.unsafelyUnwrapped, right.baseAddress.unsafelyUnwrapped, left.count) == 0
            }
        }
    }

    /// Returns whether the text contains the bytes of another text. It doesn't contain an empty one.
    @inline(never) package func contains(bytesOf part: String) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let first = part.utf8.first, let start = bytes.baseAddress,
                unsafe memchr(start, CInt(first), bytes.count) != nil
            else { return false }
            return bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
        }
    }

    /// Whether every character is in ASCII. A string that is knows it, so counting takes no time.
    var isASCII: Bool { utf8.count == utf16.count }

    /// Returns whether the string precedes `other` in the lexicographical order of UTF-8 bytes.
    package func precedesByBytes(_ other: String) -> Bool { byteOrder(to: other) < 0 }

    /// Returns a negative number if the string precedes `other`, zero if the bytes are equal, and a positive number
    /// otherwise.
    private func byteOrder(to other: String) -> Int {
        // `withUTF8` is mutating: it turns a string that Objective-C made into a native one.
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(leftStart, rightStart, min(left.count, right.count))
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
    }

    /// Hashes the number of UTF-8 bytes, then the bytes.
    package func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }
}

extension Dictionary where Key == String {
    /// The value for the key with exactly the UTF-8 bytes of `name`, or `nil` if there is none.
    package subscript(exact name: String) -> Value? {
        guard let index = index(forKey: name) else { return nil }
        let (key, value) = self[index]
        return key.hasSameBytes(as: name) ? value : nil
    }
}

// MARK: Sorting

// The compiler specializes the standard library's sort for each element type, which adds 5 to 15 KB of code per type.
// These methods sort indices instead, so that the program contains the sort only once.

extension Array {
    /// Returns the elements in ascending order of a number. The sort is stable.
    package func inOrder(of number: (Element) -> Int) -> [Element] {
        sortedIndices(byNumbers: map(number), orTexts: []).map { self[$0] }
    }

    /// Returns the elements in ascending order of the UTF-8 bytes of a string. The sort is stable.
    package func inOrder(of text: (Element) -> String) -> [Element] {
        sortedIndices(byNumbers: [], orTexts: map(text)).map { self[$0] }
    }
}

/// Returns the indices that sort `numbers`, or `texts` if `numbers` is empty. One of the two arrays must be empty.
@inline(never)
private func sortedIndices(byNumbers numbers: [Int], orTexts texts: [String]) -> [Int] {
    (0..<numbers.count + texts.count).sorted {
        numbers.isEmpty ? texts[$0].precedesByBytes(texts[$1]) : numbers[$0] < numbers[$1]
    }
}
