/// Objects that are held weakly, in the order in which they were added.
package struct WeakList<Element: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var element: Element?

        /// Returns the object. It is mutating, because copying a weak reference out of the array is slow.
        mutating func load() -> Element? { element }
    }

    /// Objects of a list, which are kept because releasing one may run foreign code. Keep them until no lock is held.
    package typealias Kept = (first: Element?, others: [Element])

    private var references: [Reference] = []

    package init() {}

    package mutating func append(_ element: Element) { references.append(Reference(element: element)) }

    /// Calls a closure with each object that still exists, removes the others, and returns the objects.
    ///
    /// Nearly every list has one object, so the first is returned without an array.
    package mutating func forEach(_ body: (Element) -> Void) -> Kept {
        var kept: Kept = (nil, [])
        for index in references.indices {
            guard let element = references[index].load() else { continue }
            body(element)
            if kept.first == nil { kept.first = element } else { kept.others.append(element) }
        }
        if kept.others.count + (kept.first == nil ? 0 : 1) < references.count {
            references = ([kept.first].compactMap(\.self) + kept.others).map { Reference(element: $0) }
        }
        return kept
    }

    /// Returns the objects that still exist and removes the others.
    ///
    /// Releasing an object may run foreign code. Keep the result until no lock is held.
    package mutating func strong() -> [Element] {
        var elements: [Element] = []
        _ = forEach { elements.append($0) }
        return elements
    }
}
