import { setTimeout as pause } from 'node:timers/promises';
import type { Arena, Server } from './arena.js';
import type { TokenHolder } from './token-holder.js';
import { fetchAll } from './load.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';
import type { By } from './requests.writes.js';
import { rate, runRates } from './rows.requests.js';
import { median } from './statistics.js';

const WRITES = 1_000;
const WARM_UPS = 2;
const MESSAGES = 15;
/** Range of the random delay between the wait and the message. */
const MOMENT_MS = 120;

export async function posts(arena: Arena): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, by] of [
    ['post, signed', 'signature'],
    ['post, by token', 'token'],
  ] as const) {
    const postRate = (server: Server) => arena.writes.posts(server, WRITES, by);
    const rounds = await runRates(arena, ['service', 'models'], postRate, WARM_UPS);
    rows.push(rowOf(rounds, `${name}, against bare + models`, ['service', 'models'], [0.5, 0.75]));
  }
  return rows;
}

/** Free jobs of plain callers, who send no `min-position`, and signed ones of callers that keep positions. */
export async function jobs(arena: Arena): Promise<Row[]> {
  const posted = (server: Server, by: By, isPlain = true) =>
    rate(arena, server, () => arena.writes.jobs(server, WRITES, by, isPlain));
  const contestants = {
    service: posted('service', 'signature'),
    'with min-position': posted('service', 'signature', false),
    bare: posted('bare', 'signature'),
    models: posted('models', 'signature'),
  };
  const rounds = await runPaired(contestants, WARM_UPS);
  const held = await runPaired({ service: posted('service', 'token'), models: posted('models', 'token') }, WARM_UPS);
  return [
    rowOf(rounds, 'free job, signed, against bare', ['service', 'bare'], [0.3, 0.75]),
    rowOf(rounds, 'free job, signed, against bare + models', ['service', 'models'], [0.65, 1]),
    rowOf(rounds, 'free job, signed, with min-position, against bare', ['with min-position', 'bare'], [0.3, 0.75]),
    rowOf(held, 'free job, by token, against bare + models', ['service', 'models'], [0.55, 1]),
  ];
}

export async function reactions(arena: Arena): Promise<Row[]> {
  const reacted = (server: Server) => arena.writes.reactions(server, WRITES);
  const rounds = await runRates(arena, ['service', 'bare', 'models'], reacted, WARM_UPS);
  return [
    rowOf(rounds, 'reaction, signed, against bare', ['service', 'bare'], [0.5, 0.75]),
    rowOf(rounds, 'reaction, signed, against bare + models', ['service', 'models'], [0.75, 1]),
  ];
}

export async function inboxes(arena: Arena): Promise<Row[]> {
  const news = () => arena.writes.inboxesWithNews(WRITES);
  const without = await runRates(arena, ['service', 'bare'], () => arena.writes.inboxesWithoutNews(WRITES));
  const withNews = await runPaired({
    service: async () => {
      await arena.news(WRITES);
      return rate(arena, 'service', news)();
    },
    models: rate(arena, 'models', news),
  });
  return [
    rowOf(without, 'inbox without news, by token', ['service', 'bare'], [0.3, 0.6]),
    rowOf(withNews, 'inbox with news, signed, against bare + models', ['service', 'models'], [0.3, 0.6]),
  ];
}

/** From the first byte of a message to the response of the waiting inbox; bare responds on commit. */
export async function messages(arena: Arena): Promise<Row[]> {
  const [writer, reader] = await arena.connectedHolders();
  const waited = (server: Server) => async () => {
    const times: number[] = [];
    if (server === 'service') await emptyInbox(arena.port(server), reader);
    for (let sent = 0; sent < MESSAGES; sent += 1) times.push(await measureArrival(arena.port(server), writer, reader));
    return median(times);
  };
  const rounds = await runPaired({ service: waited('service'), bare: waited('bare') });
  const name = 'one message until the inbox that waits answers, p50, against bare';
  return [rowOf(rounds, name, ['service', 'bare'], [40, 20], 'ms')];
}

/** Empties the inbox, since older items would end the wait early. */
async function emptyInbox(port: number, reader: TokenHolder): Promise<void> {
  const read = () => fetchAll<{ items?: unknown[] }>(port, [reader.request('inbox', { limit: '50' })]);
  for (let [page] = await read(); page?.items?.length; [page] = await read());
}

async function measureArrival(port: number, writer: TokenHolder, reader: TokenHolder): Promise<number> {
  const held = fetchAll<{ items: unknown[] }>(port, [reader.request('inbox', { wait: '20', limit: '1' })]);
  await pause(MOMENT_MS / 4 + Math.random() * MOMENT_MS);
  const start = performance.now();
  const sent = fetchAll(port, [writer.request('message', { to: reader.museId, text: 'Are you there?' })]);
  const [inbox] = await held;
  const took = performance.now() - start;
  await sent;
  if (inbox!.items.length !== 1) throw new Error('No message has come.');
  return took;
}
