import { defineQuery, w } from '#libs/endpoints/declare.js';
import { Routes } from '#libs/http/routes.js';
import { Issuer } from '#libs/issuer/issuer.js';

export const discovery = defineQuery('discovery', {
  path: '/.well-known/x402',
  bare: true,
  uses: { issuer: Issuer, routes: Routes },
  answer: w.object({
    version: w.literal(1, 'Version of the format'),
    resources: w.list(w.text('https://jobs.example/api/verify'), 'Addresses of paid operations'),
  }),
  doc: {
    tag: 'Payments',
    summary: 'Get the paid resources',
    details: 'For x402 directories: the addresses that answer an empty POST with 402.',
  },
  find: (_fields, { issuer, routes }) => ({
    version: 1,
    resources: routes.paid.flatMap(({ path, paid }) => (paid.offersToAll ? [`${issuer.name}${path}`] : [])),
  }),
});
