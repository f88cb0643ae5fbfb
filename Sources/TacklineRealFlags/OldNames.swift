public import TacklineCore
public import TacklineLocal

import TacklineFoundation

// Foundation: `URL` names files.

// RealFlags' names for types and members that have other names here, so that the compiler names and applies the change.

/// The protocol of flags' types.
@available(*, deprecated, renamed: "FlagValue")
public typealias FlagProtocol = FlagValue

/// The protocol of providers.
@available(*, deprecated, renamed: "FlagProvider")
public typealias FlagsProvider = FlagProvider

/// A flag of any type.
@available(*, deprecated, renamed: "AnyFlagHandle")
public typealias AnyFlag = AnyFlagHandle

/// A collection of any type.
@available(*, deprecated, renamed: "FlagGroup")
public typealias AnyFlagCollection = FlagGroup

extension FlagKeyPath {
    /// The names joined by the separator.
    @available(*, deprecated, renamed: "text")
    public var fullPath: String { text }

    /// The names, from the root down.
    @available(*, deprecated, renamed: "components")
    public var pathComponents: [String] { components }

    /// The text between two names.
    @available(*, deprecated, renamed: "separator")
    public var pathSeparator: String { separator }

    /// The default separator.
    @available(*, deprecated, renamed: "defaultSeparator")
    public static var DefaultPathSeparator: String { defaultSeparator }

    /// The number of names.
    @available(*, deprecated, renamed: "components.count")
    public var count: Int { components.count }

    /// The first name.
    @available(*, deprecated, renamed: "components.first")
    public var first: String? { components.first }

    /// The last name.
    @available(*, deprecated, renamed: "components.last")
    public var last: String? { components.last }

    /// Whether there are no names.
    @available(*, deprecated, renamed: "components.isEmpty")
    public var isEmpty: Bool { components.isEmpty }
}

extension KeyConfiguration {
    /// The first component of every key path.
    @available(*, deprecated, renamed: "prefix")
    public var globalPrefix: String? { prefix }
}

extension FlagsLoader {
    /// Makes a loader with the parameters in RealFlags' order.
    @available(*, deprecated, renamed: "init(_:description:keyConfiguration:providers:)")
    public convenience init(
        _ type: Collection.Type, description: FlagMetadata = FlagMetadata(), providers: [any FlagProvider],
        keyConfiguration: KeyConfiguration
    ) {
        self.init(type, description: description, keyConfiguration: keyConfiguration, providers: providers)
    }
}

extension FlagsManager {
    /// Makes a manager with the parameters in RealFlags' order.
    @available(*, deprecated, renamed: "init(keyConfiguration:providers:)")
    public convenience init(providers: [any FlagProvider], keyConfiguration: KeyConfiguration) {
        self.init(keyConfiguration: keyConfiguration, providers: providers)
    }

    /// Returns the loader of a collection.
    @available(*, deprecated, renamed: "loader(for:)")
    public func loader<Collection: FlagCollectionProtocol>(
        forType type: Collection.Type
    ) -> FlagsLoader<Collection>? {
        loader(for: type)
    }

    /// Removes a collection.
    @available(*, deprecated, renamed: "removeCollection(_:)")
    public func removeCollection<Collection: FlagCollectionProtocol>(forType type: Collection.Type) {
        removeCollection(type)
    }
}

extension LocalProvider {
    /// Unavailable. Its message helps those who write `LocalProvider(values: […])`.
    @available(*, unavailable, message: "MemoryProvider(name:values:) keeps values in memory")
    public convenience init(name: String? = nil, values: [String: EncodedFlagValue] = [:]) {
        self.init(file: URL(filePath: "/"))
    }

    /// Waits until everything is on the disk.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file could not be written.
    @available(*, deprecated, renamed: "flush()")
    public func saveToDisk() throws(FlagError) { try flush() }
}
