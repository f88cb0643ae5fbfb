import TacklineCore
import TacklineTargeting
import Testing

@Suite("Deterministic CBOR")
struct DeterministicCBORTests {
    /// RFC 8949, appendix A: what JSON can hold of it, in the order of the RFC.
    static let examples: [(json: String, hex: String)] = [
        ("0", "00"), ("1", "01"), ("10", "0a"), ("23", "17"), ("24", "1818"), ("25", "1819"), ("100", "1864"),
        ("1000", "1903e8"), ("1000000", "1a000f4240"), ("1000000000000", "1b000000e8d4a51000"),
        ("18446744073709551615", "1bffffffffffffffff"),
        ("-1", "20"), ("-10", "29"), ("-100", "3863"), ("-1000", "3903e7"), ("1.1", "fb3ff199999999999a"),
        ("1.5", "f93e00"), ("3.4028234663852886e+38", "fa7f7fffff"), ("1.0e+300", "fb7e37e43c8800759c"),
        ("5.960464477539063e-8", "f90001"), ("0.00006103515625", "f90400"),
        ("-4.1", "fbc010666666666666"), ("false", "f4"), ("true", "f5"), ("null", "f6"), (#""""#, "60"),
        (#""a""#, "6161"), (#""IETF""#, "6449455446"), (#""\"\\""#, "62225c"), (#""\u00fc""#, "62c3bc"),
        (#""\u6c34""#, "63e6b0b4"), (#""\ud800\udd51""#, "64f0908591"), ("[]", "80"), ("[1, 2, 3]", "83010203"),
        ("[1, [2, 3], [4, 5]]", "8301820203820405"),
        (
            "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]",
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
        ),
        ("{}", "a0"), (#"{"a": 1, "b": [2, 3]}"#, "a26161016162820203"), (#"["a", {"b": "c"}]"#, "826161a161626163"),
        (
            #"{"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"}"#,
            "a56161614161626142616361436164614461656145"
        ),
    ]

    /// Whether a value is hashed as the bytes that hexadecimal digits stand for.
    private func isEncoded(_ value: EncodedFlagValue, _ hex: String) -> Bool {
        var (hash, expected) = (MurmurHash3(), MurmurHash3())
        DeterministicCBOR.append(value, to: &hash)
        let digits = Array(hex)
        for index in stride(from: 0, to: digits.count, by: 2) {
            expected.append(UInt8(String(digits[index...index + 1]), radix: 16) ?? 0)
        }
        return hash.finalize() == expected.finalize()
    }

    @Test("is what RFC 8949 gives as examples")
    func appendix() throws {
        for (text, expected) in Self.examples {
            #expect(isEncoded(try json(text), expected), "\(text)")
        }
    }

    @Test("has infinity and NaN in 16 bits, which JSON cannot hold but a rule can make")
    func beyondJSON() {
        #expect(isEncoded(.double(.infinity), "f97c00"))
        #expect(isEncoded(.double(-.infinity), "f9fc00"))
        #expect(isEncoded(.double(.nan), "f97e00"))
    }

    @Test("makes integers of whole numbers in range, and floats of all others")
    func normalized() throws {
        let cases: [(String, String)] = [
            ("1.0", "01"), ("-0.0", "00"), ("0.0", "00"), ("-4.0", "23"), ("1e2", "1864"),
            ("1e19", "1b8ac7230489e80000"),
            ("-9223372036854775808", "3b7fffffffffffffff"), ("-9223372036854775808.0", "3b7fffffffffffffff"),
            ("-9223372036854775809", "fadf000000"), ("18446744073709551616", "fa5f800000"),
            ("1e20", "fb4415af1d78b58c40"),
            ("0.1", "fb3fb999999999999a"), ("33554431.5", "fb417ffffff8000000"),
            (#"{"n": [1.0, 2.5]}"#, "a1616e8201f94100"),
        ]
        for (text, expected) in cases {
            #expect(isEncoded(try json(text), expected), "\(text)")
        }
    }

    @Test("orders keys that are not ASCII by their bytes in UTF-8, and leaves their normalization alone")
    func orderBeyondASCII() throws {
        let cases: [(String, String)] = [
            (#"{"水": 2, "é": 1, "𐅑": 4, "z": 3}"#, "a4617a0362c3a90163e6b0b40264f090859104"),
            // UTF-16 would put the surrogates of the first before U+FFEE.
            (#"{"𐅑": 1, "￮a": 2}"#, "a264efbfae610264f090859101"),
            // "e" and a combining accent are not the letter that looks the same.
            (#"{"e\u0301": 1}"#, "a16365cc8101"), (#"{"\u00e9": 1}"#, "a162c3a901"),
            // A letter of three bytes comes behind two ASCII letters, which are as many characters more.
            (#"{"漢": {"ß": "ü"}, "ab": []}"#, "a26261628063e6bca2a162c39f62c3bc"),
        ]
        for (text, expected) in cases {
            #expect(isEncoded(try json(text), expected), "\(text)")
        }
    }
}
