/* SPDX-License-Identifier: MIT */
#include "seccomp_tree.h"

#include <limits.h>
#include <string.h>

/*
 * What a filter costs when it is loaded, in nanoseconds as measured on a 6.18 kernel. Only their
 * proportions matter: the kernel translates every instruction, a jump with both ways elsewhere
 * into two, and then walks through the filter with every number below NUMBERS_END.
 */
#define COST_INSTRUCTION 115
#define COST_SECOND_JUMP 95
#define COST_STEP 2
#define NUMBERS_END 470

#define ALWAYS (BPF_JMP | BPF_JA)
#define NOWHERE UINT_MAX
#define REACH 255 /* instructions that a conditional jump can skip */
#define MARGIN 60 /* longer than any row of instructions that has no place for a relay */

/* Ranges that are no wider than this are taken apart, as comparing for equality may be cheaper. */
#define NARROW 2

/* Numbers that lie together, up to the next segment, and have the same answer. */
struct segment {
	uint32_t first;
	unsigned answer;
	bool single;
	unsigned weight; /* how many numbers the kernel tries */
};

/* The cheapest way to tell some neighbouring segments apart. */
struct plan {
	unsigned cost;
	bool chain; /* compare for each number that has not the answer `other`, else split */
	unsigned other;
	size_t split; /* the first segment on the upper side */
};

struct search {
	struct seccomp_nodes *nodes;
	size_t count;
	struct segment segment[SECCOMP_NUMBERS_MAX];
	struct plan plan[SECCOMP_NUMBERS_MAX][SECCOMP_NUMBERS_MAX]; /* from, to; both included */
};

/*
 * Nodes become instructions in such an order that jumps go forward: a node is ready when all that
 * lead to it are written. The newest ready one is taken, so that most nodes follow directly on one
 * that leads to them and blocks stay near the calls that they judge.
 */
struct writer {
	struct seccomp_code *out;
	const struct seccomp_nodes *nodes;
	bool full;
	unsigned waiting[SECCOMP_NODES_MAX]; /* how many unwritten nodes lead here */
	size_t ready_count;
	unsigned ready[SECCOMP_NODES_MAX]; /* nodes that can be written */
	/* Where the ways of an instruction lead; NOWHERE once it is known how far that is. */
	unsigned yes[BPF_MAXINSNS];
	unsigned no[BPF_MAXINSNS];
};

static bool is_jump(uint16_t code)
{
	return BPF_CLASS(code) == BPF_JMP;
}

static bool is_return(uint16_t code)
{
	return BPF_CLASS(code) == BPF_RET;
}

static bool same_node(const struct seccomp_node *a, const struct seccomp_node *b)
{
	return a->code == b->code && a->k == b->k && a->yes == b->yes && a->no == b->no;
}

static unsigned find_node(struct seccomp_nodes *nodes, struct seccomp_node wanted)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (same_node(&nodes->node[i], &wanted))
			return i;
	if (nodes->count == SECCOMP_NODES_MAX) {
		nodes->full = true;
		return 0;
	}
	nodes->node[nodes->count] = wanted;
	return nodes->count++;
}

unsigned seccomp_return(struct seccomp_nodes *nodes, uint32_t action)
{
	return find_node(nodes, (struct seccomp_node){ .code = BPF_RET | BPF_K, .k = action });
}

unsigned seccomp_statement(struct seccomp_nodes *nodes, uint16_t code, uint32_t k, unsigned then)
{
	if (is_return(nodes->node[then].code))
		return then; /* it would change nothing */
	return find_node(nodes, (struct seccomp_node){ code, k, then, then });
}

unsigned seccomp_jump(struct seccomp_nodes *nodes, uint16_t comparison, uint32_t k, unsigned yes,
		      unsigned no)
{
	uint16_t code = BPF_JMP | BPF_K | comparison;

	return yes == no ? yes : find_node(nodes, (struct seccomp_node){ code, k, yes, no });
}

static void add_segment(struct search *s, uint32_t first, uint32_t last, unsigned answer)
{
	uint32_t end = last < NUMBERS_END ? last + 1 : NUMBERS_END;

	if (s->count == SECCOMP_NUMBERS_MAX) {
		s->nodes->full = true;
		return;
	}
	s->segment[s->count++] = (struct segment){ .first = first,
						   .answer = answer,
						   .single = first == last,
						   .weight = first < end ? end - first : 0 };
}

static void add_segments(struct search *s, uint32_t first, uint32_t last, unsigned answer)
{
	if (last - first >= NARROW) {
		add_segment(s, first, last, answer);
		return;
	}
	for (uint32_t i = 0; i <= last - first; i++)
		add_segment(s, first + i, first + i, answer);
}

static void cut(struct search *s, const struct seccomp_range *ranges, size_t count, uint32_t first,
		unsigned other)
{
	for (size_t i = 0; i < count; i++) {
		if (ranges[i].first > first)
			add_segments(s, first, ranges[i].first - 1, other);
		add_segments(s, ranges[i].first, ranges[i].last, ranges[i].answer);
		first = ranges[i].last + 1;
	}
	if (!count || first)
		add_segments(s, first, UINT32_MAX, other);
}

static bool uniform(const struct search *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (s->segment[i].answer != s->segment[to].answer)
			return false;
	return true;
}

/* Tries to ask for one number after the other; the rest of them has the answer `other`. */
static void try_chain(struct search *s, size_t from, size_t to, unsigned other)
{
	struct plan *best = &s->plan[from][to];
	unsigned length = 0;
	unsigned passing = 0; /* numbers that go through the whole chain */
	unsigned cost;

	for (size_t i = from; i <= to; i++) {
		const struct segment *segment = &s->segment[i];

		if (segment->answer == other)
			passing += segment->weight;
		else if (segment->single)
			length++;
		else
			return;
	}
	cost = length * COST_INSTRUCTION + COST_SECOND_JUMP +
	       (length * passing + length * (length + 1) / 2) * COST_STEP;
	if (cost < best->cost)
		*best = (struct plan){ .cost = cost, .chain = true, .other = other };
}

static void try_splits(struct search *s, size_t from, size_t to)
{
	struct plan *best = &s->plan[from][to];
	unsigned weight = 0;

	for (size_t i = from; i <= to; i++)
		weight += s->segment[i].weight;
	for (size_t i = from + 1; i <= to; i++) {
		unsigned below = s->plan[from][i - 1].cost;
		unsigned above = s->plan[i][to].cost;
		unsigned cost = below + above + COST_INSTRUCTION + weight * COST_STEP;

		if (!below && !above)
			cost += COST_SECOND_JUMP;
		if (cost < best->cost)
			*best = (struct plan){ .cost = cost, .split = i };
	}
}

/* An optimal search is made of optimal searches: the plans for fewer segments are there first. */
static void choose(struct search *s, size_t from, size_t to)
{
	struct plan *plan = &s->plan[from][to];

	*plan = (struct plan){ .chain = true, .other = s->segment[from].answer };
	if (uniform(s, from, to))
		return;
	plan->cost = UINT32_MAX;
	try_chain(s, from, to, s->segment[from].answer);
	try_chain(s, from, to, s->segment[from + 1].answer);
	try_splits(s, from, to);
}

static unsigned build_chain(struct search *s, size_t from, size_t to, unsigned other)
{
	unsigned node = other;

	for (size_t i = to + 1; i-- > from;)
		if (s->segment[i].answer != other)
			node = seccomp_jump(s->nodes, BPF_JEQ, s->segment[i].first,
					    s->segment[i].answer, node);
	return node;
}

static unsigned build(struct search *s, size_t from, size_t to)
{
	const struct plan *plan = &s->plan[from][to];
	unsigned below, above;

	if (plan->chain)
		return build_chain(s, from, to, plan->other);
	below = build(s, from, plan->split - 1);
	above = build(s, plan->split, to);
	return seccomp_jump(s->nodes, BPF_JGE, s->segment[plan->split].first, above, below);
}

unsigned seccomp_search(struct seccomp_nodes *nodes, const struct seccomp_range *ranges,
			size_t count, uint32_t first, unsigned other)
{
	static struct search s; /* too large for the stack */

	s.nodes = nodes;
	s.count = 0;
	cut(&s, ranges, count, first, other);
	for (size_t to = 0; to < s.count; to++)
		for (size_t from = to + 1; from-- > 0;)
			choose(&s, from, to);
	return build(&s, 0, s.count - 1);
}

/* Nodes lead to earlier ones only, so each is reached before it is looked at. */
static void count_ways(struct writer *w, unsigned first)
{
	w->waiting[first] = 1;
	for (unsigned i = first + 1; i-- > 0;) {
		const struct seccomp_node *node = &w->nodes->node[i];

		if (!w->waiting[i] || is_return(node->code))
			continue;
		w->waiting[node->yes]++;
		if (is_jump(node->code))
			w->waiting[node->no]++;
	}
}

static void emit(struct writer *w, uint16_t code, uint32_t k, unsigned yes, unsigned no)
{
	size_t at = w->out->length;

	if (at == BPF_MAXINSNS) {
		w->full = true;
		return;
	}
	w->out->code[at] = (struct sock_filter){ .code = code, .k = k };
	w->yes[at] = yes;
	w->no[at] = no;
	w->out->length++;
}

static unsigned char reach(struct writer *w, size_t distance)
{
	if (distance > REACH)
		w->full = true;
	return distance;
}

/* The next instruction is where the ways to `node` lead. Returns whether there are any. */
static bool arrive(struct writer *w, unsigned node)
{
	bool reached = false;

	for (size_t i = 0; i < w->out->length; i++) {
		struct sock_filter *from = &w->out->code[i];
		size_t distance = w->out->length - i - 1;
		bool yes = w->yes[i] == node;
		bool no = w->no[i] == node;

		if (yes && from->code == ALWAYS)
			from->k = distance;
		else if (yes)
			from->jt = reach(w, distance);
		if (no)
			from->jf = reach(w, distance);
		w->yes[i] = yes ? NOWHERE : w->yes[i];
		w->no[i] = no ? NOWHERE : w->no[i];
		reached = reached || yes || no;
	}
	return reached;
}

static void emit_relay(struct writer *w, unsigned node)
{
	const struct seccomp_node *target = &w->nodes->node[node];

	arrive(w, node);
	if (is_return(target->code))
		emit(w, target->code, target->k, NOWHERE, NOWHERE);
	else
		emit(w, ALWAYS, 0, node, NOWHERE);
}

/* Where nothing runs on into the next instruction, ways that become too long get a relay. */
static void emit_relays(struct writer *w)
{
	for (size_t i = 0; i + REACH < w->out->length + MARGIN && i < w->out->length; i++) {
		if (w->out->code[i].code == ALWAYS)
			continue;
		if (w->yes[i] != NOWHERE)
			emit_relay(w, w->yes[i]);
		if (w->no[i] != NOWHERE)
			emit_relay(w, w->no[i]);
	}
}

static void leave(struct writer *w, unsigned node)
{
	if (--w->waiting[node] == 0)
		w->ready[w->ready_count++] = node;
}

static void emit_node(struct writer *w, unsigned number)
{
	const struct seccomp_node *node = &w->nodes->node[number];
	bool reached = arrive(w, number);

	if (is_return(node->code)) {
		if (reached) /* else relays have taken its place */
			emit(w, node->code, node->k, NOWHERE, NOWHERE);
	} else if (is_jump(node->code)) {
		emit(w, node->code, node->k, node->yes, node->no);
		leave(w, node->yes);
		leave(w, node->no);
	} else {
		emit(w, node->code, node->k, NOWHERE, NOWHERE);
		leave(w, node->yes);
		if (w->waiting[node->yes])
			emit(w, ALWAYS, 0, node->yes, NOWHERE);
	}
}

/* Whether the last instruction written can run on into this node, without a jump. */
static bool follows(const struct writer *w, unsigned last, unsigned node)
{
	return w->nodes->node[last].yes == node || w->nodes->node[last].no == node;
}

bool seccomp_write(struct seccomp_code *code, const struct seccomp_nodes *nodes, unsigned first)
{
	static struct writer w; /* too large for the stack */
	unsigned last = NOWHERE;

	memset(&w, 0, sizeof(w));
	code->length = 0;
	w.out = code;
	w.nodes = nodes;
	w.full = nodes->full;
	count_ways(&w, first);
	leave(&w, first);
	while (w.ready_count && !w.full) {
		unsigned node = w.ready[--w.ready_count];

		if (last != NOWHERE && !follows(&w, last, node))
			emit_relays(&w);
		emit_node(&w, node);
		last = node;
	}
	return !w.full;
}
