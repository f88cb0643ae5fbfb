/// Everything that was written in one `@FlagCollection(…)`.
package final class FlagCollectionDeclaration: Sendable {
    package let name: String?
    package let keyConfiguration: CollectionKeyConfiguration
    package let metadata: FlagMetadata
    package let site: FlagSite

    package init(
        name: String?,
        keyConfiguration: CollectionKeyConfiguration,
        metadata: FlagMetadata,
        site: FlagSite
    ) {
        self.name = name
        self.keyConfiguration = keyConfiguration
        self.metadata = metadata
        self.site = site
    }
}
