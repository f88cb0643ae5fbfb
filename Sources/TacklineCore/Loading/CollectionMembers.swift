import Synchronization

/// What reflection finds in a collection: its flags and nested collections with their names, outermost first.
///
/// `Mirror` costs about a microsecond for each flag, so the places of the flags in the memory of the collection are
/// remembered for each type, and later loaders of the same type read the addresses from there. A type whose flags do
/// not lie in its own memory (a class) is reflected each time.
struct CollectionMembers {
    /// A flag or a nested collection.
    struct Member: Sendable {
        /// The property's name; `nil` where names are stripped.
        let label: String?
        /// The index of the nested collection that it is in; -1 for the root.
        let parent: Int
        let isCollection: Bool
    }

    let members: [Member]
    /// The address that identifies each member's record.
    let addresses: [UInt]

    private struct Layout: Sendable {
        let members: [Member]
        let offsets: [Int]
    }

    private static let layouts = Mutex<[ObjectIdentifier: Layout]>([:])

    /// Finds the members of a collection that was just constructed.
    init<Collection: FlagCollectionProtocol>(of collection: Collection) {
        let type = ObjectIdentifier(Collection.self)
        if let layout = CollectionMembers.layouts.withLock({ $0[type] }) {
            members = layout.members
            addresses = withUnsafeBytes(of: collection) { bytes in
                layout.offsets.map { unsafe bytes.loadUnaligned(fromByteOffset: $0, as: UInt.self) }
            }
            return
        }
        var found = Found()
        found.add(collection, parent: -1)
        members = found.members
        addresses = found.addresses
        guard let offsets = CollectionMembers.offsets(of: addresses, in: collection) else { return }
        let layout = Layout(members: members, offsets: offsets)
        CollectionMembers.layouts.withLock { $0[type] = layout }
    }

    /// Finds where in the memory of a collection the addresses stand, or `nil` if one is elsewhere or there twice.
    private static func offsets<Collection>(of addresses: [UInt], in collection: Collection) -> [Int]? {
        let wanted = Set(addresses)
        guard wanted.count == addresses.count else { return nil }
        var places: [UInt: Int] = [:]
        let isUnique = withUnsafeBytes(of: collection) { bytes in
            var offset = 0
            while offset + MemoryLayout<UInt>.size <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)
                if wanted.contains(word), places.updateValue(offset, forKey: word) != nil { return false }
                offset += MemoryLayout<UInt>.alignment
            }
            return true
        }
        let offsets = addresses.compactMap { places[$0] }
        return isUnique && offsets.count == addresses.count ? offsets : nil
    }

    /// Collects members with `Mirror`.
    private struct Found {
        var members: [Member] = []
        var addresses: [UInt] = []

        /// Recursion ends where the declared types end: a struct cannot contain itself.
        mutating func add(_ collection: any FlagCollectionProtocol, parent: Int) {
            if let list = collection as? any ListedFlagCollection {
                for flag in list.listedFlags {
                    members.append(Member(label: flag.name, parent: parent, isCollection: false))
                    addresses.append(flag.slotAddress)
                }
                return
            }
            var mirror: Mirror? = Mirror(reflecting: collection)
            while let current = mirror {
                for child in current.children {
                    if let nested = child.value as? any ReflectedFlagCollection {
                        let index = members.count
                        append(child.label, nested.slotAddress, parent: parent, isCollection: true)
                        add(nested.group, parent: index)
                    } else if let flag = child.value as? any ReflectedFlag {
                        append(child.label, flag.slotAddress, parent: parent, isCollection: false)
                    }
                }
                mirror = current.superclassMirror
            }
        }

        private mutating func append(_ label: String?, _ address: UInt, parent: Int, isCollection: Bool) {
            // The storage of a wrapped property is named after it, with an underscore in front.
            let name = label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
            members.append(Member(label: name, parent: parent, isCollection: isCollection))
            addresses.append(address)
        }
    }
}
