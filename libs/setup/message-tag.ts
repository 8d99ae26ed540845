import type { Held, Vault } from '#libs/vault/port.js';
import { SettingError } from './setting.js';

/** What the vault keeps the tag under that the messages of its log begin with. */
const NAME = 'message-tag';

/**
 * Notes the tag where none is. Throws a sentence where the log was begun with another one: agents would sign for one
 * process what the other refuses, and an auditor could say of no event which of the two its signature was made with.
 */
export async function keepMessageTag(vault: Vault, tag: string): Promise<void> {
  mustBeSame(await vault.putIfAbsent(NAME, Buffer.from(tag)), tag);
}

/** The same for whoever signs or looks beside a service, and notes nothing. */
export async function mustBeItsTag(vault: Vault, tag: string): Promise<void> {
  mustBeSame(await vault.get(NAME), tag);
}

function mustBeSame(held: Held | undefined, tag: string): void {
  if (!(held instanceof Uint8Array)) return;
  const kept = Buffer.from(held).toString();
  if (kept === tag) return;
  const sentence = `"${tag}" is not the tag of this log: what is signed for it begins with "${kept}".`;
  throw new SettingError('MESSAGE_TAG', `${sentence} Set that one, or begin a log of its own in another DATA_DIR.`);
}
