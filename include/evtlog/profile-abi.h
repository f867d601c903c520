/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Interface between the kernel and user space for profiles: the page that a thread maps, and the
 * names of spans and values.  Records of ended tasks refer to the names by number.
 *
 * The kernel installs this file as <linux/evtlog_profile.h>; there is one copy.  The functions that
 * read the page are in profile.h.
 *
 * A thread maps /proc/evtlog/profile/self, one page, read-only.  The kernel updates the page each
 * time the thread returns to user mode.  From @stamp until the next entry into the kernel, all time
 * is user mode.  The sums that a thread reads in its own page are therefore exact.
 *
 * All numbers are in the machine's byte order; structs have no implicit padding.
 */
#ifndef EVTLOG_PROFILE_ABI_H
#define EVTLOG_PROFILE_ABI_H

#include <linux/types.h>

#define EVTLOG_PROFILE_PAGE_VERSION	1
#define EVTLOG_PROFILE_PAGE_BYTES	4096

/**
 * enum evtlog_profile_group - groups of a thread's ticks
 * @EVTLOG_PROFILE_GROUP_USER:	user mode
 * @EVTLOG_PROFILE_GROUP_KERNEL: entry and exit code of interrupts and exceptions
 * @EVTLOG_PROFILE_GROUP_SYSCALL: system calls, including those of 32-bit programs
 * @EVTLOG_PROFILE_GROUP_EXCEPTION: exceptions
 * @EVTLOG_PROFILE_GROUP_IRQ:	handlers of device interrupts
 * @EVTLOG_PROFILE_GROUP_VECTOR: system vectors: timer, requests from other CPUs
 * @EVTLOG_PROFILE_GROUP_SOFTIRQ: softirq handlers
 * @EVTLOG_PROFILE_GROUP_OTHER:	kernel events that did not fit into the profile; until 0.11 also the
 *		last four groups
 * @EVTLOG_PROFILE_GROUP_RUNQUEUE: waiting for a CPU after a wake-up or fork
 * @EVTLOG_PROFILE_GROUP_PREEMPTED: waiting for a CPU after preemption or a yield; until evtlog 0.11
 *		without preemptions on the return to user mode
 * @EVTLOG_PROFILE_GROUP_INTERRUPTIBLE: blocked; a signal ends the wait
 * @EVTLOG_PROFILE_GROUP_UNINTERRUPTIBLE: blocked; signals do not end the wait
 * @EVTLOG_PROFILE_GROUP_IO:	blocked, waiting for I/O
 * @EVTLOG_PROFILE_GROUP_STOPPED: stopped or traced
 * @EVTLOG_PROFILE_GROUP_WAITING: waits whose kind is not distinguished
 * @EVTLOG_PROFILE_GROUP_SIGNAL: signal deliveries
 * @EVTLOG_PROFILE_GROUP_FUNCTION: functions with a timer
 * @EVTLOG_PROFILE_GROUP_NET:	spans of sockets and TCP/IP
 * @EVTLOG_PROFILE_GROUP_BLOCK:	spans of VFS and block
 * @EVTLOG_PROFILE_GROUPS:	number of groups
 *
 * All groups are exclusive: each tick of the thread's life is in one group.
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
 * @groups:	number of groups of this kernel; the remaining @ticks and @counts are 0
 * @sequence:	changes with each update; odd during an update; 0: no sums, because profiling is
 *		off, the administrator has disabled pages, or the thread has ended
 * @tid:	id of the thread in its own pid namespace
 * @ticks_hz:	nominal rate of the tick counter
 * @stamp:	in ticks: @ticks has all time before it; since then the thread is in user mode
 * @born:	in ticks: time from which the sums count
 * @ahead:	ticks by which the counters of CPUs that the thread left were ahead of the counters
 *		of the next CPUs: the sum of @ticks is @stamp - @born + @ahead
 * @user:	ticks in user mode minus @stamp; plus the counter, it is the ticks in user mode up
 *		to now.  Changes with each entry into the kernel; 0: no sums
 * @reserved:	0
 * @ticks:	ticks by enum evtlog_profile_group
 * @counts:	how often events of each group ended; 0 for user mode
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

/* Spans and values in the order of their numbers: X(ENUMERATOR, name).  Add new ones at the end. */

/* Spans of sockets and TCP/IP: names in /proc/evtlog/profile after "net:". */
#define EVTLOG_NET_SPANS(X)						\
	X(SOCK_SENDMSG, sock_sendmsg)					\
	X(SOCK_RECVMSG, sock_recvmsg)					\
	X(TCP_SENDMSG, tcp_sendmsg)					\
	X(TCP_RECVMSG, tcp_recvmsg)					\
	X(TCP_RCV, tcp_rcv)						\
	X(UDP_SENDMSG, udp_sendmsg)					\
	X(UDP_RECVMSG, udp_recvmsg)					\
	X(UDP_RCV, udp_rcv)

/* Spans of VFS and block: names in /proc/evtlog/profile after "block:". */
#define EVTLOG_BLOCK_SPANS(X)						\
	X(VFS_READ, vfs_read)						\
	X(VFS_WRITE, vfs_write)						\
	X(VFS_READV, vfs_readv)						\
	X(VFS_WRITEV, vfs_writev)					\
	X(FSYNC, fsync)							\
	X(SUBMIT_BIO, submit_bio)

/*
 * Values.  VFS: bytes read and written.  Block: bytes of each bio.  Sockets: bytes of each message
 * or piece of a stream.  IPv4 and IPv6: bytes of each packet.  UDP_QUEUE and BACKLOG: length in
 * packets of a UDP socket's queue and of a CPU's backlog, including the new packet.
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
