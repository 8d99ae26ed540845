import { existsSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { openSource } from '#apps/auditor/source.js';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import { formatProjectionVersion } from '#libs/documents/build-name.js';
import { LOG_ORIGIN } from '#libs/event-log/log-origin.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { IssuerKeyAdded, Service, LOG_FORMAT } from '#libs/domain/service.js';
import { keyId } from '#libs/issuer/issuer.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';
import { asEvents } from '../../given.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { openIssuer } from './open-issuer.js';

const at = temporaryFolder();
const SEED = new Uint8Array(32).fill(3);
const AGENT_KEY = 'seal/agent_1a2b3c4d5e';
const settingsOf = (more: { readonly [name: string]: string } = {}) =>
  readSettings({ DATA_DIR: at('data'), PORT: '1', ...more });

/** Starts twice: the second start records the first event of the log. */
async function makeStores(more: { readonly [name: string]: string } = {}): Promise<void> {
  await useStores(openIssuer, more);
  await useStores(async ({ vault }) => expect(await vault.get(LOG_ORIGIN)).toBeInstanceOf(Uint8Array), more);
}

async function useStores<T>(
  work: (stores: Stores) => Promise<T>,
  more: { readonly [name: string]: string } = {},
): Promise<T> {
  const stores = await openStores(settingsOf(more));
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

function removeStore(name: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(at(`data/${name}.db${ending}`), { force: true });
}

const operator = (...argv: string[]) => runCommand(readArguments(argv)!, settingsOf());

describe('the log of a vault', () => {
  test('is refused by starts, operators and auditors if its file is missing', async () => {
    await makeStores();
    removeStore('events');
    const sentence = new RegExp(
      `^The event log \\(SQLite, ${at('data/events.db')}\\) does not exist, but the vault belongs to a log .* ` +
        'Correct DATA_DIR or its volume, restore a backup .*, or start a new network in a new data folder\\.$',
    );
    await expect(openStores(settingsOf())).rejects.toThrow(sentence);
    for (const argv of [['status'], ['payments'], ['backup', at('backup')], ['suspend', 'agent_1a2b3c4d5e']])
      await expect(operator(...argv)).rejects.toThrow(sentence);
    await expect(openSource(undefined, settingsOf())).rejects.toThrow(sentence);
    const { json } = await operator('doctor');
    expect((json as { checks: unknown[] }).checks).toContainEqual(
      expect.objectContaining({ name: 'event log', ok: false, sentence: expect.stringContaining('does not exist') }),
    );
    expect(existsSync(at('data/events.db'))).toBe(false);
    expect((await operator('reset', '--yes')).ok).toBe(true);
    await makeStores();
  });

  test.each([
    ['names no format', undefined],
    [`has format ${LOG_FORMAT + 1}`, LOG_FORMAT + 1],
  ])('is refused by starts, operators and auditors if it %s', async (stated, format) => {
    await useStores(async ({ journal, vault }) => {
      const key = { kid: keyId(publicKeyOf(SEED)), public_key: publicKeyOf(SEED) };
      await vault.putIfAbsent(`issuer/${key.kid}`, SEED);
      const fact = IssuerKeyAdded({ ...key, ...(format !== undefined && { format }) });
      const events = asEvents([fact], Service.streamName()).map(event => ({ ...event, at: Date.now() }));
      await journal.append(Service.streamName(), 'none', events);
    });
    const both = `${stated}, and this version reads format ${LOG_FORMAT}.`;
    const advice = 'Use the version that wrote it, set another DATA_DIR, or discard the old data (npm run operator';
    const sentence = `${both} ${advice}`;
    await expect(openStores(settingsOf())).rejects.toThrow(sentence);
    await expect(operator('payments')).rejects.toThrow(sentence);
    await expect(openSource(undefined, settingsOf())).rejects.toThrow(sentence);
    expect((await operator('doctor')).text).toContain(both);
    expect((await operator('reset', '--yes')).ok).toBe(true);
  });

  test('is refused if it has no event or begins with another one', async () => {
    await makeStores();
    renameSync(at('data'), at('first'));
    await makeStores();
    removeStore('events');
    renameSync(at('first/events.db'), at('data/events.db'));
    const foreign = 'is not the log that the vault belongs to: it begins with another event.';
    await expect(openStores(settingsOf())).rejects.toThrow(foreign);
    await expect(operator('payments')).rejects.toThrow(foreign);
    expect((await operator('doctor')).text).toContain(foreign);
  });

  test('is refused on an emptied server, with the hosts of EVENTSTORE_URL', async () => {
    const [used, emptied] = [await EventStoreDouble.start(), await EventStoreDouble.start()];
    const more = (double: EventStoreDouble) => ({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url });
    await makeStores(more(used));
    const { host } = new URL(emptied.url);
    await expect(openStores(settingsOf(more(emptied)))).rejects.toThrow(
      `The event log (EventStoreDB at ${host}) has no event, but the vault belongs to a log with events. ` +
        "Correct EVENTSTORE_URL or the server's volume",
    );
    await (await openStores(settingsOf(more(used)))).close();
    await Promise.all([used.kill(), emptied.kill()]);
  });

  test('the log of a vault may be empty if an older vault holds no key of an agent', async () => {
    await useStores(({ vault }) => vault.putIfAbsent('seal/agent_house00000', Buffer.alloc(32)));
    removeStore('events');
    await useStores(({ vault }) => vault.putIfAbsent(AGENT_KEY, Buffer.alloc(32)));
    removeStore('events');
    await expect(openStores(settingsOf())).rejects.toThrow('does not exist, but the vault belongs to a log');
  });

  test('is refused if it is empty beside documents that were made from another log', async () => {
    await makeStores();
    await useStores(async ({ documents, log }) => {
      const projection = PROJECTIONS[0]!;
      const from = await (await documents.open(projection)).checkpoint();
      const lease = await documents.lease(formatProjectionVersion(projection), 'test', MINUTE_MS, Date.now());
      await documents.commit([{ projection, documents: [], from, to: await log.head() }], lease!);
    });
    for (const store of ['events', 'vault']) removeStore(store);
    await expect(openStores(settingsOf())).rejects.toThrow(
      new RegExp(`has no event, but the documents \\(SQLite, ${at('data/documents.db')}\\) .* empty document store`),
    );
    removeStore('documents');
    await makeStores();
  });
});
