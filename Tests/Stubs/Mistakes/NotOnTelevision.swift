// error: is unavailable in tvOS
// systems: tvos
import SwiftUI

struct Screen: View {
    var body: some View { Text(verbatim: "Pin").swipeActions { Text(verbatim: "Pin") } }
}
