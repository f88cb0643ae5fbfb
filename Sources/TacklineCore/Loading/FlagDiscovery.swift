import Synchronization

/// Finds the flags and nested collections of a collection that was just constructed, with the names of their properties.
///
/// Each of them begins with the address of its slot, and the slot knows its number among those that the construction took;
/// so finding the property is finding the declaration. Names and places of properties are read from the metadata of the
/// type, as `Mirror` does, which costs some microseconds for each; so they are remembered for each type.
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

    /// The properties of a type that begin with the address of a slot.
    fileprivate struct Layout: Sendable {
        /// Where each stands in the memory of a value; of a class, in that of its object.
        var properties: [(label: String?, offset: Int)] = []
    }

    private static let layouts = Mutex([ObjectIdentifier: Layout]())

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

/// Collects the properties of a collection.
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
    }

    /// Notes the types of the properties that were constructed, each once, since it takes long to tell the type of a flag.
    private mutating func noteConstructedTypes() {
        var isNoted: [ObjectIdentifier: Bool] = [:]
        for record in constructed {
            switch record.declaration {
            case .flag(let flag):
                guard isNoted.updateValue(true, forKey: ObjectIdentifier(flag.valueType)) == nil else { continue }
                isReflected[flag.propertyType] = true
            case .collection(let collection):
                isReflected[collection.propertyType] = true
            }
        }
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
        let layout = layout(of: type(of: collection))
        if type(of: collection) is AnyClass {
            unsafe add(layout, at: Unmanaged.passUnretained(collection as AnyObject).toOpaque(), parent: parent)
        } else {
            add(layout, of: collection, parent: parent)
        }
        withExtendedLifetime(collection) {}
    }

    private mutating func add<Value>(_ layout: FlagDiscovery.Layout, of value: Value, parent: Int) {
        withUnsafeBytes(of: value) { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe add(layout, at: start, parent: parent)
        }
    }

    private mutating func add(_ layout: FlagDiscovery.Layout, at start: UnsafeRawPointer, parent: Int) {
        for (label, offset) in layout.properties {
            let property = unsafe start + offset
            // Slots are never freed, and a flag or a nested collection always begins with the address of one.
            let slot = unsafe property.loadUnaligned(as: Unmanaged<FlagSlot>.self)
            members.append(FlagDiscovery.Member(label: label, parent: parent))
            slots.append(slot)
            guard let place = constructed.place(of: slot), case .collection(let nested) = constructed[place].declaration
            else { continue }
            unsafe add(nested.group(property), parent: members.count - 1)
        }
    }

    private mutating func layout(of type: any FlagCollectionProtocol.Type) -> FlagDiscovery.Layout {
        if let known = layouts[ObjectIdentifier(type)] { return known }
        if isReflected.isEmpty { noteConstructedTypes() }
        var layout = FlagDiscovery.Layout()
        // The properties of a class come after those that it inherits, and are given before them.
        var (end, inherited): (Int, AnyClass?) = (propertyCount(type), type as? AnyClass)
        repeat {
            inherited = inherited.flatMap { _getSuperclass($0) }
            let start = inherited.map { propertyCount($0) } ?? 0
            for index in start..<end { add(index, of: type, to: &layout) }
            end = start
        } while inherited != nil
        layouts[ObjectIdentifier(type)] = layout
        return layout
    }

    private mutating func add(_ index: Int, of type: Any.Type, to layout: inout FlagDiscovery.Layout) {
        var metadata = PropertyMetadata()
        let property = unsafe propertyMetadata(type, index, &metadata)
        defer { unsafe metadata.freeName?(metadata.name) }
        let id = ObjectIdentifier(property)
        let isMember = isReflected[id] ?? (property is any ReflectedFlag.Type)
        isReflected[id] = isMember
        guard isMember else { return }
        // The storage of a wrapped property is named after it, with an underscore in front.
        let label = unsafe metadata.name.map { unsafe String(cString: $0.pointee == 0x5F ? $0 + 1 : $0) } ?? ""
        layout.properties.append((label.isEmpty ? nil : label, propertyOffset(type, index)))
    }
}

/// What `Mirror` and `_forEachField` of the standard library call, and its `_FieldReflectionMetadata`. What a class inherits
/// comes first.
private struct PropertyMetadata {
    var name: UnsafePointer<CChar>?
    var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var (isStrong, isVariable) = (false, false)
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func propertyCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func propertyMetadata(
    _ type: Any.Type, _ index: Int, _ metadata: UnsafeMutablePointer<PropertyMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func propertyOffset(_ type: Any.Type, _ index: Int) -> Int

extension [FlagConstruction.Record] {
    /// The place of the record of a slot; `nil` if the slot was taken by another construction, or by none.
    fileprivate func place(of slot: Unmanaged<FlagSlot>) -> Int? {
        let place = slot._withUnsafeGuaranteedRef { $0.number.load(ordering: .relaxed) }
        return unsafe indices.contains(place) && self[place].slot.toOpaque() == slot.toOpaque() ? place : nil
    }
}
