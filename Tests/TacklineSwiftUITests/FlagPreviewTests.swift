import Synchronization
import TacklineCore
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

@Suite("Flags in a preview")
struct FlagPreviewTests {
    private func loader(_ body: (inout FlagAssignments<ViewFlags>) -> Void) -> FlagsLoader<ViewFlags> {
        FlagAssignments(body).makePreviewLoader()
    }

    @Test("are as they are set by their properties, and otherwise have their defaults")
    func values() {
        let flags = loader {
            $0.set(\.number, to: 7)
            $0.set(\.group.isDeep, to: true)
        }
        #expect(flags.number == 7 && flags.group.isDeep && !flags.isOn)
        #expect(flags.$number.resolution().source == .provider("preview"))
    }

    @Test("can be written, which changes no other preview of the same values")
    func apart() throws {
        let values = FlagAssignments<ViewFlags> { $0.set(\.number, to: 7) }
        let (first, second) = (values.makePreviewLoader(), values.makePreviewLoader())
        try first.$number.setValue(8)
        #expect(first.number == 8 && second.number == 7)
        // Xcode evaluates the traits of all previews of a file, not only of the one that it shows.
        _ = loader { $0.set(\.number, to: 9) }
        #expect(first.number == 8 && second.number == 7)
        #expect(FlagsLoader(ViewFlags.self, providers: []).number == 3)
    }

    @Test("report a key path that leads to no flag when they are used")
    func mistake() {
        let codes = Mutex<[String]>([])
        let reporter = FlagIssueReporter { issue in codes.withLock { $0.append(issue.code.name) } }
        FlagIssueReporter.withReporter(reporter) {
            let values = FlagAssignments<ViewFlags> { $0.set(\.number.magnitude, to: 7) }
            #expect(codes.withLock { $0 } == [])
            #expect(values.makePreviewLoader().number == 3)
        }
        #expect(codes.withLock { $0 } == ["no-flag-at-key-path"])
    }
}
