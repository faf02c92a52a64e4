#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes up a recording of a small service, as a text trace: service.py PROGRAM LIBRARY before|after.

PROGRAM and LIBRARY are service.c, built with a build ID each; addresses are those of their functions.
"""
import random
import struct
import subprocess
import sys

SECONDS, HZ, START = 10, 199, 1000000000
PERIOD = 1000000000 // HZ
KERNEL = ["entry_SYSCALL_64", "do_syscall_64", "__x64_sys_futex", "futex_wait", "schedule", "__x64_sys_epoll_wait",
          "do_epoll_wait", "ksys_read", "tcp_recvmsg", "ksys_write", "tcp_sendmsg", "ip_queue_xmit", "copy_user_generic",
          "hrtimer_nanosleep", "clear_page"]
LIBRARY = {"compress_block", "longest_match", "update_crc"}
REQUEST = ["worker_main", "handle_request"]
# Weight, user frames from the outermost, kernel frames.
STACKS = {
    "before": [
        (20, REQUEST + ["query_database", "decode_row"], []), (9, REQUEST + ["query_database"], []),
        (7, REQUEST + ["query_database"], ["ksys_read", "tcp_recvmsg", "copy_user_generic"]),
        (10, REQUEST + ["write_response", "compress_block", "longest_match"], []),
        (5, REQUEST + ["write_response", "compress_block", "update_crc"], []), (2, REQUEST + ["write_response", "compress_block"], []),
        (6, REQUEST + ["render_template", "escape_html"], []), (5, REQUEST + ["render_template"], []),
        (4, REQUEST + ["read_request", "parse_headers"], []), (2, REQUEST + ["find_route"], []),
        (3, REQUEST + ["check_session", "cache_lookup"], []), (3, REQUEST + ["encode_json"], []),
        (5, REQUEST + ["write_response"], ["ksys_write", "tcp_sendmsg", "ip_queue_xmit"]),
        (2, REQUEST + ["log_line", "format_time"], []), (1, REQUEST + ["log_line"], ["ksys_write"]),
    ],
    "after": [
        (6, REQUEST + ["query_database", "decode_row"], []), (3, REQUEST + ["query_database"], []),
        (3, REQUEST + ["query_database"], ["ksys_read", "tcp_recvmsg", "copy_user_generic"]),
        (10, REQUEST + ["write_response", "compress_block", "longest_match"], []),
        (5, REQUEST + ["write_response", "compress_block", "update_crc"], []), (2, REQUEST + ["write_response", "compress_block"], []),
        (13, REQUEST + ["render_template", "escape_html"], []), (5, REQUEST + ["render_template"], []),
        (4, REQUEST + ["read_request", "parse_headers"], []), (2, REQUEST + ["find_route"], []),
        (7, REQUEST + ["check_session", "cache_lookup"], []), (2, REQUEST + ["check_session", "cache_insert"], []),
        (3, REQUEST + ["encode_json"], []),
        (5, REQUEST + ["write_response"], ["ksys_write", "tcp_sendmsg", "ip_queue_xmit"]),
        (2, REQUEST + ["log_line", "format_time"], []), (1, REQUEST + ["log_line"], ["ksys_write"]),
    ],
}
COLLECT = [(6, ["collector_main", "collect_garbage", "mark_objects"], []), (3, ["collector_main", "collect_garbage", "sweep_pages"], []),
           (1, ["collector_main", "collect_garbage", "sweep_pages"], ["clear_page"])]
EVENTS = [(3, ["main", "event_loop", "accept_connection"], []), (2, ["main", "event_loop"], ["__x64_sys_epoll_wait", "do_epoll_wait"])]
WAITS = {"worker": (REQUEST + ["query_database"], ["__x64_sys_futex", "futex_wait", "schedule"]),
         "main": (["main", "event_loop"], ["__x64_sys_epoll_wait", "do_epoll_wait", "schedule"]),
         "collector": (["collector_main"], ["hrtimer_nanosleep", "schedule"])}


class Image:
    """Functions of an ELF file and its executable segment."""

    def __init__(self, path, base):
        data = open(path, "rb").read()
        at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
        for i in range(count):
            kind, flags, offset, address, _, bytes_in_file, _, _ = struct.unpack_from("<IIQQQQQQ", data, at + i * size)
            if kind == 1 and flags & 1:
                self.offset, self.start, self.bytes = offset, base + offset, bytes_in_file
                shift = base + offset - address
        names = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
        self.functions = {line.split()[2]: int(line.split()[0], 16) + shift for line in names.splitlines() if line.split()[1] in "Tt"}


def main():
    program, library = Image(sys.argv[1], 0x555500000000), Image(sys.argv[2], 0x7f0000000000)
    which = sys.argv[3]
    rng = random.Random(which)
    after = which == "after"
    threads = {1: ("server", 4100), 2: ("worker-1", 4101), 3: ("worker-2", 4102), 4: ("worker-3", 4103), 5: ("collector", 4104)}
    print(f'session recorder="pa-record 0.1.0" arch="x86_64" word_bits=64 page_bytes=4096 clock="CLOCK_MONOTONIC" start_ns={START} '
          f'start_wall_ns={1764576000000000000 + 7200000000000 * after} host="shop-7" kernel="6.1.0-18-amd64" cpu_model="Example CPU" cpus=4 '
          f'target="command" command="/opt/shop/server" modes=7 duration_ns={SECONDS * 10**9} unwind="auto"')
    print(f'sampling event="cpu-clock" rate_hz={HZ} period={PERIOD} reason="no hardware counters on this machine"')
    print(f'tag key="release" value="{"1.28" if after else "1.27"}"')
    print(f'process time_ns={START} id=1 pid=4100 origin=1 comm="server" exe="/opt/shop/server" cmdline="/opt/shop/server"')
    for i, (name, tid) in threads.items():
        print(f'thread time_ns={START} id={i} process=1 tid={tid} origin=1 comm="{name}"')
    for i, (image, path, build_id) in enumerate([(program, "/opt/shop/server", "5e" * 20), (library, "/opt/shop/libcompress.so", "c0" * 20)], 1):
        print(f'module id={i} path="{path}" build_id=<{build_id}> build_id_kind=1')
        print(f'mapping time_ns={START} process=1 start={image.start:#x} length_bytes={image.bytes} offset_bytes={image.offset} module={i} prot=5')
    print('kernel_range start=0xffffffff81000000 length_bytes=16777216 name="[kernel.kallsyms]" build_id=<ffee0011>')
    for i, name in enumerate(KERNEL):
        print(f'kernel_symbol start={0xffffffff81100000 + 0x1000 * i:#x} length_bytes=1024 name="{name}"')

    nodes, next_node = {}, [16]

    def stack(kind, names):
        """The id of the innermost of these frames."""
        if not names:
            return 0
        key = (kind, tuple(names))
        if key not in nodes:
            address = (0xffffffff81100010 + 0x1000 * KERNEL.index(names[-1]) if kind == 10 else
                       (library if names[-1] in LIBRARY else program).functions[names[-1]] + 6)
            parent = stack(kind, names[:-1]) or kind
            nodes[key] = next_node[0]
            next_node[0] += 1
            print(f"stack id={nodes[key]} parent={parent} frames=[{address:#x}]")
        return nodes[key]

    def kernel(names):
        return stack(10, ["entry_SYSCALL_64", "do_syscall_64"] + names if names else [])

    records = []
    busy, blocked = {i: 0 for i in threads}, {i: 0 for i in threads}
    for tick in range(SECONDS * HZ):
        at = tick / HZ
        collecting = 3.6 < at % 5 < 4.5
        for thread, (name, _) in threads.items():
            if name == "collector":
                load, choices = (0.97 if collecting else 0.02), COLLECT
            elif name == "server":
                load, choices = 0.12, EVENTS
            else:
                wave = 0.55 + 0.3 * (at % 2.5 < 1.4) - 0.08 * thread
                load, choices = (0.15 if collecting else wave * (0.72 if after else 1)), STACKS[which]
            if rng.random() < load:
                _, user, system = rng.choices(choices, [c[0] for c in choices])[0]
                time = START + tick * PERIOD + thread * 1000
                records.append((time, f"sample time_ns={time} thread={thread} ustack={stack(2, user)} kstack={kernel(system)} cpu={thread % 4}"))
                busy[thread] += PERIOD
            else:
                user, system = WAITS["main" if name == "server" else name.split("-")[0]]
                length, time = PERIOD - rng.randint(1, PERIOD // 4), START + tick * PERIOD + thread * 1000
                blocked[thread] += length
                records.append((time, f"block time_ns={time} duration_ns={length} thread={thread} ustack={stack(2, user)} kstack={kernel(system)}"))
    for _, text in sorted(records):
        print(text)
    end = START + SECONDS * 10**9
    for thread in threads:
        slices, waits = 400 * thread, (60000000 if after else 640000000) // thread
        observed = busy[thread] + blocked[thread] + waits
        print(f"thread_sum time_ns={end} thread={thread} observed_ns={observed} on_cpu_ns={busy[thread]} runq_ns={waits} sleep_ns={blocked[thread]} "
              f"slices={slices} voluntary={slices - 40 * thread} preempted={40 * thread} wakeups={slices} runq_waits={slices} blocks={slices - 40 * thread}")
        print(f"hist thread={thread} kind=0 sum_ns={busy[thread]} min_ns=1000000 max_ns=8000000 max_time_ns={START + 2 * 10**9} buckets=[497,{slices}]")
        bucket, longest = (368, 100000) if after else (600, 9000000)
        print(f"hist thread={thread} kind=1 sum_ns={waits} min_ns=50000 max_ns={longest} max_time_ns={START + 4 * 10**9} buckets=[{bucket},{slices}]")
    print(f"covered time_ns={end}\nend time_ns={end} reason=2 status_known=1")


main()
