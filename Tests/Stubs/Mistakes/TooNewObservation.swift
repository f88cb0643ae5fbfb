// error: is only available in macOS 26.0 or newer
import Observation

#if canImport(ObjectiveC)
    func follow(_ value: @escaping @Sendable () -> Bool) async {
        for await isOn in Observations(value) { print(isOn) }
    }
#endif
