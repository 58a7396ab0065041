/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void append_claims(struct str *out, uint32_t claims)
{
	const char *comma = "";

	str_append(out, "\"missing\":[");
	for (int claim = 0; claim < RF_CLAIM_COUNT; claim++) {
		if (!(claims & RF_CLAIM_BIT(claim)))
			continue;
		str_printf(out, "%s\"%s\"", comma, rf_claim_name((enum rf_claim)claim));
		comma = ",";
	}
	str_append(out, "]");
}

static void append_policy_id(struct str *out, const struct start_facts *facts)
{
	_cleanup_str_ struct str document = STR_INIT;
	char hex[SHA256_HEX_SIZE];

	rf_policy_document(facts->request->policy, facts->workspace, &document);
	if (document.failed) {
		out->failed = true;
		return;
	}
	sha256_hex(document.data, document.len, hex);
	str_printf(out, ",\"policy\":\"sha256:%s\"", hex);
}

/* All but the pid, which follows as the last key. */
static void append_start(struct str *out, const struct start_facts *facts)
{
	str_append(out, "{\"event\":\"start\",\"backend\":");
	str_append_json(out, facts->backend);
	str_printf(out, ",\"enforcement\":\"%s\",", facts->enforcement);
	append_claims(out, facts->missing);
	str_printf(out,
		   ",\"mode\":\"%s\",\"workspace\":", rf_mode_name(facts->request->policy->mode));
	str_append_json(out, facts->workspace);
	append_policy_id(out, facts);
	str_append(out, ",\"pid\":");
}

static int prepare(const struct run *run, bool host_pids, char **ret, size_t *ret_len)
{
	const struct process_request *request = run->request;
	struct setup setup = run->setup;
	_cleanup_str_ struct str out = STR_INIT;
	struct start_facts facts = {
		.request = request,
		.backend = request->backend->name,
		.enforcement = "unproved",
		.workspace = request->plan->workspace->path,
	};

	setup.result.host_pids = host_pids;
	facts.missing = request->backend->missing(&setup, !request->direct);
	append_start(&out, &facts);
	*ret_len = out.len;
	*ret = str_take(&out);
	return *ret ? 0 : -ENOMEM;
}

int start_event_prepare(struct run *run)
{
	if (run->request->status_fd < 0)
		return 0;
	for (int host_pids = 0; host_pids < 2; host_pids++) {
		int ret = prepare(run, host_pids, &run->start.text[host_pids],
				  &run->start.len[host_pids]);

		if (ret < 0)
			return ret;
	}
	return 0;
}

void start_event_release(struct start_event *event)
{
	free(event->text[0]);
	free(event->text[1]);
	*event = (struct start_event){ 0 };
}

/* Without a reader the caller would never know that it ran: that is a failed set-up. */
int start_event_write(const struct run *run, struct rf_error *err)
{
	bool host_pids = run->setup.result.host_pids;
	char pid[16], tail[32];
	struct iovec parts[2];
	long len, written;

	if (run->request->status_fd < 0)
		return 0;
	/* the link names the reader's pid in the pid namespace of that /proc: the launcher's */
	len = sys_readlinkat(run->setup.host_proc, "self", pid, sizeof(pid) - 1);
	if (len < 0)
		return setup_error(err, (int)len, "cannot find the pid of the command");
	pid[len] = '\0';
	parts[0] = (struct iovec){ run->start.text[host_pids], run->start.len[host_pids] };
	parts[1].iov_base = tail;
	parts[1].iov_len = (size_t)snprintf(tail, sizeof(tail), "%s}\n", pid);
	written = SYS3(SYS_writev, run->request->status_fd, parts, 2);
	if (written == (long)(parts[0].iov_len + parts[1].iov_len))
		return 0;
	return setup_error(err, written < 0 ? (int)written : -EIO,
			   "cannot write the status channel");
}

/*
 * A reader that is gone must not end the launcher before it has said on stderr what it has to say.
 */
static void write_quietly(int status_fd, const struct str *out)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;

	if (out->failed)
		return;
	sigaction(SIGPIPE, &ignore, &before);
	sys_write(status_fd, out->data, out->len);
	sigaction(SIGPIPE, &before, NULL);
}

void start_event_write_unconfined(const struct process_request *request)
{
	_cleanup_str_ struct str out = STR_INIT;
	const struct start_facts facts = {
		.request = request,
		.enforcement = "none",
		.workspace = request->policy->workspace,
	};

	if (request->status_fd < 0)
		return;
	append_start(&out, &facts);
	str_printf(&out, "%d}\n", getpid());
	write_quietly(request->status_fd, &out);
}

static void write_event(int status_fd, struct str *out)
{
	str_append(out, "}\n");
	write_quietly(status_fd, out);
}

void exit_event_write(int status_fd, const struct process_result *result)
{
	_cleanup_str_ struct str out = STR_INIT;
	int status = result->wait_status;

	if (status_fd < 0)
		return;
	if (WIFSIGNALED(status))
		str_printf(&out, "{\"event\":\"exit\",\"code\":null,\"signal\":%d",
			   WTERMSIG(status));
	else
		str_printf(&out, "{\"event\":\"exit\",\"code\":%d,\"signal\":null",
			   WEXITSTATUS(status));
	str_append(&out, ",\"limit\":null,\"git_tamper\":[],\"appeared\":[],\"protect_lost\":[],"
			 "\"hide_lost\":[]");
	str_printf(&out, ",\"duration_ms\":%ld,\"max_rss_kb\":%ld,\"descendants_killed\":%d",
		   result->duration_ms, result->max_rss_kb, result->descendants_killed);
	write_event(status_fd, &out);
}

void exec_event_write(int status_fd, const struct rf_error *err, const char *path,
		      const char *interpreter)
{
	_cleanup_str_ struct str out = STR_INIT;
	const char *name = rf_errno_name(err->errnum);

	if (status_fd < 0)
		return;
	str_append(&out, "{\"event\":\"exec-failed\",\"errno\":");
	if (name)
		str_append_json(&out, name);
	else
		str_printf(&out, "\"E%d\"", err->errnum);
	str_append(&out, ",\"path\":");
	str_append_json(&out, path);
	str_append(&out, ",\"interpreter\":");
	str_append_json(&out, interpreter);
	write_event(status_fd, &out);
}

void process_report_refusal(int status_fd, const struct rf_error *err)
{
	_cleanup_str_ struct str out = STR_INIT;
	char text[sizeof(err->msg) + 128];

	if (status_fd < 0)
		return;
	rf_error_text(err, text, sizeof(text));
	str_printf(&out,
		   "{\"event\":\"refused\",\"code\":\"%s\",\"message\":", rf_code_name(err->code));
	str_append_json(&out, text);
	str_append(&out, ",\"hint\":");
	str_append_json(&out, err->hint[0] ? err->hint : NULL);
	str_append(&out, ",\"missing\":[]");
	write_event(status_fd, &out);
}
