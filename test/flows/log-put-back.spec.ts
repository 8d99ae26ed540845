import { cpSync, existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Health } from '#libs/features/stats/health-report.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import type { RawAgent } from '../raw-agent.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { watchErrors } from '../world/logged-errors.js';
import { CLEAN, World } from '../world.js';
import { QUIET_MS } from './webhook-world.js';

describe.each(['sqlite', 'eventstoredb'])('a start on an older copy of the %s log', kind => {
  let double: EventStoreDouble | undefined;
  let world: World;
  let poster: RawAgent;
  let other: RawAgent;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    if (kind === 'eventstoredb') double = await EventStoreDouble.start();
    const place: { readonly [name: string]: string } = double ? { EVENT_LOG: kind, EVENTSTORE_URL: double.url } : {};
    world = await World.start({ settings: { FETCH_ALLOW: receiver.host, RATE_LIMITS: 'off', ...place } });
    [poster, other] = await world.raws('poster', 'other');
    await other.ok('webhook', { action: 'create', url: receiver.url });
    await poster.ok('connect', { to: other.museId });
    await receiver.waitFor(1);
  }, 60_000);
  afterAll(async () => {
    await world.stop();
    await double?.kill();
    await receiver.stop();
  });

  const file = (name: string) => join(world.folder, 'data', name);
  const move = (from: string, to: string) => {
    rmSync(to, { force: true });
    if (existsSync(from)) cpSync(from, to);
  };

  /** Copies files of a stopped service. Returns a function that puts them back. */
  function copyFiles(...names: string[]): () => void {
    const all = names.flatMap(name => [name, `${name}-wal`, `${name}-shm`].map(file));
    for (const each of all) move(each, `${each}.copy`);
    return () => all.forEach(each => move(`${each}.copy`, each));
  }

  const copyLog = () => (double ? double.memory.copy() : copyFiles('events.db'));

  const job = (title: string) => ({ title, summary: `${title} that says something.`, done: 'It is there.' });
  const statusOf = (...roles: string[]) =>
    Promise.all(roles.map(async role => (await fetch(`${world.url}/api/role/${role}`)).status));
  const health = async () => (await (await fetch(`${world.url}/api/health`)).json()) as Health;

  async function restart(meanwhile: () => void): Promise<string[]> {
    const errors = watchErrors();
    await world.restart({}, meanwhile);
    for (const agent of [poster, other]) Object.assign(agent, { url: world.url });
    await world.settle();
    expect((await health()).status).toBe('ok');
    return errors().map(({ msg }) => msg);
  }

  test('makes everything again from the events that are there', async () => {
    const kept = await poster.postJob(job('A page'));
    let [putBack, putDocumentsBack] = [() => {}, () => {}];
    expect(await restart(() => (putBack = copyLog()))).toEqual([]);
    const request = poster.signed('job', job('A book'));
    const headers = { 'idempotency-key': 'a-key-of-at-least-22-letters' };
    const lost = (await poster.resend('job', request, headers)).body['role'] as string;
    await world.settle();
    expect(await statusOf(kept, lost)).toEqual([200, 200]);
    const position = await world.service.stores.log.head();
    const { length } = await world.events();

    const lines = await restart(() => {
      putDocumentsBack = copyFiles('documents.db', 'coordination.db');
      putBack();
    });
    const gone = length - (await world.events()).length;
    expect(lines).toEqual([
      expect.stringMatching(`^The event log differs at position ${position}: .* ${gone} events? (is|are) gone\\.`),
    ]);
    expect(await statusOf(kept, lost)).toEqual([200, 404]);

    // The log has grown past the end of these documents.
    const others: string[] = [];
    for (const title of ['A letter', 'A poem', 'A long story']) others.push(await other.postJob(job(title)));
    const again = (await poster.resend('job', request, headers)).body;
    expect(await statusOf(again['role'] as string)).toEqual([200]);
    await world.settle();
    expect((await world.service.stores.log.head()) > position).toBe(true);
    const messages = receiver.messages.length;
    const grown = await restart(() => putDocumentsBack());
    expect(grown).toEqual([expect.stringContaining(`The event log differs at position ${position}: `)]);
    expect(await statusOf(kept, ...others)).toEqual([200, 200, 200, 200]);
    await pause(QUIET_MS);
    expect(receiver.messages).toHaveLength(messages);
    const next = await world.raw('next');
    await next.ok('connect', { to: other.museId });
    await receiver.waitFor(messages + 1);
    expect(await restart(() => undefined)).toEqual([]);
    expect(await world.audit()).toEqual(CLEAN);
  }, 120_000);
});
