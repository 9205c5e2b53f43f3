import HearingPluginRuntime

// Hosts call these functions through the tables in Runtime/descriptors.c.

private func instance(_ handle: UnsafeMutableRawPointer) -> UnsafeMutablePointer<PluginInstance> {
  handle.assumingMemoryBound(to: PluginInstance.self)
}

@c(hearing_create)
func hearingCreate(_ sampleRate: Double) -> UnsafeMutableRawPointer? {
  guard let instance = PluginInstance(sampleRate: sampleRate) else { return nil }
  let memory = UnsafeMutablePointer<PluginInstance>.allocate(capacity: 1)
  memory.initialize(to: instance)
  return UnsafeMutableRawPointer(memory)
}

@c(hearing_connect)
func hearingConnect(
  _ handle: UnsafeMutableRawPointer, _ port: UInt32, _ data: UnsafeMutablePointer<Float>?
) {
  instance(handle).pointee.connect(Int(port), to: data)
}

@c(hearing_activate)
func hearingActivate(_ handle: UnsafeMutableRawPointer) { instance(handle).pointee.activate() }

@c(hearing_run)
func hearingRun(_ handle: UnsafeMutableRawPointer, _ frameCount: UInt32) {
  instance(handle).pointee.run(Int(frameCount))
}

@c(hearing_deactivate)
func hearingDeactivate(_ handle: UnsafeMutableRawPointer) { instance(handle).pointee.deactivate() }

@c(hearing_destroy)
func hearingDestroy(_ handle: UnsafeMutableRawPointer) {
  let instance = instance(handle)
  instance.pointee.deactivate()
  instance.deinitialize(count: 1)
  instance.deallocate()
}
