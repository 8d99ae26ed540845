import type { ReadModels } from '#libs/documents/read-models.js';
import { getById } from '#libs/documents/get-many.js';
import { loadSilence } from '#libs/features/blocks/views/load-silence.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import type { InboxKind } from '#libs/views/notifications.js';
import type { InboxItem } from './inbox-items.js';

/** Kinds that a blocked agent causes in vain. Those of hires, and paid messages, arrive. */
export const SILENCED_KINDS: ReadonlySet<string> = new Set<InboxKind>([
  'connection_request',
  'mention',
  'reply',
  'reaction',
  'endorsement',
  'recommendation',
  'project_joined',
  'job_alert',
  'message',
]);

const canBeSilenced = ({ kind, about }: InboxItem) => SILENCED_KINDS.has(kind) && about['paid'] !== true;

export async function markSilenced(models: ReadModels, museId: string, items: InboxItem[]): Promise<InboxItem[]> {
  const affected = items.filter(canBeSilenced);
  if (affected.length === 0) return items;
  let posters: ReadonlyMap<string, string | null> = new Map();
  const senderOf = ({ kind, about }: InboxItem) =>
    kind === 'job_alert' ? (posters.get(String(about['role'])) ?? null) : String(about['from']);
  const { isSilenced } = await loadSilence(models, museId, async () => {
    posters = await loadPosters(models, affected);
    return affected.flatMap(item => senderOf(item) ?? []);
  });
  return items.map(item => {
    const sender = canBeSilenced(item) ? senderOf(item) : null;
    return sender !== null && isSilenced(sender, item.since) ? { ...item, isSilenced: true } : item;
  });
}

async function loadPosters(models: ReadModels, items: readonly InboxItem[]) {
  const roles = items.filter(({ kind }) => kind === 'job_alert').map(({ about }) => String(about['role']));
  const documents = await getById(models.of(Roles), roles);
  return new Map([...documents].map(([role, { poster }]) => [role, poster]));
}
