#!/bin/sh
# The object code of the render path calls nothing outside its own modules: no allocation, no lock, no reference
# counting, no C library but for clearing and copying memory. Run from the package's folder.
set -eu

swift build -c release --target HearingAudio > /dev/null
build=$(swift build -c release --show-bin-path)

# What the object of a source file calls outside HearingDSP and its own module: module, file.
outside() {
  nm --undefined-only "$build/$1.build/$2.swift.o" | awk '{ print $NF }' \
    | grep -vE "10HearingDSP|${#1}$1|^mem(set|cpy|move)$|^\\\$sytWV$" || true
}

status=0
check() {
  calls=$(outside "$1" "$2")
  if [ -n "$calls" ]; then
    echo "$2 calls outside the module:" >&2
    echo "$calls" >&2
    status=1
  fi
}

for name in Rendering ChannelPass SampleGuard Transition SettledCascade MovingCascade LaneSkew \
  RenderEventMemory+Publishing RenderEventWriter CallRendering; do
  check HearingDSP "$name"
done
check HearingAudio SliceGuard+Rendering

# The control side does allocate and count references: if that does not show, the check above sees nothing.
for call in swift_retain swift_slowAlloc; do
  if ! outside HearingDSP BandGainProcessor | grep -q "$call"; then
    echo "no $call found where there must be one: the check does not work" >&2
    status=1
  fi
done
if ! outside HearingAudio SliceGuard | grep -q swift_slowAlloc; then
  echo "SliceGuard does not allocate where it must: the check does not work" >&2
  status=1
fi

# The echo canceller's types hold pointers: their metadata comes with a function that copies a value into a box (its name
# ends in wCP), which retains the box and which nobody calls. Calls are looked for in all other functions; clearing and
# copying memory is no fault.
objects=$build/HearingDSP.build
calls_outside_metadata() {
  nm --undefined-only "$objects/$1.swift.o" | awk '{ print $NF }' \
    | grep -vE '10HearingDSP|^mem(set|cpy|move)$' | while read -r symbol; do
    objdump -dr "$objects/$1.swift.o" | awk -v symbol="$symbol" \
      '/^[0-9a-f]+ </ { place = $2 } index($NF, symbol) == 1 && place !~ /wCP>:$/ { print symbol " in " place }'
  done
}
for name in EchoRendering EchoState PathComparison ReferenceHistory ResidualEstimate RoomFilter ShadowFilter Spectra \
  RealTransform ComplexTransform ComplexTransform+Lanes; do
  calls=$(calls_outside_metadata "$name")
  if [ -n "$calls" ]; then
    echo "$name calls outside the module:" >&2
    echo "$calls" >&2
    status=1
  fi
done
if ! calls_outside_metadata RoomFilter+Memory | grep -q swift_slowAlloc; then
  echo "RoomFilter+Memory does not allocate where it must: the check does not work" >&2
  status=1
fi

# Calls out of the module by functions whose mangled names contain $2. Moving memory is allowed.
calls_from() {
  objdump -dr "$objects/$1.swift.o" | awk -v wanted="$2" '
    /^[0-9a-f]+ </ { name = $2 }
    /R_X86_64_PLT32|R_AARCH64_CALL26|R_AARCH64_JUMP26/ && name ~ wanted {
      sub(/[-+]0x[0-9a-f]+$/, "", $NF); print $NF
    }' | grep -vE '10HearingDSP|^\.text|^mem(cpy|set|move)$' | sort -u || true
}

# Voice: what makes tables shares a type with what renders, so functions are looked at one by one.
render='(7process|4hear|6decide|5reset|5clear|6finish|7advance|7analyze|5score|6output|11persistence|4take|4head|4rest|3add|4fill|6settle|9startStep|10finishStep)'
for name in VoiceActivityDetector VoiceAnalysis VoiceFeatures VoiceSpectrum PitchSearch FineStructure BandFloors \
  VoiceNetwork NarrowbandResampler VoiceState OtherAudioDucker DuckingGlide RunningMean MuteFade; do
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

[ "$status" -eq 0 ] && echo "the render path calls nothing outside the modules"
exit "$status"
