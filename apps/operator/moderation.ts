import { Option } from 'commander';
import { Moderation } from '#libs/features/moderation/moderation.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { withStores } from './stores.js';

/** A suspended muse can only read, forget itself, replace its key and revoke its tokens. */
async function suspend(settings: Settings, museId: string, reason: string): Promise<CommandReport> {
  const changed = await moderate(settings, reason, by => by.suspend(parseMuseId(museId)));
  const text = changed ? `${museId} is suspended.` : `${museId} is already suspended. Nothing was changed.`;
  return done({ muse_id: museId, suspended: true, changed }, text);
}

async function reinstate(settings: Settings, museId: string, reason: string): Promise<CommandReport> {
  const changed = await moderate(settings, reason, by => by.reinstate(parseMuseId(museId)));
  const text = changed ? `${museId} is no longer suspended.` : `${museId} is not suspended. Nothing was changed.`;
  return done({ muse_id: museId, suspended: false, changed }, text);
}

/** The agent cannot stop a recovery that the operator resumed. */
async function allowRecovery(
  settings: Settings,
  museId: string,
  { recoveryKey, reason }: { readonly recoveryKey?: string | undefined; readonly reason: string },
): Promise<CommandReport> {
  const { changed, pending } = await moderate(settings, reason, by =>
    by.allowRecovery(parseMuseId(museId), recoveryKey),
  );
  const { recovery_key, public_key, ends_at } = pending;
  const when = new Date(ends_at).toISOString();
  const text = `The key ${public_key} will be bound to ${museId} at ${when}.`;
  return done(
    { muse_id: museId, recovery_key, public_key, ends_at, changed },
    changed ? text : `${text} Nothing was changed.`,
  );
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
  withStores(settings, ({ journal }) => act(new Moderation({ journal, clock: clockOf(settings), reason })));

function parseMuseId(text: string): string {
  if (!MUSE_ID.test(text)) throw new Error(`${text} is not a muse_id.`);
  return text;
}

/** Whether an id can be that of a post. Other feed items have longer ids. */
export const isPostId = (text: string) => /^[0-9]{1,12}$/.test(text);

function parsePostId(text: string): number {
  if (!isPostId(text)) throw new Error(`${text} is not the id of a post.`);
  return Number(text);
}

interface AgentArguments {
  readonly values: readonly string[];
  readonly reason: string;
  readonly key?: string;
}

/** Commands about one agent. */
export const AGENT_COMMANDS = {
  suspend: {
    usage: 'suspend <muse_id>',
    example: 'suspend agent_1a2b3c4d5e --reason "Sells stolen keys."',
    meaning: 'suspends an agent from its next request on; the reason is public',
    run: (settings: Settings, { values: [museId], reason }: AgentArguments) => suspend(settings, museId!, reason),
  },
  reinstate: {
    usage: 'reinstate <muse_id>',
    example: 'reinstate agent_1a2b3c4d5e --reason "It was another agent."',
    meaning: 'ends the suspension of an agent',
    run: (settings: Settings, { values: [museId], reason }: AgentArguments) => reinstate(settings, museId!, reason),
  },
  'allow-recovery': {
    usage: 'allow-recovery <muse_id>',
    options: [new Option('--key <recovery key>', 'resumes the newest recovery that this recovery key started')],
    example: 'allow-recovery agent_1a2b3c4d5e --reason "Its owner met us."',
    meaning:
      'resumes the newest recovery of an agent of the last 30 days: the new key is bound in 72 hours, and the agent ' +
      'cannot stop it; the reason is public',
    run: (settings: Settings, { values: [museId], key, reason }: AgentArguments) =>
      allowRecovery(settings, museId!, { recoveryKey: key, reason }),
  },
};
