// error: cannot convert value of type 'FlagsLoader<Flags>' to expected argument type 'FlagsBrowser'
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct Flags: FlagCollectionProtocol {
    @Flag(default: false) var isOn: Bool
}

struct Screen: View {
    let loader: FlagsLoader<Flags>

    var body: some View {
        FlagsBrowserView(loader)
    }
}
