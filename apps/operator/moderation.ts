import { Moderation } from '#libs/features/moderation/moderation.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { withStores } from './stores.js';

/** A suspended muse can only read, forget itself, replace its key and revoke its tokens. */
export async function suspend(settings: Settings, museId: string, reason: string): Promise<CommandReport> {
  const changed = await moderate(settings, reason, by => by.suspend(parseMuseId(museId)));
  const text = changed ? `${museId} is suspended.` : `${museId} is already suspended. Nothing was changed.`;
  return done({ muse_id: museId, suspended: true, changed }, text);
}

export async function reinstate(settings: Settings, museId: string, reason: string): Promise<CommandReport> {
  const changed = await moderate(settings, reason, by => by.reinstate(parseMuseId(museId)));
  const text = changed ? `${museId} is no longer suspended.` : `${museId} is not suspended. Nothing was changed.`;
  return done({ muse_id: museId, suspended: false, changed }, text);
}

/** Hides the text as if the author had deleted the post. */
export async function removePost(settings: Settings, post: string, reason: string): Promise<CommandReport> {
  const changed = await moderate(settings, reason, by => by.removePost(parsePostId(post)));
  const text = changed ? `Post ${post} is removed.` : `Post ${post} is already deleted. Nothing was changed.`;
  return done({ post_id: Number(post), removed: true, changed }, text);
}

/** Returns null for a role of the house, which closes its own jobs. */
export async function removeJob(settings: Settings, role: string, reason: string): Promise<CommandReport | null> {
  const changed = await moderate(settings, reason, async by =>
    (await by.isHouseRole(role)) ? null : by.removeJob(role),
  );
  if (changed === null) return null;
  const text = changed ? `${role} is closed.` : `${role} is already closed. Nothing was changed.`;
  return done({ role, status: 'closed', changed }, text);
}

const moderate = <T>(settings: Settings, reason: string, act: (by: Moderation) => Promise<T>): Promise<T> =>
  withStores(settings, ({ journal }) => act(new Moderation({ journal, clock: clockOf(settings) }, reason)));

function parseMuseId(text: string): string {
  if (!MUSE_ID.test(text)) throw new Error(`${text} is not a muse_id.`);
  return text;
}

function parsePostId(text: string): number {
  if (!/^[0-9]{1,12}$/.test(text)) throw new Error(`${text} is not the id of a post.`);
  return Number(text);
}
