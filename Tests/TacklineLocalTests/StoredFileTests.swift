import Foundation
import Synchronization
import TacklineFiles
import TacklineTestSupport
import Testing

@Suite("A stored file", .hangLimit)
struct StoredFileTests {
    private let folder: TemporaryFolder
    private let old = Array("old".utf8)
    private let new = Array(repeating: UInt8(ascii: "n"), count: 1000)

    init() throws { folder = try TemporaryFolder() }

    /// Returns a file whose system stops to write after some bytes. A call writes at most 100.
    private func file(failingWith number: CInt, after limit: Int, times: Int = .max) -> StoredFile {
        var file = StoredFile(folder.file("a").path, maximumBytes: 5000, timeLimit: .zero)
        let count = Mutex(0)
        file.writing = { descriptor, bytes, offset in
            let fails = count.withLock { count in
                guard offset >= limit, count < times else { return false }
                count += 1
                return true
            }
            guard !fails else {
                errno = number
                return number == 0 ? 0 : -1
            }
            return OpenFile.systemWriting(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(100)), offset)
        }
        return file
    }

    @Test("is as it was after a write that fails, and nothing is left beside it")
    func faults() throws {
        _ = try folder.file("a", "old")
        for number in [ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ESTALE, 0] {
            for limit in [0, 500] {
                let error = #expect(throws: FileFailure.self) {
                    try file(failingWith: number, after: limit).replace(with: new)
                }
                guard case .system(let cause)? = error else { continue }
                // A write of nothing is an error of the disk.
                #expect(cause.call == "write" && cause.number == (number == 0 ? EIO : number))
                #expect(try folder.bytes("a") == old && folder.names() == ["a"], "\(number) after \(limit)")
            }
        }
        #expect(throws: FileFailure.tooLarge(limit: 5000)) {
            try file(failingWith: 0, after: .max).replace(with: Array(repeating: 0, count: 5001))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("a").path)
        try file(failingWith: 0, after: .max).rewrite { [folder, old] bytes in
            // Who may not read the file can't open the new version before it is complete.
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(".a.writing").path)
            #expect(attributes[.posixPermissions] as? Int == 0o600 && bytes == old)
            #expect(throws: FileFailure.busy(.zero)) { try file(failingWith: 0, after: .max).replace(with: new) }
            return nil
        }
        #expect(try folder.names() == ["a"])
    }

    @Test("is complete after calls that were interrupted, or that took a part")
    func interruptions() throws {
        try file(failingWith: EINTR, after: 0, times: 20).replace(with: new)
        #expect(try folder.bytes("a") == new && folder.names() == ["a"])
    }

    @Test("isn't written where its path leads nowhere")
    func paths() throws {
        _ = try folder.file("b", "old")
        try FileManager.default.createDirectory(at: folder.file("c"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: folder.file("d"), withDestinationURL: folder.file("d"))
        for path in ["b/a", "c", "d"] {
            #expect(throws: FileFailure.self, "\(path)") {
                try StoredFile(folder.file(path).path, maximumBytes: 10).replace(with: old)
            }
            #expect(try folder.names().sorted() == ["b", "c", "d"] && folder.bytes("b") == old)
        }
    }

    @Test("is created once, however many try")
    func creation() async throws {
        let file = StoredFile(folder.file("x/y").path, maximumBytes: 10, permissions: 0o600)
        let winners = await withTaskGroup(of: UInt8?.self) { group in
            for number in UInt8(0)..<20 {
                group.addTask { (try? file.create(with: [number])) == true ? number : nil }
            }
            return await group.reduce(into: [UInt8]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(winners.count == 1)
        #expect(try file.bytes() == winners)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("x").path) == ["y"])
    }
}
