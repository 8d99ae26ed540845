import Fastify from 'fastify';
import { announceReady } from './announce-ready.js';
import { BareStore } from './bare.store.js';
import { BareRequests } from './bare.requests.js';

/**
 * The least that any server must do for the same requests: Fastify, ed25519 by node:crypto, one nonce claimed, one event
 * appended in a group commit that is synced, JSON out. Arguments: its own folder, the log that it starts from, `models`
 * where it also folds and writes the read models in the same commit, and `sealed` where it also counts against two
 * limits, and seals and commits to what was said, as the format of the log asks of whoever writes it.
 */
const [folder, log, ...options] = process.argv.slice(2);
const does = { models: options.includes('models'), sealed: options.includes('sealed') };
const store = new BareStore(folder!, does);
store.fill(log!);
const requests = new BareRequests(store, does.sealed);
const app = Fastify({ bodyLimit: 64 * 1024 * 1024 });

for (const endpoint of ['apply', 'job', 'post', 'react', 'profile', 'message', 'inbox', 'whoami'] as const)
  app.post(`/api/${endpoint}`, async (request, reply) => {
    const { position, body } = await requests[endpoint](request.headers.authorization, request.body as never);
    return reply.header('event-position', position ?? '').send(body);
  });

/** What the service answers is a stored text here, with its etag. */
app.post('/documents', async request => {
  store.keep(request.body as never);
  return { ok: true };
});
app.get('/api/muse/:id', async (request, reply) => {
  const { id } = request.params as { id: string };
  const etag = store.etag(id)!;
  if (request.headers['if-none-match'] === etag) return reply.code(304).header('etag', etag).send();
  return reply.header('etag', etag).type('application/json; charset=utf-8').send(store.text(id));
});
app.get('/api/feed', async (_request, reply) => {
  return reply.type('application/json; charset=utf-8').send(store.feed());
});

await app.listen({ port: 0, host: '127.0.0.1' });
announceReady({ port: (app.server.address() as { port: number }).port }, () => app.close());
