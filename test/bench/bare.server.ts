import Fastify from 'fastify';
import { announceReady } from './announce-ready.js';
import { BareStore } from './bare.store.js';
import { BareRequests } from './bare.requests.js';

/**
 * Minimal server for the same requests: Fastify, node:crypto, one nonce and one event per synced group commit.
 * Arguments: folder, log, then `models` to also write read models, `sealed` to also count limits and seal.
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
