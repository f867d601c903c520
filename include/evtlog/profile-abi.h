/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What the kernel and user space agree on about profiles: the page that a thread maps, and the
 * names of spans and values, which records of ended tasks have by their numbers.
 *
 * The kernel installs this file as <linux/evtlog_profile.h>; there is one copy.  What reads it is
 * in profile.h.
 *
 * A thread maps /proc/evtlog/profile/self, one page, to read.  The kernel brings it up to date
 * whenever that thread returns to user mode: until its next entry into the kernel all time is
 * that of user mode, from @stamp on.  So what a thread reads there of itself is exact.
 *
 * All numbers are in the machine's byte order, all structs free of implicit padding.
 */
#ifndef EVTLOG_PROFILE_ABI_H
#define EVTLOG_PROFILE_ABI_H

#include <linux/types.h>

#define EVTLOG_PROFILE_PAGE_VERSION	1
#define EVTLOG_PROFILE_PAGE_BYTES	4096

/**
 * enum evtlog_profile_group - what a thread's ticks are summed up to
 * @EVTLOG_PROFILE_GROUP_USER:	user mode
 * @EVTLOG_PROFILE_GROUP_KERNEL: entry and exit code of interrupts and exceptions
 * @EVTLOG_PROFILE_GROUP_SYSCALL: system calls, also of 32-bit programs
 * @EVTLOG_PROFILE_GROUP_EXCEPTION: exceptions
 * @EVTLOG_PROFILE_GROUP_IRQ:	handlers of device interrupts
 * @EVTLOG_PROFILE_GROUP_VECTOR: system vectors: timer, other CPUs' requests
 * @EVTLOG_PROFILE_GROUP_SOFTIRQ: softirq handlers
 * @EVTLOG_PROFILE_GROUP_OTHER:	events of the kernel for which the profile had no place left; until evtlog 0.11
 *		also those of the last four groups
 * @EVTLOG_PROFILE_GROUP_RUNQUEUE: waiting for a CPU, after it was blocked or new
 * @EVTLOG_PROFILE_GROUP_PREEMPTED: waiting for a CPU, which another task took, or which it yielded; until
 *		evtlog 0.11 without those that lost it on their way to user mode
 * @EVTLOG_PROFILE_GROUP_INTERRUPTIBLE: blocked, until a signal at the latest
 * @EVTLOG_PROFILE_GROUP_UNINTERRUPTIBLE: blocked
 * @EVTLOG_PROFILE_GROUP_IO:	blocked, waiting for I/O
 * @EVTLOG_PROFILE_GROUP_STOPPED: stopped or traced
 * @EVTLOG_PROFILE_GROUP_WAITING: waits that are not told apart
 * @EVTLOG_PROFILE_GROUP_SIGNAL: deliveries of signals
 * @EVTLOG_PROFILE_GROUP_FUNCTION: functions that have a timer
 * @EVTLOG_PROFILE_GROUP_NET:	spans of sockets and TCP/IP
 * @EVTLOG_PROFILE_GROUP_BLOCK:	spans of VFS and block
 * @EVTLOG_PROFILE_GROUPS:	how many there are
 *
 * All are exclusive: each tick of the thread's life is in one of them.
 */
enum evtlog_profile_group {
	EVTLOG_PROFILE_GROUP_USER,
	EVTLOG_PROFILE_GROUP_KERNEL,
	EVTLOG_PROFILE_GROUP_SYSCALL,
	EVTLOG_PROFILE_GROUP_EXCEPTION,
	EVTLOG_PROFILE_GROUP_IRQ,
	EVTLOG_PROFILE_GROUP_VECTOR,
	EVTLOG_PROFILE_GROUP_SOFTIRQ,
	EVTLOG_PROFILE_GROUP_OTHER,
	EVTLOG_PROFILE_GROUP_RUNQUEUE,
	EVTLOG_PROFILE_GROUP_PREEMPTED,
	EVTLOG_PROFILE_GROUP_INTERRUPTIBLE,
	EVTLOG_PROFILE_GROUP_UNINTERRUPTIBLE,
	EVTLOG_PROFILE_GROUP_IO,
	EVTLOG_PROFILE_GROUP_STOPPED,
	EVTLOG_PROFILE_GROUP_WAITING,
	EVTLOG_PROFILE_GROUP_SIGNAL,
	EVTLOG_PROFILE_GROUP_FUNCTION,
	EVTLOG_PROFILE_GROUP_NET,
	EVTLOG_PROFILE_GROUP_BLOCK,
	EVTLOG_PROFILE_GROUPS,
};

#define EVTLOG_PROFILE_GROUPS_MAX	32

/**
 * struct evtlog_profile_page - a thread's sums
 * @version:	EVTLOG_PROFILE_PAGE_VERSION
 * @groups:	how many groups this kernel has; the rest of @ticks and @counts is 0
 * @sequence:	another one after each change; odd: it is being written; 0: there are no sums,
 *		for profiles are not kept, or the administrator has turned the page off, or
 *		the thread has ended
 * @tid:	the thread, by the number that it has for itself
 * @ticks_hz:	nominal rate of the counter
 * @stamp:	in ticks: up to then all is in @ticks; since then the thread is in user mode
 * @born:	in ticks: since when it counts
 * @ahead:	ticks by which counters of CPUs that it left were ahead of those it came to:
 *		the sum of @ticks is @stamp - @born + @ahead
 * @user:	ticks of user mode less @stamp: with the counter added, those up to now.  Another
 *		one after each entry into the kernel; 0: there are no sums
 * @reserved:	0
 * @ticks:	by enum evtlog_profile_group
 * @counts:	how often each ended; of user mode 0
 */
struct evtlog_profile_page {
	__u32	version;
	__u32	groups;
	__u32	sequence;
	__u32	tid;
	__u64	ticks_hz;
	__u64	stamp;
	__u64	born;
	__u64	ahead;
	__u64	user;
	__u64	reserved;
	__u64	ticks[EVTLOG_PROFILE_GROUPS_MAX];
	__u64	counts[EVTLOG_PROFILE_GROUPS_MAX];
};

/*
 * Spans and values, in the order of their numbers: X(ENUMERATOR, name) of each.  New ones are
 * behind the others.
 */

/* Spans of sockets and TCP/IP: names as /proc/evtlog/profile has them, after "net:". */
#define EVTLOG_NET_SPANS(X)						\
	X(SOCK_SENDMSG, sock_sendmsg)					\
	X(SOCK_RECVMSG, sock_recvmsg)					\
	X(TCP_SENDMSG, tcp_sendmsg)					\
	X(TCP_RECVMSG, tcp_recvmsg)					\
	X(TCP_RCV, tcp_rcv)						\
	X(UDP_SENDMSG, udp_sendmsg)					\
	X(UDP_RECVMSG, udp_recvmsg)					\
	X(UDP_RCV, udp_rcv)

/* Spans of VFS and block: after "block:". */
#define EVTLOG_BLOCK_SPANS(X)						\
	X(VFS_READ, vfs_read)						\
	X(VFS_WRITE, vfs_write)						\
	X(VFS_READV, vfs_readv)						\
	X(VFS_WRITEV, vfs_writev)					\
	X(FSYNC, fsync)							\
	X(SUBMIT_BIO, submit_bio)

/*
 * Values: of VFS, bytes read and written; of block, bytes of each bio; of sockets, bytes of each
 * message or piece of a stream; of IPv4 and IPv6, bytes of each packet; and the lengths of a UDP
 * socket's queue and of a CPU's backlog, in packets, the one that comes included.
 */
#define EVTLOG_VALUES_OF(X)						\
	X(VFS_READ, vfs_read)						\
	X(VFS_WRITTEN, vfs_written)					\
	X(BIO_READ, bio_read)						\
	X(BIO_WRITTEN, bio_written)					\
	X(SOCK_SENT, sock_sent)						\
	X(SOCK_RECEIVED, sock_received)					\
	X(IP_SENT, ip_sent)						\
	X(IP_RECEIVED, ip_received)					\
	X(UDP_QUEUE, udp_queue)						\
	X(BACKLOG, backlog)

#endif /* EVTLOG_PROFILE_ABI_H */
