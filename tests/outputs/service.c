// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that is never run: service.py makes recordings of it, and reports find names and lines here. */
#define STEP(name)                                  \
	__attribute__((noinline)) int name(int n)   \
	{                                           \
		__asm__ volatile(".skip 32, 0x90"); \
		return n + (int)sizeof(#name);      \
	}

STEP(accept_connection)
STEP(read_request)
STEP(parse_headers)
STEP(find_route)
STEP(check_session)
STEP(query_database)
STEP(decode_row)
STEP(cache_lookup)
STEP(cache_insert)
STEP(render_template)
STEP(escape_html)
STEP(encode_json)
STEP(write_response)
STEP(compress_block)
STEP(longest_match)
STEP(update_crc)
STEP(log_line)
STEP(format_time)
STEP(collect_garbage)
STEP(mark_objects)
STEP(sweep_pages)
STEP(handle_request)
STEP(worker_main)
STEP(collector_main)
STEP(event_loop)

int main(void)
{
	return event_loop(worker_main(collector_main(handle_request(0))));
}
