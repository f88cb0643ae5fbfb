import Foundation

/// A gzip file (RFC 1952) with one block that is not compressed (RFC 1951, section 3.2.4).
func storedGzip(_ data: Data) -> Data {
    func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var crc: UInt32 = .max
    for byte in data {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    let length = UInt32(data.count)
    var file = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1])
    file += littleEndian(length, 2) + littleEndian(~length, 2)
    file += data
    return file + littleEndian(~crc, 4) + littleEndian(length, 4)
}
