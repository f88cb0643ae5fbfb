import TacklineTestSupport
import Testing

@Suite("The guides of testing and of Apple's systems")
struct GuideSampleTests {
    @Test("show only code that is compiled")
    func testing() throws {
        let folder = "Tests/TacklineTestingTests/Samples"
        let samples = try GuideSamples(
            guide: "TestingWithFlags.md",
            compiledIn: ["\(folder)/TestingWithFlagsSamples.swift", "\(folder)/CheckoutTestCase.swift"])
        #expect(samples.pieces.count >= 7)
        #expect(samples.piecesThatAreNotCompiled == [])
    }

    /// `Tests/Stubs/check` compiles the file.
    @Test("show only views that are type-checked")
    func views() throws {
        let samples = try GuideSamples(
            guide: "SwiftUI.md", compiledIn: ["Tests/Stubs/Samples/CheckoutScreen.swift"])
        #expect(samples.pieces.count >= 6)
        #expect(samples.piecesThatAreNotCompiled == [])
    }

    /// `Tests/Stubs/check` compiles the file, but not for the systems without widgets.
    @Test("show only widgets that are type-checked")
    func widgets() throws {
        let samples = try GuideSamples(
            guide: "WidgetsAndExtensions.md", compiledIn: ["Tests/Stubs/Samples/OrdersWidget.swift"])
        #expect(samples.pieces.count >= 4)
        #expect(samples.piecesThatAreNotCompiled == [])
    }

    /// `Tests/Stubs/check` compiles the file.
    @Test("show only a console on a phone that is type-checked")
    func console() throws {
        let samples = try GuideSamples(
            guide: "WebConsole.md", from: "### On a phone", compiledIn: ["Tests/Stubs/Samples/ConsoleScene.swift"])
        #expect(samples.pieces.count >= 1)
        #expect(samples.pieces.first.map { !samples.piecesThatAreNotCompiled.contains($0) } == true)
    }

    @Test("would be found to differ from what is compiled, by a line, an order or a part of a line")
    func planted() {
        let source = "    let a = 1\n    let b = 2\n\n    let c = 3\n"
        func missing(_ code: String) -> Int {
            GuideSamples(guide: "Text\n\n```swift\n\(code)\n```\n", sources: [source]).piecesThatAreNotCompiled.count
        }
        #expect(missing("let a = 1\nlet b = 2") == 0)
        #expect(missing("  let b = 2\n\nlet c = 3") == 0)
        #expect(missing("let a = 1\nlet c = 3") == 1)
        #expect(missing("let b = 2\nlet a = 1") == 1)
        #expect(missing("a = 1") == 1)
        #expect(missing("let b = 2\nlet c = 3") == 1)
    }
}
