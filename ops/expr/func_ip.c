/* ip_in, ip_net: addresses and the networks that they are in. */
#include "core/number.h"
#include "ops/expr/expr.h"
#include "ops/expr/func.h"
#include "ops/expr/ip.h"

static bool ip_of(const struct value *v, struct ip *out)
{
	struct bytes text;
	return text_of(v, &text) && ip_read(text, out);
}

/* A network that is always the same, read when the expression is bound: conf. */
static int in_fixed(const struct call *call, uint8_t *out)
{
	const struct ip *net = call->expr->conf;
	struct ip ip;
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = !call_skips(call, r) && ip_of(arg_at(call, 0, r), &ip) ? truth_of(ip_within(&ip, net)) : UNKNOWN;
	return 0;
}

static int in_any(const struct call *call, uint8_t *out)
{
	struct ip ip, net;
	for (uint32_t r = 0; r < call->n; r++) {
		bool known = !call_skips(call, r) && ip_of(arg_at(call, 0, r), &ip) && ip_of(arg_at(call, 1, r), &net);
		out[r] = known ? truth_of(ip_within(&ip, &net)) : UNKNOWN;
	}
	return 0;
}

static const struct func fixed_func = { .name = "ip_in", .types = "t>b", .truth = in_fixed };
static const struct func any_func = { .name = "ip_in", .types = "tt>b", .truth = in_any };

/* The network as conf; NULL with err set. */
static struct ip *read_network(const struct binder *b, const struct node *node, const struct value *v)
{
	struct ip ip, *net;
	if (!ip_of(v, &ip)) {
		err_at(b->err, node->span, "this is no network; ip_in wants one like 10.0.0.0/8 or 2001:db8::/32, or one address");
		return NULL;
	}
	net = arena_alloc(b->mem, sizeof *net);
	if (net)
		*net = ip;
	else
		err_memory(b->err);
	return net;
}

struct expr *fn_ip_in(const struct binder *b, const struct node *call)
{
	struct expr **arg = arena_alloc(b->mem, 2 * sizeof *arg);
	struct ip *net = NULL;
	struct value v;
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	for (uint32_t i = 0; i < 2; i++) {
		arg[i] = bind_node(b, call->arg[i]);
		if (!arg[i])
			return NULL;
	}
	bool fixed = expr_type(arg[1]) == T_TEXT && expr_constant(arg[1], &v) && v.type == V_TEXT;
	if (fixed && !(net = read_network(b, call->arg[1], &v)))
		return NULL;
	return bind_call(b, &(struct expr){ .func = fixed ? &fixed_func : &any_func, .span = call->span, .conf = net, .narg = fixed ? 1 : 2, .arg = arg });
}

int fn_ip_net(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		struct ip ip;
		int64_t bits;
		out[r] = value_null();
		if (call_skips(call, r) || !ip_of(arg_at(call, 0, r), &ip) || !number_int(arg_at(call, 1, r), &bits) || bits < 0 || bits > ip.width)
			continue;
		if (!pen_room(&pen, IP_TEXT_MAX))
			return -1;
		ip.prefix = (uint8_t)bits;
		ip = ip_network(ip);
		out[r] = pen_take(&pen, ip_print(&ip, pen.at), VF_CLEAN);
	}
	return 0;
}
