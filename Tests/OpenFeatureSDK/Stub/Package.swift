// swift-tools-version: 5.5
import PackageDescription

// A stub of open-feature/swift-sdk 0.6.0, which needs Combine and so an Apple system. CI puts it in the place of that
// package with a mirror; see .ci/steps/openfeature.
let package = Package(
    name: "OpenFeature",
    platforms: [.iOS(.v15), .macOS(.v12), .watchOS(.v8), .tvOS(.v15)],
    products: [.library(name: "OpenFeature", targets: ["OpenFeature"])],
    targets: [
        // The parts of Combine that are in the SDK's signatures, working, where there is no Combine.
        .target(name: "Combine"),
        .target(name: "OpenFeature", dependencies: ["Combine"]),
    ]
)
