// swift-tools-version: 6.2
import PackageDescription

// The fuzzers. README.md says how to build and run them.
let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tackline", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: ["TacklineCore", "TacklineRemoteJSON", "TacklineSigning"].map {
                .product(name: $0, package: "tackline")
            },
            swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
    ]
)
