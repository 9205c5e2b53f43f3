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

# The control side does allocate and count references: if that does not show, the check above sees nothing.
for call in swift_retain swift_slowAlloc; do
  if ! outside BandGainProcessor | grep -q "$call"; then
    echo "no $call found where there must be one: the check does not work" >&2
    status=1
  fi
done

# The echo canceller's types hold pointers: their metadata comes with a function that copies a value into a box (its name
# ends in wCP), which retains the box and which nobody calls. Calls are looked for in all other functions; clearing and
# copying memory is no fault.
objects=$(swift build -c release --show-bin-path)/HearingDSP.build
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

[ "$status" -eq 0 ] && echo "the render path calls nothing outside the module"
exit "$status"
