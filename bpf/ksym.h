/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel says of its own code: run by the recorder, for kernels that have bpf_snprintf with symbols
 * (5.13) and bpf_kallsyms_lookup_name (5.16). Some hundred questions take the place of reading the whole of
 * /proc/kallsyms, which costs more CPU than a short recording.
 */
#ifndef EV_KSYM_H
#define EV_KSYM_H

/* One question at a time; both are shared with the recorder. */
__u64 ksym_address = 0;
char ksym_text[EV_KSYM_BYTES] = {};
__u64 kernel_text[3] = {}; /* _text, _stext, _etext; 0 = there is none */
__s64 kernel_text_error = 0; /* of the last look-up; -EPERM where addresses are hidden */

/* ksym_text = "name+0x12/0x340 [module]", or the address in hexadecimal when it has no name. */
SEC("syscall")
int name_ksym(void *ctx)
{
	static const char format[] = "%pS";
	__u64 address = ksym_address;

	return bpf_snprintf(ksym_text, sizeof(ksym_text), format, &address, sizeof(address)) < 0;
}

SEC("syscall")
int find_kernel_text(void *ctx)
{
	static const char text[] = "_text", stext[] = "_stext", etext[] = "_etext";

	bpf_kallsyms_lookup_name(text, sizeof(text), 0, &kernel_text[0]);
	bpf_kallsyms_lookup_name(stext, sizeof(stext), 0, &kernel_text[1]);
	kernel_text_error = bpf_kallsyms_lookup_name(etext, sizeof(etext), 0, &kernel_text[2]);
	return 0;
}

#endif
