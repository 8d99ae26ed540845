import type { EventLog } from '#libs/event-log/event-log.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { VaultEntry, Vault } from '#libs/platform/vault/port.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

/** Vault keys `message-tag/<n>`: the highest number holds the current tag. */
const TAG_PREFIX = 'message-tag/';
/** Changes allowed before anything is signed. */
const CHANGES_MAX = 9;
/** A longer log without a signature among its first events counts as signed. */
const EVENTS_CHECKED_MAX = 1_000;

type ChainKind = Settings['chain'];
const CHAIN_NAME = 'chain';
const MONEY: { readonly [kind in ChainKind]: string } = {
  dev: 'play money',
  rpc: 'real money',
  facilitator: 'real money',
};

/**
 * Records the tag before anything is signed. Throws if something was signed under another tag: agents would sign
 * messages that another process refuses, and an auditor could not tell which tag a signature used.
 */
export async function pinMessageTag(vault: Vault, log: Pick<EventLog, 'readAll'>, tag: string): Promise<void> {
  const { tag: lastTag, count } = await readLastTag(vault);
  if (lastTag === tag) return;
  const isSigned = count === CHANGES_MAX || (await hasSignedEvents(log));
  if (lastTag !== undefined && isSigned) throw wrongTagError(lastTag, tag);
  // Another gateway may record a tag at the same moment.
  if (!isSigned) requireSameTag(tagText(await vault.putIfAbsent(`${TAG_PREFIX}${count + 1}`, Buffer.from(tag))), tag);
}

/** Throws as `pinMessageTag` does, but records nothing. */
export async function requireMessageTag(vault: Vault, tag: string): Promise<void> {
  requireSameTag((await readLastTag(vault)).tag, tag);
}

const tagText = (entry: VaultEntry | undefined) =>
  entry instanceof Uint8Array ? Buffer.from(entry).toString() : undefined;

function requireSameTag(lastTag: string | undefined, tag: string): void {
  if (lastTag !== undefined && lastTag !== tag) throw wrongTagError(lastTag, tag);
}

async function readLastTag(vault: Vault): Promise<{ readonly tag: string | undefined; readonly count: number }> {
  const names = await vault.list(TAG_PREFIX, CHANGES_MAX);
  const entry = names.length === 0 ? undefined : await vault.get(names.at(-1)!);
  return { tag: tagText(entry), count: names.length };
}

async function hasSignedEvents(log: Pick<EventLog, 'readAll'>): Promise<boolean> {
  const { events } = await log.readAll(LOG_START, EVENTS_CHECKED_MAX);
  const isSigned = ({ authorization }: (typeof events)[number]) =>
    (authorization as JsonObject)['mode'] === 'signature';
  return events.length === EVENTS_CHECKED_MAX || events.some(isSigned);
}

function wrongTagError(lastTag: string, tag: string): SettingError {
  const sentence = `"${tag}" is not the tag of this log: its signed messages begin with "${lastTag}".`;
  return new SettingError('MESSAGE_TAG', `${sentence} Set "${lastTag}", or start another log in another DATA_DIR.`);
}

/**
 * Records the kind of chain at the start of a log. Throws if it started with the other kind: play money would count as
 * earnings, or real payments would be looked for on a development chain.
 */
export async function pinChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  requireSameChain(await vault.putIfAbsent(CHAIN_NAME, Buffer.from(chain)), chain);
}

/** Throws as `pinChainKind` does, but records nothing. */
export async function requireChainKind(vault: Vault, chain: ChainKind): Promise<void> {
  requireSameChain(await vault.get(CHAIN_NAME), chain);
}

function requireSameChain(entry: VaultEntry | undefined, chain: ChainKind): void {
  if (!(entry instanceof Uint8Array)) return;
  const pinned = Buffer.from(entry).toString() as ChainKind;
  if (MONEY[pinned] === MONEY[chain]) return;
  const sentence = `this log was started with CHAIN=${pinned} and its payments are ${MONEY[pinned]}, so CHAIN=${chain} cannot open it.`;
  throw new SettingError('CHAIN', `${sentence} Set CHAIN=${pinned}, or start another log in another DATA_DIR.`);
}
