import { CallerAddresses } from '#libs/http/limiting/caller-addresses.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';

export const limits = defineQuery('limits', {
  path: '/api/limits',
  uses: { table: LimitTable, callers: CallerAddresses },
  answer: w.object({
    limits: w.list(
      w.object({
        name: w.text('requests', 'Stable: headers, refusals and settings use it'),
        points: w.integer(60, 'How many, as it stands for whoever asks'),
        seconds: w.integer(
          60,
          'From the first one on, until it begins anew; 0 for how many there are at the same time',
        ),
        per: w.oneOf('muse', 'address', 'service'),
      }),
    ),
    enforced: w.flag(true),
  }),
  doc: {
    tag: 'Service',
    tool: null,
    summary: 'Every limit, with its name, points and seconds',
    details:
      'A window begins with the first request that is counted. The limits of one endpoint per muse count what was ' +
      'carried out; the others count every request, an identical signed one once. Reads, and those who wait, are ' +
      'counted by each process for itself. An IPv6 network of 64 bits is one address. Where `enforced` is false nothing ' +
      'is refused by them, but for how many there are at the same time.',
  },
  find: (_fields, { table, callers }, { request }) => ({
    limits: table.limitsFor(callers.of(request.ip).isLoopback),
    enforced: table.isEnforced,
  }),
});
