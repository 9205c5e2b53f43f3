#!/bin/sh
# The object code of the render path calls nothing outside this module: no allocation, no lock, no reference counting,
# no C library. Run from the package's folder.
set -eu

swift build -c release --target HearingDSP > /dev/null
objects=$(swift build -c release --show-bin-path)/HearingDSP.build

outside() {
  nm --undefined-only "$objects/$1.swift.o" | awk '{ print $NF }' | grep -v '10HearingDSP' || true
}

status=0
for name in Rendering ChannelPass SampleGuard Transition SettledCascade MovingCascade LaneSkew; do
  calls=$(outside "$name")
  if [ -n "$calls" ]; then
    echo "$name calls outside the module:" >&2
    echo "$calls" >&2
    status=1
  fi
done

# Calls out of the module by functions whose mangled names contain $2. Moving memory is allowed.
calls_from() {
  objdump -dr "$objects/$1.swift.o" | awk -v wanted="$2" '
    /^[0-9a-f]+ </ { name = $2 }
    /R_X86_64_PLT32|R_AARCH64_CALL26|R_AARCH64_JUMP26/ && name ~ wanted {
      sub(/[-+]0x[0-9a-f]+$/, "", $NF); print $NF
    }' | grep -vE '10HearingDSP|^\.text|^mem(cpy|set|move)$' | sort -u || true
}

# Voice: what makes tables shares a type with what renders, so functions are looked at one by one.
render='(7process|4hear|6decide|5reset|5clear|6finish|7advance|7analyze|5score|6output|11persistence|4take)'
for name in VoiceActivityDetector VoiceAnalysis VoiceFeatures VoiceSpectrum PitchSearch FineStructure BandFloors \
  VoiceNetwork NarrowbandResampler VoiceState; do
  calls=$(calls_from "$name" "$render")
  if [ -n "$calls" ]; then
    echo "$name calls outside the module:" >&2
    echo "$calls" >&2
    status=1
  fi
done

# The control side does allocate and count references: if that does not show, the check above sees nothing.
if ! calls_from VoiceActivityDetector . | grep -q swift_slowAlloc; then
  echo "no allocation found where a detector is built: the check does not work" >&2
  status=1
fi
for call in swift_retain swift_slowAlloc; do
  if ! outside BandGainProcessor | grep -q "$call"; then
    echo "no $call found where there must be one: the check does not work" >&2
    status=1
  fi
done

[ "$status" -eq 0 ] && echo "the render path calls nothing outside the module"
exit "$status"
