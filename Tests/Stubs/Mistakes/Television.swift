// systems: tvos
import Darwin
import SwiftUI

struct Screen: View {
    // mistake: is unavailable in tvOS
    var body: some View { Text(verbatim: "Pin").swipeActions { Text(verbatim: "Pin") } }
}

// mistake: 'execv' is unavailable
func replace(_ path: String) -> CInt { execv(path, nil) }
