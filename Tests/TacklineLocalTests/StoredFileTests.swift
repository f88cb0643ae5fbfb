import Foundation
import TacklineFiles
import TacklineTestSupport
import Testing

@Suite("A stored file", .hangLimit)
struct StoredFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("is locked while it is rewritten, and nobody can open the new version who may not read the old one")
    func locking() throws {
        _ = try folder.file("a", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("a").path)
        let file = StoredFile(folder.file("a").path, maximumBytes: 5000, timeLimit: .zero)
        try file.rewrite { [folder] bytes in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(".a.writing").path)
            #expect(attributes[.posixPermissions] as? Int == 0o600 && bytes == Array("old".utf8))
            #expect(throws: FileFailure.busy(.zero)) { try file.rewrite { _ in [] } }
            return nil
        }
        #expect(throws: FileFailure.tooLarge(limit: 5000)) {
            try file.rewrite { _ in Array(repeating: 0, count: 5001) }
        }
        #expect(try folder.names() == ["a"] && folder.text("a") == "old")
    }

    @Test("isn't written where its path leads nowhere")
    func paths() throws {
        _ = try folder.file("b", "old")
        try FileManager.default.createDirectory(at: folder.file("c"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: folder.file("d"), withDestinationURL: folder.file("d"))
        for path in ["b/a", "c", "d"] {
            #expect(throws: FileFailure.self, "\(path)") {
                try StoredFile(folder.file(path).path, maximumBytes: 10).rewrite { _ in [1] }
            }
            #expect(try folder.names().sorted() == ["b", "c", "d"] && folder.text("b") == "old")
        }
    }

    @Test("has a limit that messages give in units")
    func sizes() {
        #expect(
            [0, 1, 1023, 1536, 1 << 20, 1_258_292, .max].map(\.byteText) == [
                "0 bytes", "1 byte", "1023 bytes", "1.5 KiB", "1 MiB", "1.2 MiB", "8796093022207.9 MiB",
            ])
    }
}
