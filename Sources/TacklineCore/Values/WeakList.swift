/// Objects that are held weakly, in the order in which they were added.
package struct WeakList<Element: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable { weak var element: Element? }

    private var references: [Reference] = []

    package init() {}

    package mutating func append(_ element: Element) { references.append(Reference(element: element)) }

    /// Returns the objects that still exist and removes the others.
    ///
    /// Releasing an object may run foreign code. Keep the result until no lock is held.
    package mutating func strong() -> StrongList<Element> {
        var elements = StrongList<Element>()
        // By index, because copying a weak reference is slow.
        for index in references.indices {
            if let element = references[index].element { elements.append(element) }
        }
        if elements.count < references.count {
            references = []
            elements.forEach { references.append(Reference(element: $0)) }
        }
        return elements
    }
}

/// Objects of a weak list that are kept until no lock is held. A single object, which is the usual case, needs no array.
package struct StrongList<Element: AnyObject & Sendable>: Sendable {
    private var first: Element?
    private var others: [Element] = []

    package init() {}

    package var count: Int { first == nil ? 0 : 1 + others.count }

    package mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    package func forEach(_ body: (Element) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }
}
