@main struct RegionDefaults { static func main() {} }
