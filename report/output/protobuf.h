/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protocol buffers, field by field (protobuf.dev, "Encoding"), where a schema would not pay. */
#ifndef RPT_PROTOBUF_H
#define RPT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "format/util/buf.h"

void rpt_proto_u64(struct pa_buf *out, uint32_t field, uint64_t value);
/* Text has to be UTF-8 there: what is not becomes '?', as do control characters. */
void rpt_proto_text(struct pa_buf *out, uint32_t field, const char *text);
/* The beginning of len bytes that follow. */
void rpt_proto_bytes_head(struct pa_buf *out, uint32_t field, size_t len);
/* A message that is done, which is freed. */
void rpt_proto_message(struct pa_buf *out, uint32_t field, struct pa_buf *message);

#endif
