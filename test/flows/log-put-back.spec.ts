import { cpSync, existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import type { Health } from '#libs/features/stats/health-report.js';
import { readSettings } from '#libs/setup/settings.js';
import { databaseUrl, mongodb, withClient } from '../contract/mongodb.server.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import type { RawAgent } from '../raw-agent.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { watchErrors } from '../world/logged-errors.js';
import { CLEAN, newFolder, settingsIn, World } from '../world.js';
import { QUIET_MS } from './webhook-world.js';

/** Each log with embedded documents, and all stores on servers. */
const PLACES = ['sqlite', 'eventstoredb', ...(mongodb.available ? ['mongodb'] : [])];
const PATIENCE_MS = 150_000;
/** Collection of MongoDB that stays. */
const VAULT = 'keys';

describe.each(PLACES)('a start on an older copy of the log (%s)', kind => {
  const folder = newFolder();
  let double: EventStoreDouble | undefined;
  let world: World;
  let poster: RawAgent;
  let other: RawAgent;
  let receiver: WebhookReceiver;
  let place: { readonly [name: string]: string } = {};
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    if (kind !== 'sqlite') double = await EventStoreDouble.start();
    if (double) place = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
    if (kind === 'mongodb') place = { ...place, DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) };
    world = await World.start({ folder, settings: { FETCH_ALLOW: receiver.host, RATE_LIMITS: 'off', ...place } });
    [poster, other] = await world.raws('poster', 'other');
    await other.ok('webhook', { action: 'create', url: receiver.url });
    await poster.ok('connect', { to: other.museId });
    await receiver.waitFor(1);
  }, PATIENCE_MS);
  afterAll(async () => {
    await world.stop();
    if (kind === 'mongodb') await mongodb.remove(folder);
    await double?.kill();
    await receiver.stop();
  });

  const file = (name: string) => join(folder, 'data', name);
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

  async function copyDatabase(): Promise<() => Promise<void>> {
    const copies = new Map<string, object[]>();
    await withClient(place['MONGODB_URL']!, async client => {
      for (const { name } of await client.db().listCollections().toArray())
        if (name !== VAULT) copies.set(name, await client.db().collection(name).find().toArray());
    });
    return () =>
      withClient(place['MONGODB_URL']!, async client => {
        for (const [name, documents] of copies) {
          await client.db().collection(name).deleteMany({});
          if (documents.length > 0) await client.db().collection(name).insertMany(documents);
        }
      });
  }

  const copyLog = () => (double ? double.memory.copy() : copyFiles('events.db'));
  const copyDocuments = () => (kind === 'mongodb' ? copyDatabase() : copyFiles('documents.db', 'coordination.db'));

  const job = (title: string) => ({ title, summary: `${title} that says something.`, done: 'It is there.' });
  const statusOf = (...roles: string[]) =>
    Promise.all(roles.map(async role => (await fetch(`${world.url}/api/role/${role}`)).status));
  const health = async () => (await (await fetch(`${world.url}/api/health`)).json()) as Health;

  /** Lines of the doctor about the log while the service is stopped. */
  async function doctor(): Promise<string[]> {
    const settings = readSettings({ ...settingsIn(folder), ...place, PORT: '1' });
    const { text } = await runCommand(readArguments(['doctor'])!, settings);
    return text.split('\n').filter(line => line.includes(' event log: '));
  }

  /** Returns the errors of the start, which the doctor has to know before. */
  async function restart(meanwhile: () => void | Promise<void> = () => undefined): Promise<string[]> {
    const errors = watchErrors();
    let doctorLines: string[] = [];
    await world.restart({}, async () => {
      await meanwhile();
      doctorLines = await doctor();
    });
    for (const agent of [poster, other]) Object.assign(agent, { url: world.url });
    await world.settle();
    // Reactions find their place in the older log one after the other.
    while ((await health()).status !== 'ok') await pause(100);
    const lines = errors().map(({ msg }) => msg);
    const [sentence] = lines.map(line => line.replace(/ Saved answers are dropped, .*/, ''));
    expect(doctorLines).toEqual([
      sentence ? `BAD  event log: ${sentence}` : expect.stringMatching(/^ok {3}event log: It answers/),
    ]);
    return lines;
  }

  test(
    'makes everything again from the events that are there',
    async () => {
      const kept = await poster.postJob(job('A page'));
      let [putBack, putDocumentsBack]: (() => void | Promise<void>)[] = [() => {}, () => {}];
      expect(await restart(() => void (putBack = copyLog()))).toEqual([]);
      const request = poster.signed('job', job('A book'));
      const headers = { 'idempotency-key': 'a-key-of-at-least-22-letters' };
      const lost = (await poster.resend('job', request, headers)).body['role'] as string;
      await world.settle();
      expect(await statusOf(kept, lost)).toEqual([200, 200]);
      const head = () => world.service.stores.log.head();
      const position = await head();
      const { length } = await world.events();

      const lines = await restart(async () => {
        putDocumentsBack = await copyDocuments();
        await putBack!();
      });
      // Each start of this world has another port, which it names in an event.
      const gone = length + 1 - (await world.events()).length;
      expect(lines).toEqual([
        expect.stringMatching(`^The event log differs at position ${position}: .* ${gone} events? (is|are) gone\\.`),
      ]);
      expect(await statusOf(kept, lost)).toEqual([200, 404]);
      const differs = [expect.stringContaining(`The event log differs at position ${position}: `)];

      // Another event of the same size has the position of the lost one.
      const same = await poster.postJob(job('A boat'));
      await world.settle();
      expect(await head()).toBe(position);
      expect(await restart(() => putDocumentsBack!())).toEqual(differs);
      expect(await statusOf(kept, lost, same)).toEqual([200, 404, 200]);

      // The log has grown past the end of these documents.
      const others: string[] = [];
      for (const title of ['A letter', 'A poem', 'A long story']) others.push(await other.postJob(job(title)));
      const again = (await poster.resend('job', request, headers)).body;
      expect(await statusOf(again['role'] as string)).toEqual([200]);
      await world.settle();
      expect((await head()) > position).toBe(true);
      const messages = receiver.messages.length;
      expect(await restart(() => putDocumentsBack!())).toEqual(differs);
      expect(await statusOf(kept, same, ...others)).toEqual([200, 200, 200, 200, 200]);
      await pause(QUIET_MS);
      expect(receiver.messages).toHaveLength(messages);
      const next = await world.raw('next');
      await next.ok('connect', { to: other.museId });
      await receiver.waitFor(messages + 1);
      expect(await restart()).toEqual([]);
      expect(await world.audit()).toEqual(CLEAN);
    },
    PATIENCE_MS,
  );
});
