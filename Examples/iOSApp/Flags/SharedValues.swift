import Foundation
import Tackline

/// The flags of the widget, and the file by which the app gives it their values.
nonisolated struct SharedValues {
    let file: LocalProvider
    let flags: FlagsLoader<WidgetFlags>

    init(folder: URL) {
        file = LocalProvider(file: folder.appending(path: "flags.json"))
        flags = FlagsLoader(WidgetFlags.self, providers: [file])
    }

    /// Returns the values in the container of the App Group, or `nil` without the entitlement for it.
    static func inGroup() -> SharedValues? {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.shop")
            .map { SharedValues(folder: $0) }
    }

    /// Writes the values of a provider, and removes the values that it doesn't have any more.
    func publish(_ provider: any FlagProvider) throws {
        var values: [FlagKeyPath: EncodedFlagValue?] = [:]
        for flag in flags.root.allFlags { values.updateValue(provider.value(for: flag.keyPath), forKey: flag.keyPath) }
        try file.setValues(values)
    }
}
