import Synchronization

/// The providers of a loader in the order in which they are asked, each with the id that tells it from the others.
package struct FlagChain: Sendable {
    /// A provider in its place.
    package struct Link: Sendable {
        package let id: String
        package let provider: any FlagProvider
        package let type: ObjectIdentifier
        /// `nil` if the provider cannot tell changes. Kept here, since providers hold observers weakly.
        package let observer: FlagProviderObserver?
        /// Whether its values come from elsewhere.
        package let isLive: Bool
        /// Whether it is marked as an override.
        package let isOverride: Bool
        /// Tells the link from all others that the process ever made. Its notices carry it.
        package let number: UInt64

        package init(
            id: String, provider: any FlagProvider, type: ObjectIdentifier, observer: FlagProviderObserver?,
            isLive: Bool, isOverride: Bool, number: UInt64
        ) {
            self.id = id
            self.provider = provider
            self.type = type
            self.observer = observer
            self.isLive = isLive
            self.isOverride = isOverride
            self.number = number
        }

        /// What the provider says now.
        ///
        /// Those who tell changes keep values; those who do not may run anything, and read flags themselves.
        package func answer(for key: FlagKeyPath) -> EncodedFlagValue? {
            guard observer == nil else { return provider.value(for: key) }
            return ProviderQuestion.ask(self, for: key) { $0.value(for: key) }
        }

        private static let lastNumber = Atomic<UInt64>(0)

        /// Returns a number that no link has yet.
        package static func newNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }
    }

    package let links: [Link]
    /// In local mode, live links are not asked.
    package let mode: FlagMode

    package init(links: [Link], mode: FlagMode = .live) {
        self.links = links
        self.mode = mode
    }

    /// Whether the mode lets a link be asked.
    package func isAsked(_ link: Link) -> Bool { mode == .live || !link.isLive }

    /// Whether a link is asked for a flag, which may exclude types of providers.
    package func isAsked(_ link: Link, by declaration: some FlagDeclarationProtocol) -> Bool {
        isAsked(link) && !declaration.excludedProviderTypes.contains(link.type)
    }

    /// The first link whose provider is of a type, or has an id, or is an instance.
    package func link(_ selector: FlagProviderSelector) -> Link? {
        links.first { selector.matches($0) }
    }

    /// Gives each provider an id: its name, with a number behind it if a provider before it has taken the name.
    package static func ids(for providers: [any FlagProvider]) -> [String] {
        var taken: Set<String> = []
        return providers.map { provider in
            let name = provider.name
            var id = name
            var number = 2
            while !taken.insert(id).inserted {
                id = "\(name) \(number)"
                number += 1
            }
            return id
        }
    }
}

/// Names one provider of a chain.
package enum FlagProviderSelector: Sendable {
    case type(any FlagProvider.Type)
    case instance(any FlagProvider)
    case id(String)

    package func matches(_ link: FlagChain.Link) -> Bool {
        switch self {
        case .type(let type): link.type == ObjectIdentifier(type)
        case .instance(let provider): FlagProviderSelector.isSame(provider, link.provider)
        case .id(let id): link.id == id
        }
    }

    /// For messages.
    package var name: String {
        switch self {
        case .type(let type): String(describing: type)
        case .instance(let provider): provider.name
        case .id(let id): id
        }
    }

    /// Whether two providers are one: the same object, or equal values where they can be compared, or else values of
    /// one type with one name.
    package static func isSame(_ left: any FlagProvider, _ right: any FlagProvider) -> Bool {
        guard Swift.type(of: left) == Swift.type(of: right) else { return false }
        if Swift.type(of: left) is AnyClass {
            return ObjectIdentifier(left as AnyObject) == ObjectIdentifier(right as AnyObject)
        }
        if let left = left as? any Hashable, let right = right as? any Hashable {
            return AnyHashable(left) == AnyHashable(right)
        }
        return left.name == right.name
    }
}
