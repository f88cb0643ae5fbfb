#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// `String` compares by canonical equivalence: "é" as one scalar equals "é" as a letter with an accent, though a document
// may name two flags by them; and a run of combining marks takes quadratic time. Keys and texts from outside are compared
// by their bytes, in linear time and as other programs do.

extension String {
    package func hasSameBytes(as other: String) -> Bool {
        hasSameForm(as: other) || utf8.count == other.utf8.count && byteOrder(to: other) == 0
    }

    /// Whether both are the same in memory, as short equal texts are, and copies. A quick test: `false` says nothing.
    private func hasSameForm(as other: String) -> Bool {
        unsafe withUnsafeBytes(of: self) { left in
            unsafe withUnsafeBytes(of: other) { right in
                unsafe memcmp(left.baseAddress.unsafelyUnwrapped, right.baseAddress.unsafelyUnwrapped, left.count) == 0
            }
        }
    }

    package func precedesByBytes(_ other: String) -> Bool { byteOrder(to: other) < 0 }

    /// Compares the bytes in UTF-8, as `memcmp` does: negative if this text comes first, zero if both are the same.
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

    /// Hashes the bytes in UTF-8, and their number as an end mark.
    package func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
    }
}

extension Dictionary where Key == String {
    /// The value under a key of exactly these bytes.
    package subscript(exact name: String) -> Value? {
        guard let index = index(forKey: name) else { return nil }
        let (key, value) = self[index]
        return key.hasSameBytes(as: name) ? value : nil
    }
}
