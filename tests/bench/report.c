/* SPDX-License-Identifier: MIT */
/* Samples to medians, and medians to a table for people or to JSON lines for programs. */
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct series series_new(size_t n)
{
	struct series s = { .ns = calloc(n ? n : 1, sizeof(double)) };

	if (!s.ns)
		bench_die("out of memory");
	return s;
}

void series_add(struct series *s, double ns)
{
	s->ns[s->n++] = ns;
}

void series_free(struct series *s)
{
	free(s->ns);
	*s = (struct series){ 0 };
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(const struct series *s, double q)
{
	double at = q * (double)(s->n - 1);
	size_t low = (size_t)at;
	size_t high = low + 1 < s->n ? low + 1 : low;

	return s->ns[low] + (s->ns[high] - s->ns[low]) * (at - (double)low);
}

/* Sorts the samples in place: their order carries nothing once the round is over. */
struct stats series_stats(const struct series *s)
{
	if (s->n == 0)
		bench_die("no samples");
	qsort(s->ns, s->n, sizeof(*s->ns), compare);
	return (struct stats){ quantile(s, 0.5), quantile(s, 0.1), quantile(s, 0.9) };
}

void report_title(const struct bench *b, const char *mode, const char *columns)
{
	if (!b->json)
		printf("\n%s (%s, uid %u, median of %zu alternating rounds)\n%s\n", mode,
		       b->user ? "user" : "root", b->user ? (unsigned int)b->uid : 0, b->rounds,
		       columns);
	fflush(stdout);
}

/* `bwrap` is the median of bubblewrap in the same rounds, 0 where it took no part. */
void report_time(const struct bench *b, const char *mode, const char *name, const char *command,
		 struct stats s, double bare, double bwrap)
{
	double over = s.median - bare;
	double share = bwrap > bare ? over / (bwrap - bare) : 0;

	if (b->json) {
		printf("{\"mode\":\"%s\",\"as\":\"%s\",\"launcher\":\"%s\",\"command\":\"%s\","
		       "\"median_us\":%.1f,\"p10_us\":%.1f,\"p90_us\":%.1f,\"x_bare\":%.3f,"
		       "\"over_bare_us\":%.1f,\"over_bwrap\":%.3f}\n",
		       mode, b->user ? "user" : "root", name, command, s.median / 1e3, s.p10 / 1e3,
		       s.p90 / 1e3, s.median / bare, over / 1e3, share);
		return;
	}
	printf("  %-18s %-11s %9.3f %9.3f %9.3f %8.2f %9.3f", name, command, s.median / 1e6,
	       s.p10 / 1e6, s.p90 / 1e6, s.median / bare, over / 1e6);
	printf(bwrap > 0 ? " %9.2f\n" : "\n", share);
}

void report_value(const struct bench *b, const char *mode, const char *name, const char *what,
		  double value, const char *unit)
{
	if (b->json)
		printf("{\"mode\":\"%s\",\"as\":\"%s\",\"launcher\":\"%s\",\"what\":\"%s\","
		       "\"value\":%.3f,\"unit\":\"%s\"}\n",
		       mode, b->user ? "user" : "root", name, what, value, unit);
	else
		printf("  %-18s %-24s %12.2f %s\n", name, what, value, unit);
}

void report_limit(struct bench *b, const char *mode, struct limit l)
{
	bool ok = l.at_least ? l.value >= l.bound : l.value <= l.bound;

	if (!ok)
		b->exceeded = true;
	if (b->json)
		printf("{\"mode\":\"%s\",\"as\":\"%s\",\"limit\":\"%s\",\"value\":%.3f,"
		       "\"bound\":%.3f,\"at_least\":%s,\"held\":%s}\n",
		       mode, b->user ? "user" : "root", l.what, l.value, l.bound,
		       l.at_least ? "true" : "false", ok ? "true" : "false");
	else
		printf("  limit: %-52s %8.2f %s %-7.2f %s\n", l.what, l.value,
		       l.at_least ? ">=" : "<=", l.bound, ok ? "held" : "EXCEEDED");
}

void bench_die(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("bench: error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	fflush(stderr);
	_exit(2);
}
