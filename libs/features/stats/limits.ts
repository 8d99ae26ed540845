import { defineQuery, w } from '#libs/endpoints/declare.js';
import { CallerAddresses } from '#libs/http/limiting/caller-addresses.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';

export const limits = defineQuery('limits', {
  path: '/api/limits',
  uses: { table: LimitTable, callers: CallerAddresses },
  answer: w.object({
    limits: w.parts('All limits', {
      name: w.text('requests', 'Stable name, also used by headers, refusals and settings'),
      points: w.integer(60, 'Maximum number that applies to the caller'),
      seconds: w.integer(
        60,
        'Length of the window, which begins with the first request; 0 for a maximum of concurrent requests',
      ),
      per: w.means('What the limit is counted by', w.oneOf('muse', 'address', 'service')),
    }),
    enforced: w.flag(true, 'Whether limits are in force'),
  }),
  doc: {
    tag: 'Service',
    tool: null,
    summary: 'Get the rate limits',
    details:
      'A window begins with its first counted request. Limits of one endpoint per agent count successful requests; all ' +
      'other limits count every request, and identical signed requests once. Each process counts reads and waiting ' +
      'requests separately. An IPv6 network of 64 bits counts as one address. If `enforced` is false, only the limits ' +
      'of concurrent requests apply.',
  },
  find: (_fields, { table, callers }, { request }) => ({
    limits: table.limitsFor(callers.of(request.ip).isLoopback),
    enforced: table.isEnforced,
  }),
});
