import { clockOf } from '#libs/setup/file-clock.js';
import { existsSync } from 'node:fs';
import { isKnown, Muse } from '#libs/domain/muse.js';
import { IssuerKeys, currentKey } from '#libs/domain/service.js';
import type { DocumentStore } from '#libs/documents/port.js';
import type { EventLog } from '#libs/event-log/port.js';
import { withoutSealed } from '#libs/event-log/upcast.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { vaultName } from '#libs/issuer/issuer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { mustBeItsChainKind } from '#libs/setup/chain-kind.js';
import { filesOf, openCoordination, openDocuments, openEventLog, openVault } from '#libs/setup/chosen-stores.js';
import type { Settings } from '#libs/setup/settings.js';
import { mustBeItsTag } from '#libs/setup/message-tag.js';
import { SECRET_NAMES } from '#libs/setup/stores.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { calledAs } from '#libs/terminal/command-line.js';
import { stoppedSentence } from '../problems.js';
import { NeverRan, bad, type Check, good, holds, looked } from './check.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** How many events a read model may be behind before it is a finding. */
const LAG_MAX = 1_000;
/** How long the event log may take for an answer: less than the service waits, so that a report takes seconds. */
const CALL_TIMEOUT_MS = 3 * SECOND_MS;
const OF_THIS_LOG = `Restore the vault that belongs to this log: ${calledAs('operator', 'restore <folder>')}.`;

type Store = { close(): Promise<void> };

/** Opens a store, works with it, and closes it in any case. An embedded store that does not exist is not made. */
async function using<S extends Store, T>(
  file: string | undefined,
  open: () => Promise<S>,
  work: (store: S) => Promise<T>,
) {
  if (file !== undefined && !existsSync(file))
    throw new NeverRan(`There is no ${file}: nothing has run on this folder yet.`);
  const store = await open();
  const working = work(store);
  const closed = working
    .then(
      () => undefined,
      () => undefined,
    )
    .then(() => store.close());
  const result = await working;
  // A server that does not answer would hold up the report with its close.
  await closed;
  return result;
}

export const withLog = <T>(settings: Settings, work: (log: EventLog) => Promise<T>) =>
  using(filesOf(settings).events, () => openEventLog(settings, { timeoutMs: CALL_TIMEOUT_MS }), work);

const withVault = <T>(settings: Settings, work: (vault: Vault) => Promise<T>) =>
  using(filesOf(settings).vault, () => openVault(settings), work);

const withDocuments = <T>(settings: Settings, work: (store: DocumentStore) => Promise<T>) =>
  using(filesOf(settings).documents, () => openDocuments(settings), work);

export function checkLog(settings: Settings): Promise<Check[]> {
  return withLog(settings, async log => [good('event log', `It answers; its head is at ${await log.head()}.`)]);
}

export function checkCoordination(settings: Settings): Promise<Check[]> {
  return using(
    filesOf(settings).coordination,
    () => openCoordination(settings),
    async store => {
      await store.get('doctor', clockOf(settings).now());
      return [good('short-lived state', 'It answers.')];
    },
  );
}

/** How far the read models are, and why one of them stopped. */
export function checkProjections(settings: Settings): Promise<Check[]> {
  return withLog(settings, log =>
    withDocuments(settings, async store => {
      for (const projection of PROJECTIONS) await store.open(projection);
      const [stopped, late]: [Check[], string[]] = [[], []];
      for (const { name, position, stopped: reason } of await store.checkpoints()) {
        if (reason !== null) stopped.push(stoppedProjection(name, position, reason));
        else if ((await log.readAll(position, LAG_MAX)).events.length === LAG_MAX) late.push(name);
      }
      const findings = [...stopped, ...(late.length > 0 ? [behind(late)] : [])];
      const many = PROJECTIONS.length;
      return findings.length > 0
        ? findings
        : [good('read models', `All ${many} projections go on and are up to date.`)];
    }),
  );
}

const stoppedProjection = (name: string, position: string, reason: string) =>
  bad(
    'read models',
    stoppedSentence({ name, position, reason }),
    `Install a version that takes this event, then ${calledAs('operator', `rebuild ${name}`)}. The others go on meanwhile.`,
  );

const behind = (names: readonly string[]) =>
  bad(
    'read models',
    `${names.length} projections are at least ${LAG_MAX} events behind the log: ${names.join(', ')}.`,
    'Look whether the service, or its projector, runs. One that has just started, or is being rebuilt, needs time.',
  );

/** Whether the vault belongs to the log. */
export function checkVault(settings: Settings): Promise<Check[]> {
  return withLog(settings, log =>
    withVault(settings, async vault => [
      await checkIssuer(log, vault),
      await checkHouse(log, vault),
      ...(await Promise.all(SECRET_NAMES.map(name => checkSecret(vault, name)))),
      ...(await looked('settings', 'Set the tag that it names: no gateway starts with another one.', () =>
        checkTag(vault, settings),
      )),
      ...(await looked('settings', 'Set the CHAIN that it names: no gateway starts with another one.', () =>
        checkChainKind(vault, settings),
      )),
    ]),
  );
}

/** The events of a stream without what is sealed in them. */
const bareEvents = async (log: EventLog, stream: string) =>
  (await log.read(stream)).flatMap(stored => withoutSealed(stored, EVENT_TYPES) ?? []);

async function checkIssuer(log: EventLog, vault: Vault): Promise<Check> {
  const events = await bareEvents(log, IssuerKeys.named());
  const key = currentKey(events.reduce((keys, event) => IssuerKeys.evolve(keys, event), IssuerKeys.initial));
  if (!key) return bad('vault', 'The log names no issuer key.', 'Start the service once, which makes it.');
  const held = await vault.get(vaultName(key.kid));
  const otherwise = `It does not hold the issuer key ${key.kid} that the log names: no service starts.`;
  return holds(held instanceof Uint8Array, 'vault', `It holds the issuer key ${key.kid}.`, otherwise, OF_THIS_LOG);
}

async function checkHouse(log: EventLog, vault: Vault): Promise<Check> {
  const events = await bareEvents(log, Muse.named(HOUSE_ID));
  const house = events.reduce<Muse>((muse, event) => Muse.evolve(muse, event), Muse.initial);
  if (!isKnown(house)) return bad('vault', 'The house is not registered.', 'Start the service once, which does it.');
  const { public_key } = house;
  const same = (await vault.list('house/', 1)).length > 0 && publicKeyOf(await houseSeed(vault)) === public_key;
  const otherwise = 'It does not hold the key of the house: nobody can hire, accept, pay or close for it.';
  return holds(same, 'vault', 'It holds the key of the house.', otherwise, OF_THIS_LOG);
}

async function checkTag(vault: Vault, { messageTag }: Settings): Promise<Check[]> {
  await mustBeItsTag(vault, messageTag);
  return [];
}

async function checkChainKind(vault: Vault, { chain }: Settings): Promise<Check[]> {
  await mustBeItsChainKind(vault, chain);
  return [];
}

async function checkSecret(vault: Vault, name: string): Promise<Check> {
  const there = (await vault.get(name)) instanceof Uint8Array;
  return holds(there, 'vault', `It holds ${name}.`, `It does not hold ${name}.`, OF_THIS_LOG);
}
