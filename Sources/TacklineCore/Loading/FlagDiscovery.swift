import Synchronization

/// Finds the flags and nested collections of a collection that was just constructed, with the names of their properties.
///
/// Each of them begins with the address of its slot, and the slot knows its number among those that the construction took;
/// so finding the property is finding the declaration. `Mirror` costs some microseconds for each flag, so the places of the
/// slots in the memory of the collection are remembered for each type, and later loaders of the type read them from there.
/// A type whose flags do not lie in its own memory (a class) is reflected each time.
struct FlagDiscovery {
    struct Member: Sendable {
        /// The property's name; `nil` where names are stripped.
        let label: String?
        /// The number of the nested collection that it is in, among the members; -1 for the root.
        let parent: Int
    }

    /// The properties that were found, outer collections before what is in them.
    private(set) var members: [Member] = []
    /// What was constructed for each of them.
    private(set) var records: [FlagConstruction.Record] = []
    /// What was constructed and is no property.
    private(set) var unreachable: [FlagConstruction.Record] = []
    /// The properties that hold something which this construction did not make.
    private(set) var foreign: [String] = []

    /// What is the same for all values of a type.
    fileprivate struct Layout: Sendable {
        /// The parents are numbers among these members; -1 for the collection itself.
        let members: [Member]
        /// Where in the memory of the collection the address of each member's slot stands.
        let offsets: [Int]
    }

    private static let layouts = Mutex<[ObjectIdentifier: Layout]>([:])

    /// - Parameters:
    ///   - constructed: The records of the construction.
    ///   - hasListedFlags: Whether a ``ListedFlagCollection`` was among it.
    init(of collection: any FlagCollectionProtocol, constructed: [FlagConstruction.Record], hasListedFlags: Bool) {
        let known = FlagDiscovery.layouts.withLock { $0 }
        var reflection = Reflection(constructed: constructed, hasListedFlags: hasListedFlags, layouts: known)
        reflection.add(collection, parent: -1)
        match(reflection.members, reflection.slots, with: constructed)
        guard reflection.layouts.count > known.count else { return }
        FlagDiscovery.layouts.withLock { [new = reflection.layouts] in $0.merge(new) { old, _ in old } }
    }

    /// Matches the properties with what was constructed.
    ///
    /// The numbers of the members differ from those that were found where a property is foreign.
    private mutating func match(
        _ found: [Member], _ slots: [Unmanaged<FlagSlot>], with constructed: [FlagConstruction.Record]
    ) {
        members.reserveCapacity(found.count)
        records.reserveCapacity(found.count)
        var isTaken = [Bool](repeating: false, count: constructed.count)
        var newNumbers = [Int?](repeating: nil, count: found.count)
        for (number, member) in found.enumerated() {
            let parent = member.parent < 0 ? -1 : newNumbers[member.parent]
            guard let parent, let place = constructed.place(of: slots[number]), !isTaken[place] else {
                foreign.append(member.label ?? "?")
                continue
            }
            isTaken[place] = true
            newNumbers[number] = members.count
            members.append(parent == member.parent ? member : Member(label: member.label, parent: parent))
            records.append(constructed[place])
        }
        guard records.count < constructed.count else { return }
        unreachable = constructed.indices.filter { !isTaken[$0] }.map { constructed[$0] }
    }
}

/// Collects the properties of a collection with `Mirror`.
private struct Reflection {
    var members: [FlagDiscovery.Member] = []
    /// The slot of each member.
    var slots: [Unmanaged<FlagSlot>] = []
    /// The layouts of the types that were met.
    private(set) var layouts: [ObjectIdentifier: FlagDiscovery.Layout]
    private let constructed: [FlagConstruction.Record]
    private let hasListedFlags: Bool
    /// The types of properties that begin with the address of a slot, and those that do not. A dynamic cast to a protocol
    /// costs more than a flag does, so only types are cast that were not constructed, and each once.
    private var isReflected: [ObjectIdentifier: Bool] = [:]

    init(
        constructed: [FlagConstruction.Record], hasListedFlags: Bool,
        layouts: [ObjectIdentifier: FlagDiscovery.Layout]
    ) {
        self.layouts = layouts
        self.constructed = constructed
        self.hasListedFlags = hasListedFlags
        for record in constructed { isReflected[record.declaration.propertyType] = true }
    }

    /// Recursion ends where the declared types end: a struct cannot contain itself.
    mutating func add(_ collection: any FlagCollectionProtocol, parent: Int) {
        if hasListedFlags, let list = collection as? any ListedFlagCollection {
            for flag in list.listedFlags {
                members.append(FlagDiscovery.Member(label: flag.name, parent: parent))
                slots.append(flag.slot)
            }
            return
        }
        let type = ObjectIdentifier(type(of: collection))
        if let layout = layouts[type] { return add(layout, of: collection, parent: parent) }
        let start = members.count
        var mirror: Mirror? = Mirror(reflecting: collection)
        while let current = mirror {
            for child in current.children { add(child, parent: parent) }
            mirror = current.superclassMirror
        }
        guard let offsets = Reflection.offsets(of: slots[start...], in: collection) else { return }
        let own = members[start...].map { member in
            FlagDiscovery.Member(label: member.label, parent: max(-1, member.parent - start))
        }
        layouts[type] = FlagDiscovery.Layout(members: own, offsets: offsets)
    }

    /// Adds the members of a collection whose type was met before.
    private mutating func add<Collection>(_ layout: FlagDiscovery.Layout, of collection: Collection, parent: Int) {
        let start = members.count
        withUnsafeBytes(of: collection) { bytes in
            for (member, offset) in zip(layout.members, layout.offsets) {
                // Slots are never freed, and a flag or a nested collection always begins with the address of one.
                slots.append(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Unmanaged<FlagSlot>.self))
                members.append(
                    FlagDiscovery.Member(
                        label: member.label, parent: member.parent < 0 ? parent : start + member.parent))
            }
        }
    }

    private mutating func add(_ child: Mirror.Child, parent: Int) {
        let type = ObjectIdentifier(type(of: child.value))
        let isMember = isReflected[type] ?? (child.value is any ReflectedFlag)
        isReflected[type] = isMember
        guard isMember, let slot = slot(in: child.value) else { return }
        // The storage of a wrapped property is named after it, with an underscore in front.
        let label = child.label.map { $0.utf8.first == UInt8(ascii: "_") ? String($0.dropFirst()) : $0 }
        let number = members.count
        members.append(FlagDiscovery.Member(label: label, parent: parent))
        slots.append(slot)
        guard let place = constructed.place(of: slot), case .collection(let nested) = constructed[place].declaration,
            let group = nested.group(child.value)
        else { return }
        add(group, parent: number)
    }

    /// Finds where in the memory of a collection the addresses of slots stand, or `nil` if one is elsewhere or there twice.
    private static func offsets<Collection>(
        of slots: some Swift.Collection<Unmanaged<FlagSlot>>, in collection: Collection
    ) -> [Int]? {
        var numbers: [UInt: Int] = [:]
        for (number, slot) in slots.enumerated() { numbers[UInt(bitPattern: unsafe slot.toOpaque())] = number }
        guard numbers.count == slots.count else { return nil }
        var offsets = [Int?](repeating: nil, count: slots.count)
        var missing = slots.count
        let isUnique = withUnsafeBytes(of: collection) { bytes in
            for offset in stride(
                from: 0, through: bytes.count - MemoryLayout<UInt>.size, by: MemoryLayout<UInt>.alignment)
            {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)
                guard let number = numbers[word] else { continue }
                guard offsets[number] == nil else { return false }
                offsets[number] = offset
                missing -= 1
            }
            return true
        }
        return isUnique && missing == 0 ? offsets.compactMap { $0 } : nil
    }

    private func slot(in value: Any) -> Unmanaged<FlagSlot>? {
        func slot<Value>(of value: Value) -> Unmanaged<FlagSlot>? {
            withUnsafeBytes(of: value) { bytes in
                let address = unsafe UnsafeRawPointer(bitPattern: bytes.loadUnaligned(as: UInt.self))
                return address.map { unsafe Unmanaged.fromOpaque($0) }
            }
        }
        return _openExistential(value, do: slot)
    }
}

extension [FlagConstruction.Record] {
    /// The place of the record of a slot; `nil` if the slot was taken by another construction, or by none.
    fileprivate func place(of slot: Unmanaged<FlagSlot>) -> Int? {
        slot._withUnsafeGuaranteedRef { slot in
            let place = slot.number.load(ordering: .relaxed)
            return indices.contains(place) && self[place].slot === slot ? place : nil
        }
    }
}
