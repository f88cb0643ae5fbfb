// error: cannot convert value 'isBrowsing' of type 'Bool' to expected type 'Binding<Bool>'
import SwiftUI
import TacklineBrowser
import TacklineSwiftUI

struct Screen: View {
    let browser: FlagsBrowser
    @State private var isBrowsing = false

    var body: some View {
        Text("Flags").flagsBrowser(browser, isPresented: isBrowsing)
    }
}
