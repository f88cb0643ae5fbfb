import Foundation
import TacklineCore
import TacklineTestSupport
import TacklineUserDefaults
import Testing

#if os(Linux)
    @Suite("Processes that write to one suite of user defaults", .hangLimit)
    struct DefaultsProcessTests {
        private static let suite = "tackline-tests-of-two-processes"
        private static let count = 30

        private static func write(_ writer: String) throws {
            let provider = UserDefaultsProvider(suiteName: suite)
            for number in 0..<count {
                try provider.setValue(.integer(Int128(number)), for: FlagKeyPath("\(writer)\(number)"))
            }
        }

        @Test("keep each other's values")
        func twoWriters() async throws {
            defer {
                UserDefaults.standard.removePersistentDomain(forName: Self.suite)
                UserDefaults(suiteName: Self.suite)?.synchronize()
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await #expect(processExitsWith: .success) { try Self.write("a") } }
                group.addTask { await #expect(processExitsWith: .success) { try Self.write("b") } }
            }
            let provider = UserDefaultsProvider(suiteName: Self.suite)
            for writer in ["a", "b"] {
                let kept = (0..<Self.count).filter { number in
                    provider.value(for: FlagKeyPath("\(writer)\(number)")) == .integer(Int128(number))
                }
                #expect(kept.count == Self.count, "of \(writer)")
            }
        }
    }
#endif
