// swift-tools-version: 6.2
import PackageDescription

// An app whose default isolation is `MainActor`, compiled in both language modes. See Sources/Mode6/App.swift.
let package = Package(
    name: "default-isolation",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tackline", path: "../..")],
    targets: ["Mode5", "Mode6"].map { name in
        .executableTarget(
            name: name,
            dependencies: ["Tackline", "TacklineBrowser", "TacklineTargeting"].map {
                .product(name: $0, package: "tackline")
            },
            swiftSettings: [
                .swiftLanguageMode(name == "Mode5" ? .v5 : .v6),
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .treatAllWarnings(as: .error),
            ])
    }
)
