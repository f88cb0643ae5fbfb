// The standard library's sort is compiled anew for each type that is sorted, 5 to 15 KB each. So places are sorted, once for all.

extension Array {
    /// The elements in ascending order of a number of each; equal ones as they stand.
    package func inOrder(of number: (Element) -> Int) -> [Element] { placesInOrder(map(number), []).map { self[$0] } }

    /// The elements in ascending order of a text of each; equal ones as they stand.
    package func inOrder(of text: (Element) -> String) -> [Element] { placesInOrder([], map(text)).map { self[$0] } }
}

/// The places in either of two arrays, the other of which is empty, in the order of what is there.
@inline(never)
private func placesInOrder(_ numbers: [Int], _ texts: [String]) -> [Int] {
    (0..<numbers.count + texts.count).sorted { numbers.isEmpty ? texts[$0] < texts[$1] : numbers[$0] < numbers[$1] }
}
