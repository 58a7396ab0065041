/* SPDX-License-Identifier: MIT */
#ifndef RF_MECHANISM_SECCOMP_TRAITS_H
#define RF_MECHANISM_SECCOMP_TRAITS_H

/*
 * What a filter has to know of the run. Every set of traits has a program of its own that was
 * compiled at build time; at run time one is looked up, nothing is built. This header is shared
 * by the generator, which runs on the build machine, and by the launcher, so it includes nothing
 * of ours and declares no type whose layout depends on either.
 */
enum seccomp_trait {
	SECCOMP_NETWORK_OFF = 1,      /* only local sockets and rtnetlink can be made */
	SECCOMP_ALLOW_USERNS = 2,     /* --allow-userns: namespace flags and chroot stay open */
	SECCOMP_ROOT = 4,	      /* the command is uid 0: no setgid files either */
	SECCOMP_LANDLOCK_BACKEND = 8, /* no namespaces: close what only they would hide */
	SECCOMP_TRUNCATE_HOLE = 16,   /* Landlock ABI 1 and 2 do not know truncation */
	SECCOMP_FREEZE_METADATA = 32, /* read-only mode: mode, owner, times, attributes stay */
};

#define SECCOMP_TRAITS_END 64

struct sock_filter;

/* One compiled filter, as the generated header lists them: `code` is never written to. */
struct seccomp_program {
	const struct sock_filter *code;
	unsigned short length; /* instructions */
};

/* Drops what says nothing in this combination: the mount view covers both holes by itself. */
static inline unsigned seccomp_traits_canonical(unsigned traits)
{
	unsigned landlock_only = SECCOMP_TRUNCATE_HOLE | SECCOMP_FREEZE_METADATA;

	traits &= SECCOMP_TRAITS_END - 1;
	return traits & SECCOMP_LANDLOCK_BACKEND ? traits : traits & ~landlock_only;
}

#endif
