import TacklineCore
import TacklineFiles
import TacklineTestSupport
import Testing

@testable import TacklineLocal

@Suite("The durability of a local file", .hangLimit)
struct LocalProviderDurabilityTests {
    @Test("is full unless chosen, sends the content before the name, and empties the drive's cache at most once")
    func flushes() {
        #expect(LocalProvider.Options().durability == .full)
        #expect(LocalProvider.Durability.full.ofFiles.flushes == (file: .barrier, folder: .disk))
        #expect(LocalProvider.Durability.barrier.ofFiles.flushes == (file: .barrier, folder: nil))
    }

    @Test("never leaves a value out for the next provider")
    func persists() throws {
        for durability in [LocalProvider.Durability.full, .barrier] {
            try persists(durability: durability)
        }
    }

    private func persists(durability: LocalProvider.Durability) throws {
        let folder = try TemporaryFolder()
        let options = LocalProvider.Options(durability: durability)
        for number in 0..<20 {
            try LocalProvider(localURL: folder.file("a.json"), options: options).setValue(
                .integer(Int128(number)), for: "x")
            #expect(LocalProvider(localURL: folder.file("a.json")).value(at: "x") == .integer(Int128(number)))
        }
        #expect(try folder.names() == ["a.json"])
    }
}
