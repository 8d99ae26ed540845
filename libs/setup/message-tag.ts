import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { VaultEntry, Vault } from '#libs/platform/vault/port.js';
import { SettingError } from './setting.js';

/** Behind it stand the tags that the messages of a log begin with, by the number of their turn: the last one counts. */
const PREFIX = 'message-tag/';
/** Nobody changes a tag so often before anything is signed. */
const CHANGES_MAX = 9;
/** Where among so many events nothing is signed, a log may still be begun with another tag. */
const EVENTS_CHECKED_MAX = 1_000;

/**
 * Notes the tag before anything is signed under it. Throws a sentence where something was signed under another one:
 * agents would sign for one process what the other refuses, and an auditor could say of no event which of the two its
 * signature was made with. Of a log that was signed in before tags were noted nothing is known, and nothing noted.
 */
export async function pinMessageTag(vault: Vault, log: Pick<EventLog, 'readAll'>, tag: string): Promise<void> {
  const { kept, turn } = await readLastTag(vault);
  if (kept === tag) return;
  const isSigned = turn === CHANGES_MAX || (await hasSignedEvents(log));
  if (kept !== undefined && isSigned) throw wrongTagError(kept, tag);
  // Another gateway may note one at the same moment.
  if (!isSigned) requireSame(tagText(await vault.putIfAbsent(`${PREFIX}${turn + 1}`, Buffer.from(tag))), tag);
}

/** The same for whoever signs or looks beside a service, and notes nothing. */
export async function requireMessageTag(vault: Vault, tag: string): Promise<void> {
  requireSame((await readLastTag(vault)).kept, tag);
}

const tagText = (held: VaultEntry | undefined) =>
  held instanceof Uint8Array ? Buffer.from(held).toString() : undefined;

function requireSame(kept: string | undefined, tag: string): void {
  if (kept !== undefined && kept !== tag) throw wrongTagError(kept, tag);
}

async function readLastTag(vault: Vault): Promise<{ readonly kept: string | undefined; readonly turn: number }> {
  const names = await vault.list(PREFIX, CHANGES_MAX);
  const held = names.length === 0 ? undefined : await vault.get(names.at(-1)!);
  return { kept: tagText(held), turn: names.length };
}

async function hasSignedEvents(log: Pick<EventLog, 'readAll'>): Promise<boolean> {
  const { events } = await log.readAll(LOG_START, EVENTS_CHECKED_MAX);
  const isSigned = ({ authorization }: (typeof events)[number]) =>
    (authorization as JsonObject)['mode'] === 'signature';
  return events.length === EVENTS_CHECKED_MAX || events.some(isSigned);
}

function wrongTagError(kept: string, tag: string): SettingError {
  const sentence = `"${tag}" is not the tag of this log: what is signed for it begins with "${kept}".`;
  return new SettingError('MESSAGE_TAG', `${sentence} Set that one, or begin a log of its own in another DATA_DIR.`);
}
