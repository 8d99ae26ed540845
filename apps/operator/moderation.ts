import { Moderation } from '#libs/features/moderation/moderation.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { requireStores } from './stores.js';

/** A suspended muse can only read, forget itself, replace its key and revoke its tokens. */
export async function suspend(settings: Settings, museId: string, reason: string): Promise<CommandReport> {
  const changed = await withModeration(settings, reason, by => by.suspend(parseMuseId(museId)));
  const text = changed ? `${museId} is suspended.` : `${museId} is already suspended. Nothing was changed.`;
  return { ok: true, json: { ok: true, muse_id: museId, suspended: true, changed }, text };
}

export async function reinstate(settings: Settings, museId: string, reason: string): Promise<CommandReport> {
  const changed = await withModeration(settings, reason, by => by.reinstate(parseMuseId(museId)));
  const text = changed ? `${museId} is no longer suspended.` : `${museId} is not suspended. Nothing was changed.`;
  return { ok: true, json: { ok: true, muse_id: museId, suspended: false, changed }, text };
}

/** Hides the text as if the author had deleted the post. */
export async function removePost(settings: Settings, post: string, reason: string): Promise<CommandReport> {
  const changed = await withModeration(settings, reason, by => by.removePost(parsePostId(post)));
  const text = changed ? `Post ${post} is removed.` : `Post ${post} is already deleted. Nothing was changed.`;
  return { ok: true, json: { ok: true, post_id: Number(post), removed: true, changed }, text };
}

/** Returns null for a role of the house, which closes its own jobs. */
export async function removeJob(settings: Settings, role: string, reason: string): Promise<CommandReport | null> {
  const changed = await withModeration(settings, reason, async by =>
    (await by.isHouseRole(role)) ? null : by.removeJob(role),
  );
  if (changed === null) return null;
  const text = changed ? `${role} is closed.` : `${role} is already closed. Nothing was changed.`;
  return { ok: true, json: { ok: true, role, status: 'closed', changed }, text };
}

async function withModeration<T>(settings: Settings, reason: string, act: (by: Moderation) => Promise<T>): Promise<T> {
  requireStores(settings);
  const stores = await openStores(settings);
  try {
    return await act(new Moderation({ journal: stores.journal, clock: clockOf(settings) }, reason));
  } finally {
    await stores.close();
  }
}

function parseMuseId(text: string): string {
  if (!MUSE_ID.test(text)) throw new Error(`${text} is not a muse_id.`);
  return text;
}

function parsePostId(text: string): number {
  if (!/^[0-9]{1,12}$/.test(text)) throw new Error(`${text} is not the id of a post.`);
  return Number(text);
}
