#!/usr/bin/env python3
"""Lists the external functions that the render thread can call, directly or indirectly.

    reachable-calls.py FOLDER…       folders with the object files of the modules; needs objdump and nm

The search follows the calls in object files. It starts at the entry points of the render thread.
If the object files of a module are missing, the entry points of this module are skipped.

The script fails if the render thread can call a function outside its modules. The control thread
does allocate memory and count references. Therefore the script also fails if the search does not
find these calls of the control thread, because the search itself is then broken.
"""
import collections, glob, os, re, subprocess, sys

RENDER = {
    "process": r"17BandGainProcessorC7process_10frameCount",
    "processInterleaved": r"17BandGainProcessorC18processInterleaved_10frameCount",
    "reset": r"17BandGainProcessorC5resetyyF$",
    "publish": r"17RenderEventWriterV7publishyy",
    "detect voice": r"12HearingVoice0B16ActivityDetectorV7process_10frameCount12eachDecision\w+XEtF$",
    "cancel echo": r"13EchoCancellerV7process_9reference",
    "suppress noise": r"15NoiseSuppressorV7process_10frameCount",
    "process a call": r"12HearingVoice0B9ProcessorC7process10microphone",
    "guard slices": r"10SliceGuardC6render_10frameCount",
}
MODULES = {
    "guard slices": "12HearingAudio", "detect voice": "12HearingVoice", "cancel echo": "12HearingVoice",
    "suppress noise": "12HearingVoice",
    "process a call": "12HearingVoice",
}
# These entry points call functions of the app through a pointer: a closure for voice decisions, the
# uplink stages, or the renderer of the slice guard.
CALLS_BACK = {"detect voice", "process a call", "guard slices"}
CONTROL = {"apply": r"17BandGainProcessorC5applyyy"}
# The compiler emits these calls to copy and clear memory. They do not wait and do not allocate.
HARMLESS = {"memcpy", "memset", "memmove"}
POINTER = "(a call through a pointer)"


def calls(folders):
    """Returns two results for the object files in the folders.

    The first result maps the symbol of a function to the symbols that it refers to. The second
    result is the set of all symbols that the modules define.
    """
    graph, defined = collections.defaultdict(set), set()
    for path in [path for folder in folders for path in glob.glob(os.path.join(folder, "*.o"))]:
        text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", path], check=True, capture_output=True,
                              text=True).stdout
        names = subprocess.run(["nm", "--defined-only", "--format=just-symbols", path], check=True,
                               capture_output=True, text=True).stdout
        defined.update(names.splitlines())
        # Private functions have no symbol. Such a function begins after an instruction that
        # returns, jumps or traps.
        section, function, places, ended, start = None, None, {}, False, None
        for line in text.splitlines():
            if found := re.match(r"Disassembly of section (\S+):$", line):
                section = found.group(1)
            elif found := re.match(r"([0-9a-f]+) <(.+)>:$", line):
                function = found.group(2)
                places[section, int(found.group(1), 16)] = function
            elif found := re.match(r"\s+([0-9a-f]+):\s+(\S.*)$", line):
                code = found.group(2)
                if start is not None and re.match(r"mov\s+%rsp,%rbp$", code) and (section, start) not in places:
                    places[section, start] = f"{function} and {start:x}"
                    defined.add(places[section, start])
                start = int(found.group(1), 16) if ended and re.match(r"push\s+%rbp$", code) else None
                if not re.match(r"data16|cs nop|nop|xchg\s+%ax,%ax", code) and not code.startswith("R_"):
                    ended = bool(re.match(r"(ret|jmp|ud2)\b", code))
        section, function, branch = None, None, None
        for line in text.splitlines():
            if found := re.match(r"Disassembly of section (\S+):$", line):
                section = found.group(1)
            if found := re.match(r"\s+([0-9a-f]+):\s", line):
                function = places.get((section, int(found.group(1), 16)), function)
            head = re.match(r"[0-9a-f]+ <(.+)>:$", line)
            relocation = re.search(r"(R_\S+)\s+([^\s+-]+)(?:([+-])0x([0-9a-f]+))?", line)
            if relocation and function:
                # If an instruction has a relocation, its branch target is only a placeholder.
                branch = None
                kind, target, sign, addend = relocation.groups()
                # A relocation refers to a private function by its section and its offset in the
                # section. On x86, this offset is relative to the next instruction. Therefore four
                # bytes are added.
                place = int(addend or "0", 16) * (-1 if sign == "-" else 1) + (4 if "X86_64" in kind else 0)
                graph[function].add(places.get((target, place), target))
                continue
            if branch:
                graph[function].add(branch)
                branch = None
            if head:
                function = head.group(1)
                continue
            # The target of a call through a pointer is unknown.
            if function and re.search(r"\b(?:call|blr)\s+(?:\*|x\d)", line):
                graph[function].add(POINTER)
            # Calls and jumps within one object need no relocation.
            found = re.search(r"\b(?:call|jmp|j[a-z]+|bl|b)\s+([0-9a-f]+) <([^>+]+)(?:\+0x[0-9a-f]+)?>", line)
            branch = None
            if found and function:
                branch = places.get((section, int(found.group(1), 16)), found.group(2))
    return graph, defined


def reached(graph, defined, pattern):
    starts = [name for name in defined if re.search(pattern, name)]
    if not starts:
        sys.exit(f"no function matches {pattern}: the check does not work")
    seen, outside, queue = set(starts), set(), list(starts)
    while queue:
        for target in graph[queue.pop()]:
            target = target.split("@")[0]
            if target in defined:
                if target not in seen:
                    seen.add(target)
                    queue.append(target)
            elif not target.startswith("."):
                outside.add(target)
    return seen, outside


def main():
    graph, defined = calls(sys.argv[1:])
    status = 0
    for name, pattern in RENDER.items():
        if not any(MODULES.get(name, "10HearingDSP") in symbol for symbol in defined):
            continue
        seen, outside = reached(graph, defined, pattern)
        outside -= HARMLESS | ({POINTER} if name in CALLS_BACK else set())
        print(f"{name}: {sum(1 for function in seen if function in graph)} functions, {len(outside)} calls outside the module")
        for call in sorted(outside):
            print(f"  {name} reaches {call}", file=sys.stderr)
            status = 1
    for name, pattern in CONTROL.items():
        seen, outside = reached(graph, defined, pattern)
        for call in ("swift_retain", "swift_release", "pthread_mutex_lock", "swift_slowAlloc"):
            if not any(call in other for other in outside):
                print(f"{name} is not seen to reach {call}: the check does not work", file=sys.stderr)
                status = 1
    if status == 0:
        print("the render path calls nothing outside its modules")
    sys.exit(status)


main()
