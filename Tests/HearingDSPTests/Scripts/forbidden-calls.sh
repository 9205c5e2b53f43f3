#!/bin/sh
# The object code of the render path calls nothing outside this module: no allocation, no lock, no reference counting,
# no C library. Run from the package's folder.
set -eu

swift build -c release --target HearingDSP > /dev/null
objects=$(swift build -c release --show-bin-path)/HearingDSP.build

# What the functions of an object file call outside the module. The compiler puts what it needs to know of imported C
# types ($sSo…) into any file it likes, and memset for loops that clear memory.
outside() {
  undefined=$(nm --undefined-only "$objects/$1.swift.o" | awk '{ print $NF }' |
    grep -vE '10HearingDSP|^mem(set|cpy|move)$' || true)
  objdump -dr "$objects/$1.swift.o" | awk -v undefined="$undefined" '
    BEGIN { count = split(undefined, names, "\n"); for (i = 1; i <= count; i++) wanted[names[i]] = 1 }
    /^[0-9a-f]+ <.*>:$/ { imported = index($2, "<$sSo") == 1 }
    / R_[A-Z0-9]+_/ && !imported { name = $NF; sub(/[-+]0x[0-9a-f]+$/, "", name); if (name in wanted) print name }
  ' | sort -u
}

status=0
for name in Rendering ChannelPass SampleGuard Transition Compression Cascade LaneSkew DetectorBank; do
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

[ "$status" -eq 0 ] && echo "the render path calls nothing outside the module"
exit "$status"
