// SPDX-License-Identifier: GPL-2.0-only
/*
 * Executes commands one after the other, and starts their answers.
 *
 * The receive path must not sleep, but run.c waits for locks and for CPUs.  A thread of real-time
 * priority therefore takes commands from a queue.  All memory is allocated before the first
 * message.  Messages are not checked here: receive.c passes only correct ones.
 */
#include <linux/err.h>
#include <linux/evtlog.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>

#include "boost/boost.h"
#include "remote/command.h"
#include "remote/pending.h"
#include "remote/remote.h"
#include "ring.h"
#include "run.h"

#define GROUP_KIND_SHIFT	8
#define BROADCAST_SHIFT		12
#define NAME_WORDS		2
#define REMOTE_WORDS		(6 + NAME_WORDS)

static struct task_struct *thread;

static atomic_t obeyed;

/* A run was started or stopped without a pending command; the thread completes this. */
static bool start_is_due;
static bool stop_is_due;

/*
 * Number of starts and stops that wait for the thread.  While there are any, later ones wait for
 * them, so that the order is kept.
 */
static atomic_t waiting_turns;

static enum evtlog_remote_pool pool_of(u8 operation)
{
	switch (operation) {
	case EVTLOG_REMOTE_START:
	case EVTLOG_REMOTE_STOP:
		return EVTLOG_REMOTE_POOL_RUN;
	case EVTLOG_REMOTE_SCHED:
	case EVTLOG_REMOTE_CANCEL:
		return EVTLOG_REMOTE_POOL_BOOST;
	default:
		return EVTLOG_REMOTE_POOL_COMMON;
	}
}

static u32 next_request(void)
{
	return atomic_inc_return(&obeyed);
}

static bool name_is_right(const char *name, size_t bytes)
{
	return strlen(name) == bytes && (!bytes || evtlog_run_name_is_valid(name));
}

/* Paths of one program's groups differ at their ends. */
static void store_name_end(u64 *words, const struct evtlog_command *command)
{
	size_t bytes = min_t(size_t, command->name_bytes, NAME_WORDS * sizeof(u64));

	memset(words, 0, NAME_WORDS * sizeof(u64));
	memcpy(words, command->name + command->name_bytes - bytes, bytes);
}

static void write_irqoff(const struct evtlog_command *command)
{
	u64 *record;

	if (!evtlog_hook_on(remote))
		return;
	record = evtlog_reserve_irqoff(EVTLOG_TAG(EVTLOG_REMOTE,
			command->operation |
			(command->group_kind & 0xf) << GROUP_KIND_SHIFT |
			command->is_broadcast << BROADCAST_SHIFT), REMOTE_WORDS);
	if (!record)
		return;
	record[1] = command->request | (u64)(__force u32)command->sender << 32;
	record[2] = command->rx_ticks;
	record[3] = command->nonce;
	record[4] = command->group;
	record[5] = command->duration_ns;
	store_name_end(&record[6], command);
}

/* Writes nothing if no run records this type. */
static void write_record(const struct evtlog_command *command)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	write_irqoff(command);
	raw_local_irq_restore(flags);
}

/* A run that a message starts; the message's record is among the first of the run. */
struct start {
	struct evtlog_run_request run;
	const struct evtlog_command *command;
};

static void start_is_published(const struct evtlog_run_request *run)
{
	write_record(container_of(run, struct start, run)->command);
}

static int start(const struct evtlog_command *command)
{
	const struct start start = {
		.run = {
			.name = command->name,
			.reference_ticks = command->rx_ticks,
			.published = start_is_published,
		},
		.command = command,
	};

	if (!name_is_right(command->name, command->name_bytes))
		return -EINVAL;
	return evtlog_run_start(&start.run);
}

static int stop(const struct evtlog_command *command)
{
	/* Before any lock: nothing more is recorded, even while another task holds a lock. */
	if (READ_ONCE(evtlog_run.recording))
		write_record(command);
	return evtlog_run_stop();
}

/**
 * evtlog_remote_publish_start() - start a run in the receive path, if this is a single store
 * @name:	name of the run in the message, followed by a NUL
 * @name_bytes: its length there
 * @rx_ticks:	rx timestamp of the message
 *
 * Called before all other work for the message, because each instruction delays the start.
 *
 * Context: softirq.
 * Return: true if the run was started; evtlog_remote_execute() must still be called.
 */
bool evtlog_remote_publish_start(const char *name, size_t name_bytes, u64 rx_ticks)
{
	const struct evtlog_run_request request = {
		.name = name,
		.reference_ticks = rx_ticks,
	};

	return !atomic_read(&waiting_turns) && name_is_right(name, name_bytes) &&
	       !evtlog_run_publish_start(&request);
}

static bool publish_stop(const struct evtlog_command *command)
{
	if (atomic_read(&waiting_turns) || !READ_ONCE(evtlog_run.recording))
		return false;
	write_record(command);
	return !evtlog_run_publish_stop();
}

/* Completes a start or stop that was published. */
static int complete_published(const struct evtlog_command *command)
{
	int error;

	if (command->operation == EVTLOG_REMOTE_START) {
		evtlog_run_complete_start();
		return 0;
	}
	error = evtlog_run_complete_stop();
	/* Another task has completed it. */
	return error == -EALREADY ? 0 : error;
}

static int execute(const struct evtlog_command *command)
{
	switch (command->operation) {
	case EVTLOG_REMOTE_STATUS:
		return 0;
	case EVTLOG_REMOTE_START:
		return start(command);
	case EVTLOG_REMOTE_STOP:
		return stop(command);
	case EVTLOG_REMOTE_ARM:
		return evtlog_run_arm();
	case EVTLOG_REMOTE_DISARM:
		return evtlog_run_disarm();
	default:
		return -EINVAL;
	}
}

static void carry_out(struct evtlog_pending *pending)
{
	if (!pending->is_done)
		pending->outcome.result = pending->is_published ?
			complete_published(&pending->command) : execute(&pending->command);
	if (pending->waits)
		atomic_dec(&waiting_turns);
	if (pending->command.wants_reply)
		evtlog_remote_reply(&pending->command, &pending->outcome);
	evtlog_remote_audit(&pending->command, pending->outcome.result);
	evtlog_pending_put(pending);
}

/* Executes everything in the queue before the thread ends. */
static int thread_runs(void *unused)
{
	struct evtlog_pending *pending;

	for (;;) {
		set_current_state(TASK_IDLE);
		pending = evtlog_pending_next();
		if (!pending && !READ_ONCE(start_is_due) && !READ_ONCE(stop_is_due)) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (xchg(&start_is_due, false))
			evtlog_run_complete_start();
		if (xchg(&stop_is_due, false))
			evtlog_run_complete_stop();
		if (pending)
			carry_out(pending);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void boost_is_done(u32 request, int error, unsigned int tasks, bool throttled)
{
	struct evtlog_pending *pending = evtlog_pending_fetch(request);

	if (!pending)
		return;
	pending->is_done = true;
	pending->outcome.result = error;
	pending->outcome.tasks = tasks;
	pending->outcome.throttled = throttled;
	evtlog_pending_queue(pending);
	wake_up_process(thread);
}

/* Not in the thread: the duration of a boost counts from the message's rx timestamp. */
static void boost(struct evtlog_pending *pending)
{
	const struct evtlog_command *command = &pending->command;
	struct evtlog_boost_request request = {
		.request = command->request,
		.group_kind = command->group_kind,
		.group = command->group,
		.duration_ns = command->duration_ns,
		.done = boost_is_done,
	};
	int error = -EINVAL;

	write_record(command);
	/* The boost may be done before this returns. */
	evtlog_pending_set_aside(pending);
	if (strlen(command->name) == command->name_bytes) {
		strscpy(request.name, command->name, sizeof(request.name));
		error = evtlog_boost_submit(&request);
	}
	if (error)
		boost_is_done(request.request, error, 0, false);
}

/* Cancels at once, too; the thread only answers. */
static void cancel_boost(struct evtlog_pending *pending)
{
	write_record(&pending->command);
	pending->outcome.result = evtlog_boost_cancel();
	pending->is_done = true;
}

/*
 * Too many commands wait already: this one is not answered.  If it needs no thread it is executed,
 * and audited from here, because every command with an effect must be audited.
 */
static int execute_unqueued(struct evtlog_command *command, bool is_published)
{
	int result = 0;

	if (is_published) {
		command->request = next_request();
		write_record(command);
		WRITE_ONCE(start_is_due, true);
	} else if (command->operation == EVTLOG_REMOTE_STOP && !atomic_read(&waiting_turns)) {
		command->request = next_request();
		if (publish_stop(command))
			WRITE_ONCE(stop_is_due, true);
		else
			result = -EALREADY;
	} else if (command->operation == EVTLOG_REMOTE_CANCEL) {
		command->request = next_request();
		write_record(command);
		result = evtlog_boost_cancel();
	} else {
		return -EBUSY;
	}
	wake_up_process(thread);
	evtlog_remote_audit(command, result);
	return 0;
}

/**
 * evtlog_remote_execute() - execute a message, soon
 * @command:	the message; copied, and its @request is set
 * @is_published: True: executed by evtlog_remote_publish_start()
 *
 * A stop is executed here, too, while something is recorded.
 *
 * Context: softirq, between evtlog_remote_execute_open() and evtlog_remote_execute_close().
 * Return: 0; -EBUSY: too many commands wait already, and nothing was done.
 */
int evtlog_remote_execute(struct evtlog_command *command, bool is_published)
{
	enum evtlog_remote_pool pool = pool_of(command->operation);
	struct evtlog_pending *pending = evtlog_pending_get(command, pool);

	if (!pending)
		return execute_unqueued(command, is_published);
	command->request = next_request();
	pending->command.request = command->request;
	if (is_published)
		write_record(command);
	pending->is_published = is_published ||
		(command->operation == EVTLOG_REMOTE_STOP && publish_stop(command));
	pending->waits = pool == EVTLOG_REMOTE_POOL_RUN && !pending->is_published;
	if (pending->waits)
		atomic_inc(&waiting_turns);
	if (command->operation == EVTLOG_REMOTE_SCHED) {
		boost(pending);
		return 0;
	}
	if (command->operation == EVTLOG_REMOTE_CANCEL)
		cancel_boost(pending);
	evtlog_pending_queue(pending);
	wake_up_process(thread);
	return 0;
}

/**
 * evtlog_remote_forbid() - answer a message whose key does not permit it, soon
 * @command:	the message; copied
 *
 * It gets no number and uses no resources that are reserved for permitted messages.
 *
 * Context: as for evtlog_remote_execute().
 */
void evtlog_remote_forbid(const struct evtlog_command *command)
{
	struct evtlog_pending *pending =
		evtlog_pending_get(command, EVTLOG_REMOTE_POOL_COMMON);

	if (!pending)
		return;
	pending->is_done = true;
	pending->outcome.result = -EPERM;
	evtlog_pending_queue(pending);
	wake_up_process(thread);
}

/**
 * evtlog_remote_execute_open() - prepare for messages
 *
 * Context: task context.
 * Return: 0 or a negative error.
 */
int evtlog_remote_execute_open(void)
{
	const struct sched_param param = {
		.sched_priority = EVTLOG_BOOST_THREAD_PRIORITY
	};
	struct task_struct *task;
	int error;

	atomic_set(&waiting_turns, 0);
	error = evtlog_pending_open();
	if (error)
		return error;
	error = evtlog_remote_reply_open();
	if (error)
		goto close_pending;
	error = evtlog_boost_open();
	if (error)
		goto close_reply;
	task = kthread_create(thread_runs, NULL, "evtlog_remote");
	if (IS_ERR(task)) {
		error = PTR_ERR(task);
		goto close_boost;
	}
	thread = task;
	/* Otherwise a boosted group that uses all CPUs could not be stopped. */
	sched_setscheduler_nocheck(thread, SCHED_FIFO, &param);
	wake_up_process(thread);
	return 0;
close_boost:
	evtlog_boost_close();
close_reply:
	evtlog_remote_reply_close();
close_pending:
	evtlog_pending_close();
	return error;
}

/**
 * evtlog_remote_execute_close() - execute all accepted messages, and end
 *
 * Context: task context; no further message can come in.
 */
void evtlog_remote_execute_close(void)
{
	/* Cancels pending boosts, which completes their commands. */
	evtlog_boost_close();
	kthread_stop(thread);
	evtlog_remote_reply_close();
	evtlog_pending_close();
}

/**
 * evtlog_remote_obeyed() - number of executed messages
 *
 * Context: any.
 * Return: a count since boot.
 */
u64 evtlog_remote_obeyed(void)
{
	return (u32)atomic_read(&obeyed);
}
