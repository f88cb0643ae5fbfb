/// Brings the names that reflection found and the declarations that were constructed together.
///
/// Both know the address of the slot.
struct FlagMatching {
    /// The properties, outer collections before what is in them.
    var members: [CollectionMembers.Member]
    /// What was constructed for them, in the same order.
    var result: FlagConstruction.Result
    /// What was constructed and reflection did not find.
    var unreachable = FlagConstruction.Result()
    /// The properties that hold something which this construction did not make.
    var foreign: [String] = []

    init(_ found: CollectionMembers, with result: FlagConstruction.Result) {
        members = found.members
        self.result = result
        guard !found.addresses.elementsEqual(result.order.lazy.map { result.address(of: $0) }) else { return }
        // The collection's own init made them in another order, or left some out of its properties.
        sort(found)
    }

    private mutating func sort(_ found: CollectionMembers) {
        let constructed = result
        var waiting: [UInt: FlagConstruction.Place] = [:]
        for place in constructed.order { waiting[constructed.address(of: place)] = place }
        members = []
        result.flags = []
        result.collections = []
        result.order = []
        var newIndexes: [Int: Int] = [-1: -1]
        for (index, member) in found.members.enumerated() {
            guard let parent = newIndexes[member.parent],
                let place = waiting.removeValue(forKey: found.addresses[index])
            else {
                foreign.append(member.label ?? "?")
                continue
            }
            newIndexes[index] = members.count
            members.append(
                CollectionMembers.Member(label: member.label, parent: parent, isCollection: member.isCollection)
            )
            result.append(place, of: constructed)
        }
        for place in constructed.order where waiting[constructed.address(of: place)] != nil {
            unreachable.append(place, of: constructed)
        }
    }
}

extension FlagConstruction.Result {
    fileprivate mutating func append(_ place: FlagConstruction.Place, of other: FlagConstruction.Result) {
        switch place {
        case .flag(let index):
            order.append(.flag(flags.count))
            flags.append(other.flags[index])
        case .collection(let index):
            order.append(.collection(collections.count))
            collections.append(other.collections[index])
        }
    }
}
