import { clockOf } from '#libs/setup/file-clock.js';
import { existsSync } from 'node:fs';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { findCurrentKey, Service } from '#libs/domain/service.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { openWithoutKeys } from '#libs/event-log/upcast.js';
import { stoppedSentence } from '#libs/features/stats/health-problems.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { issuerKeyName } from '#libs/issuer/issuer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { describeDifference, findLogDifference } from '#libs/service/log-history.js';
import { findConfiguredLogFault } from '#libs/setup/log-of-vault.js';
import { requireChainKind, requireMessageTag } from '#libs/setup/pinned-settings.js';
import { storeFiles, openCoordination, openDocuments, openEventLog, openVault } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { SECRET_NAMES } from '#libs/setup/stores.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { NeverStarted, failedCheck, type Check, passedCheck, checkThat, runCheck } from './check.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** A larger lag of a read model is a finding. */
const LAG_MAX = 1_000;
/** Shorter than the service's own limit, so that a report takes seconds. */
const CALL_TIMEOUT_MS = 3 * SECOND_MS;
/** A longer count ends with the number so far. */
const FOREIGN_COUNT_MS = 5 * SECOND_MS;
const HISTORY_ADVICE =
  'Put the newest data of the log back. If there is none, start the service: it makes the documents again from the events that are there.';
const RESTORE_ADVICE = `Restore the vault that belongs to this log: ${commandFor('operator', 'restore <folder>')}.`;

type ClosableStore = { close(): Promise<void> };

/** Always closes the store. Does not create an embedded store. */
async function withStore<S extends ClosableStore, T>(
  file: string | undefined,
  open: () => Promise<S>,
  work: (store: S) => Promise<T>,
) {
  if (file !== undefined && !existsSync(file))
    throw new NeverStarted(`${file} does not exist: no service has started on this folder yet.`);
  const store = await open();
  const pending = work(store);
  const closed = pending
    .then(
      () => undefined,
      () => undefined,
    )
    .then(() => store.close());
  const result = await pending;
  // After a failure, closing a server that does not answer would delay the report.
  await closed;
  return result;
}

export const withLog = <T>(settings: Settings, work: (log: EventLog) => Promise<T>) =>
  withStore(storeFiles(settings).events, () => openEventLog(settings, { timeoutMs: CALL_TIMEOUT_MS }), work);

const withVault = <T>(settings: Settings, work: (vault: Vault) => Promise<T>) =>
  withStore(storeFiles(settings).vault, () => openVault(settings), work);

const withDocuments = <T>(settings: Settings, work: (store: DocumentStore) => Promise<T>) =>
  withStore(storeFiles(settings).documents, () => openDocuments(settings), work);

const unless =
  (expected: new (...args: never[]) => Error) =>
  (error: unknown): undefined => {
    if (!(error instanceof expected)) throw error;
  };

export async function checkLog(settings: Settings): Promise<Check[]> {
  const answer = withLog(settings, async log => {
    log.check?.();
    const head = await log.head();
    return passedCheck('event log', `It answers; its head is at ${head}.${await describeForeignEvents(log)}`);
  });
  await answer.catch(unless(NeverStarted));
  // Other checks report an outage of the vault or the documents.
  const fault = await findConfiguredLogFault(settings, { timeoutMs: CALL_TIMEOUT_MS }).catch(unless(Unavailable));
  if (fault) return [failedCheck('event log', fault.sentence, fault.advice)];
  const passed = await answer;
  const difference = await findDifference(settings).catch(unless(Unavailable));
  return [difference ? failedCheck('event log', describeDifference(difference), HISTORY_ADVICE) : passed];
}

const findDifference = (settings: Settings) =>
  withLog(settings, log =>
    withVault(settings, async vault => {
      const compare = (documents: DocumentStore | null) => findLogDifference({ log, vault, documents });
      return (await withDocuments(settings, compare).catch(unless(NeverStarted))) ?? compare(null);
    }),
  ).catch(unless(NeverStarted));

async function describeForeignEvents(log: EventLog): Promise<string> {
  const { count, isComplete } = (await log.countForeignEvents?.(FOREIGN_COUNT_MS)) ?? { count: 0, isComplete: true };
  if (count === 0) return '';
  const events = count === 1 ? 'event of another application' : 'events of other applications';
  return ` The service passes over ${isComplete ? '' : 'at least '}${count} ${events} on the server.`;
}

export function checkCoordination(settings: Settings): Promise<Check[]> {
  return withStore(
    storeFiles(settings).coordination,
    () => openCoordination(settings),
    async store => {
      store.check?.();
      await store.get('doctor', clockOf(settings).now());
      return [passedCheck('short-lived state', 'It answers.')];
    },
  );
}

export function checkProjections(settings: Settings): Promise<Check[]> {
  return withLog(settings, log =>
    withDocuments(settings, async store => {
      store.check?.();
      for (const projection of PROJECTIONS) await store.open(projection);
      const [stopped, lagging]: [Check[], string[]] = [[], []];
      for (const { name, position, stopped: reason } of await store.checkpoints()) {
        if (reason !== null) stopped.push(stoppedProjection(name, position, reason));
        else if ((await log.readAll(position, LAG_MAX)).events.length === LAG_MAX) lagging.push(name);
      }
      const findings = [...stopped, ...(lagging.length > 0 ? [laggingFinding(lagging)] : [])];
      return findings.length > 0
        ? findings
        : [passedCheck('read models', `All ${PROJECTIONS.length} projections are running and up to date.`)];
    }),
  );
}

const stoppedProjection = (name: string, position: string, reason: string) =>
  failedCheck(
    'read models',
    stoppedSentence({ name, position, reason }),
    `Install a version that supports this event, then run ${commandFor('operator', `rebuild ${name}`)}. The other projections keep running.`,
  );

const laggingFinding = (names: readonly string[]) =>
  failedCheck(
    'read models',
    `${names.length} projections are at least ${LAG_MAX} events behind the log: ${names.join(', ')}.`,
    'Check that the service or its projector runs. After a start or during a rebuild, wait.',
  );

/** Checks that the vault belongs to the log. */
export function checkVault(settings: Settings): Promise<Check[]> {
  return withLog(settings, log =>
    withVault(settings, async vault => {
      vault.check?.();
      return checkOpenedVault(settings, log, vault);
    }),
  );
}

const checkOpenedVault = async (settings: Settings, log: EventLog, vault: Vault): Promise<Check[]> => [
  await checkIssuer(log, vault),
  await checkHouse(log, vault),
  ...(await Promise.all(SECRET_NAMES.map(name => checkSecret(vault, name)))),
  ...(await runCheck('settings', 'Set the tag that it names: no gateway starts with another tag.', () =>
    requireMessageTag(vault, settings.messageTag).then(() => []),
  )),
  ...(await runCheck('settings', 'Set the CHAIN that it names: no gateway starts with another kind.', () =>
    requireChainKind(vault, settings.chain).then(() => []),
  )),
];

/** Skips sealed values, so no key is needed. */
const readUnsealedEvents = async (log: EventLog, stream: string) =>
  (await log.read(stream)).flatMap(stored => openWithoutKeys(stored, EVENT_TYPES) ?? []);

async function checkIssuer(log: EventLog, vault: Vault): Promise<Check> {
  const events = await readUnsealedEvents(log, Service.streamName());
  const { keys } = events.reduce((service, event) => Service.evolve(service, event), Service.initial);
  const key = findCurrentKey(keys);
  if (!key) return failedCheck('vault', 'The log names no issuer key.', 'Start the service once: it creates the key.');
  const entry = await vault.get(issuerKeyName(key.kid));
  const otherwise = `It does not hold the issuer key ${key.kid} that the log names: the service cannot start.`;
  return checkThat(
    entry instanceof Uint8Array,
    'vault',
    `It holds the issuer key ${key.kid}.`,
    otherwise,
    RESTORE_ADVICE,
  );
}

async function checkHouse(log: EventLog, vault: Vault): Promise<Check> {
  const events = await readUnsealedEvents(log, Muse.streamName(SYSTEM_ACCOUNT_ID));
  const house = events.reduce<Muse>((muse, event) => Muse.evolve(muse, event), Muse.initial);
  if (!isKnownMuse(house))
    return failedCheck('vault', 'The house is not registered.', 'Start the service once: it registers the house.');
  const { public_key } = house;
  const isHouseKey = (await vault.list('house/', 1)).length > 0 && publicKeyOf(await houseSeed(vault)) === public_key;
  const otherwise = 'It does not hold the key of the house: the commands hire, accept, pay and close fail.';
  return checkThat(isHouseKey, 'vault', 'It holds the key of the house.', otherwise, RESTORE_ADVICE);
}

async function checkSecret(vault: Vault, name: string): Promise<Check> {
  const isPresent = (await vault.get(name)) instanceof Uint8Array;
  return checkThat(isPresent, 'vault', `It holds ${name}.`, `It does not hold ${name}.`, RESTORE_ADVICE);
}
