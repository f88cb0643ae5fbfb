// swift-tools-version: 6.2
import PackageDescription

// The fuzzers. README.md says how to build and run them.
let fuzzers = [
    ("FuzzJSON", "TacklineCore"), ("FuzzEventStream", "TacklineRemoteJSON"), ("FuzzEnvelope", "TacklineSigning"),
    ("FuzzCache", "TacklineRemoteJSON"), ("FuzzHeaders", "TacklineRemoteJSON"),
]
let fuzzer: [SwiftSetting] = [.swiftLanguageMode(.v6), .unsafeFlags(["-sanitize=fuzzer"])]

let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tackline", path: "../..")],
    targets: [.target(name: "FuzzDriver", path: "FuzzDriver", swiftSettings: fuzzer)]
        + fuzzers.map { name, module in
            .executableTarget(
                name: name,
                dependencies: [
                    "FuzzDriver", .product(name: module, package: "tackline"),
                ],
                path: name, swiftSettings: fuzzer + [.unsafeFlags(["-parse-as-library"])],
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
        }
)
