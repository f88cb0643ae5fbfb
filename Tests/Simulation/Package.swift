// swift-tools-version: 6.2
import PackageDescription

// A million clients of the remote provider. README.md has what it showed.
let package = Package(
    name: "simulation",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tackline", path: "../..")],
    targets: [
        .executableTarget(
            name: "RemoteJSONSimulation",
            dependencies: [
                .product(name: "TacklineCore", package: "tackline"),
                .product(name: "TacklineRemoteJSON", package: "tackline"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
