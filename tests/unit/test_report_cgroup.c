// SPDX-License-Identifier: GPL-2.0-or-later
/* Container and pod ids in cgroup paths, in the forms that container managers use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/model/cgroup.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID2 "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID "2f8a1c34-9b7e-4d21-8f00-0123456789ab"
#define UID_ "2f8a1c34_9b7e_4d21_8f00_0123456789ab"
#define STATIC "2f8a1c349b7e4d218f000123456789ab"

static void test_forms(void **state)
{
	static const struct {
		const char *path, *id, *pod;
	} cases[] = {
		{"", "", ""},
		{"/", "", ""},
		{"/user.slice/user-1000.slice/session-2.scope", "", ""},
		{"/system.slice/cron.service", "", ""},
		{"/docker/" ID, ID, ""},
		{"/docker/" ID "/init.scope", ID, ""},
		{"/system.slice/docker-" ID ".scope", ID, ""},
		{"/machine.slice/libpod-" ID ".scope", ID, ""},
		{"/machine.slice/libpod-" ID ".scope/container", ID, ""},
		{"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", ID,
		 ""},
		{"/machine.slice/libpod-conmon-" ID ".scope", "", ""},
		{"/system.slice/crio-conmon-" ID ".scope", "", ""},
		{"/kubepods/burstable/pod" UID "/" ID, ID, UID},
		{"/kubepods/pod" UID "/" ID, ID, UID},
		{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
		 ".slice/cri-containerd-" ID ".scope",
		 ID, UID},
		{"/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope", ID, UID},
		{"/kubepods.slice/kubepods-pod" UID_ ".slice", "", UID},
		{"/kubepods.slice/kubepods-pod" STATIC ".slice/cri-containerd-" ID ".scope", ID,
		 STATIC},
		{"/system.slice/containerd.service/kubepods-besteffort-pod" UID_
		 ".slice:cri-containerd:" ID,
		 ID, UID},
		/* A cluster within a container: the innermost. */
		{"/docker/" ID "/kubelet/kubepods/pod" UID "/" ID2, ID2, UID},
		{"/docker/" ID "/kubelet/kubepods/pod" UID, "", UID},
		/* Not quite. */
		{"/docker/0123456789abcdef", "", ""},
		{"/docker/g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "",
		 ""},
		{"/podcasts/pod-" UID, "", ""},
	};
	struct rpt_container c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rpt_container_of(&c, cases[i].path);
		assert_string_equal(c.id, cases[i].id);
		assert_string_equal(c.pod, cases[i].pod);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
	};

	return cmocka_run_group_tests_name("report_cgroup", tests, NULL, NULL);
}
