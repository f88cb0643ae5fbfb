/// Where in the source a flag or a collection is declared.
///
/// Together with the type of the flag it identifies the declaration within one process.
package struct FlagSite: Sendable, Hashable {
    package let fileID: StaticString
    package let line: UInt
    package let column: UInt
    /// What people know the place by, where it is not a line of a file.
    package let label: String?

    package init(fileID: StaticString, line: UInt, column: UInt, label: String? = nil) {
        self.fileID = fileID
        self.line = line
        self.column = column
        self.label = label
    }

    /// The address of a literal identifies it; one literal at two addresses only makes two sites of one.
    private var address: UInt {
        fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : UInt(fileID.unicodeScalar.value)
    }

    package static func == (left: FlagSite, right: FlagSite) -> Bool {
        left.line == right.line && left.column == right.column && left.address == right.address
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(line)
        hasher.combine(column)
    }
}

extension FlagSite: CustomStringConvertible {
    package var description: String { label ?? "\(fileID):\(line)" }
}
