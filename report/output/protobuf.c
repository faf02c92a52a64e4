// SPDX-License-Identifier: GPL-2.0-or-later
/* Protocol buffers, field by field. */
#include "report/output/protobuf.h"

#include "report/output/units.h"
#include "report/xmem.h"

#define WIRE_VARINT 0
#define WIRE_BYTES 2

void rpt_proto_u64(struct pa_buf *out, uint32_t field, uint64_t value)
{
	pa_buf_add_varint(out, (uint64_t)field << 3 | WIRE_VARINT);
	pa_buf_add_varint(out, value);
}

void rpt_proto_bytes_head(struct pa_buf *out, uint32_t field, size_t len)
{
	pa_buf_add_varint(out, (uint64_t)field << 3 | WIRE_BYTES);
	pa_buf_add_varint(out, len);
}

void rpt_proto_message(struct pa_buf *out, uint32_t field, struct pa_buf *message)
{
	rpt_xcheck(pa_buf_error(message));
	rpt_proto_bytes_head(out, field, message->len);
	pa_buf_add(out, message->data, message->len);
	pa_buf_fini(message);
}

void rpt_proto_text(struct pa_buf *out, uint32_t field, const char *text)
{
	struct pa_buf clean;

	pa_buf_init(&clean);
	rpt_add_text(&clean, text, 0);
	rpt_proto_message(out, field, &clean);
}
