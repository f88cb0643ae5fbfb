import TacklineTestSupport
import Testing

@testable import TacklineTerminal

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("The signals of a program with a terminal browser", .serialized, .hangLimit)
struct TerminalSignalsTests {
    /// Returns the address of a signal's handler.
    private func handler(of signal: CInt) -> UInt {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return withUnsafeBytes(of: &action) { bytes in
            #if canImport(Darwin) || arch(x86_64) || arch(arm64)
                bytes.load(as: UInt.self)
            #else
                bytes.reduce(0) { $0 &* 31 &+ UInt($1) }
            #endif
        }
    }

    @Test("are given back as they were, and those of a crash are never taken")
    func givenBack() {
        let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
        let signals = TerminalSignals.told + crashes
        let before = signals.map(handler)
        #expect(TerminalSignals.begin(writingEnd: -1, terminal: -1, attributes: .init()))
        #expect(crashes.map(handler) == Array(before.suffix(crashes.count)))
        #expect(zip(TerminalSignals.told, before).allSatisfy { handler(of: $0) != $1 })
        TerminalSignals.end()
        #expect(signals.map(handler) == before)
    }
}
