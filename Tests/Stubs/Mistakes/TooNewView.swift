// error: is only available in
// systems: macos ios
import SwiftUI

struct Screen: View {
    var body: some View { Text(verbatim: "New").glassEffect() }
}
