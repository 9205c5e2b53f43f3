import BenchmarkSupport

/// Runs the plugin. In every block, a random control changes.
enum PluginRuns {
  private static let portCount = 30

  /// - Returns: The number of rendered frames.
  static func run(path: String, seed: UInt64) throws -> Int {
    guard let plugin = LADSPAPlugin(path: path), let instance = plugin.instance(sampleRate: 48_000)
    else { throw CheckFailure("\(path): no plugin") }
    var random = RandomNumbers(seed: seed)
    let ports = UnsafeMutablePointer<Float>.allocate(capacity: portCount * 1_024)
    ports.initialize(repeating: 0, count: portCount * 1_024)
    for port in 0..<portCount { plugin.connect(instance, port, ports + port * 1_024) }
    plugin.activate(instance)
    // The first block is not checked, because it computes the preset.
    plugin.run(instance, 64)
    var frames = 0
    for _ in 0..<2_000 {
      let count = random.element([1, 64, 128, 1_024])
      for channel in 0..<2 {
        (ports + channel * 1_024).update(from: random.samples(count), count: count)
      }
      let control = random.count(4...25)
      ports[control * 1_024] = random.element([
        .nan, .infinity, 0, 1, Float(random.number(in: -10...120)),
      ])
      realtime { plugin.run(instance, UInt(count)) }
      frames += count
    }
    plugin.end(instance)
    ports.deallocate()
    return frames
  }
}
