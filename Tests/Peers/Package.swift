// swift-tools-version: 6.2
import PackageDescription

// A package of its own, which nothing builds unless asked: it fetches other people's packages.
let package = Package(
    name: "peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tackline", path: "../.."),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "Peers",
            dependencies: [
                .product(name: "Tackline", package: "tackline"),
                .product(name: "Configuration", package: "swift-configuration"),
            ])
    ]
)
