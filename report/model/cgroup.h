/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a cgroup's path says about containers: their managers put ids into it. Known are Docker, Podman,
 * containerd and CRI-O, by themselves and below kubelet, with the systemd and the cgroupfs driver:
 *
 *	/docker/ID                        /system.slice/docker-ID.scope
 *	/machine.slice/libpod-ID.scope    /kubepods/burstable/podUID/ID
 *	/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podU_I_D.slice/cri-containerd-ID.scope
 *	/system.slice/containerd.service/kubepods-podU_I_D.slice:cri-containerd:ID
 */
#ifndef RPT_CGROUP_H
#define RPT_CGROUP_H

#define RPT_CONTAINER_ID_CHARS 64
#define RPT_POD_UID_CHARS 36

struct rpt_container {
	char id[RPT_CONTAINER_ID_CHARS + 1]; /* 64 hex digits; "" = in no container */
	char pod[RPT_POD_UID_CHARS +
		 1]; /* "8-4-4-4-12" or, of a static pod, 32 hex digits; "" = none */
};

/* Of containers within containers the innermost. path may be "". */
void rpt_container_of(struct rpt_container *c, const char *path);

#endif
