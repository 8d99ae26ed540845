import type { ReadModels } from '#libs/documents/read-models.js';
import type { Collection, IndexRange } from '#libs/documents/document-store.port.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Alerts } from '#libs/features/identity/views/alerts.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { findClosings } from '#libs/features/jobs/views/applicant-closings.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import type { InboxDocument } from '#libs/views/notifications.js';
import { InboxItems } from './inbox.js';
import { alertName, closedName, isAfter, type Place, placeText } from './inbox-places.js';
import { SILENCE_PROJECTIONS } from '#libs/features/blocks/views/load-silence.js';
import { markSilenced } from './silenced-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { findEarlier } from '#libs/features/identity/views/linked-pairs.js';
import { roleSkillKey, RoleSkills } from '#libs/features/jobs/views/role-skills.js';

/** Maximum items of one muse from one event. */
const ITEMS_PER_EVENT_MAX = 4;

/** Projections that an inbox is read from. Items are only handed out up to the slowest of them. */
export const INBOX_PROJECTIONS = [
  InboxItems,
  Applications,
  Items,
  Closings,
  RoleSkills,
  Alerts,
  ...SILENCE_PROJECTIONS,
] as const;

/** Texts are joined later, because they may be erased. */
export interface InboxItem extends Place {
  readonly kind: string;
  readonly about: InboxDocument['about'];
  readonly at: number;
  /** Whether its sender is blocked. The muse never sees such an item. */
  readonly isSilenced?: boolean;
}

interface ItemRange {
  readonly upto: Position;
  readonly limit: number;
  /** Whether silenced items are among the items. */
  readonly keepsSilenced?: boolean;
}

export async function loadItemsAfter(
  models: ReadModels,
  museId: string,
  after: Place,
  { upto, limit, keepsSilenced = false }: ItemRange,
): Promise<InboxItem[]> {
  const hear: Hear = async items => {
    const marked = await markSilenced(models, museId, items);
    return keepsSilenced ? marked : marked.filter(({ isSilenced }) => !isSilenced);
  };
  const load = async () => {
    const [earlier, ...own] = await Promise.all([
      earlierItems(models, museId, after, { upto, limit }, hear),
      ownItems(models, museId, after, limit, hear),
      closedItems(models, museId, after, upto),
      alertItems(models, museId, after, limit).then(hear),
    ]);
    const ownNotices = new Set(own.flat().map(noticeOf));
    // An event that notifies both identities gives one item of each kind: a webhook may want one kind only.
    return [...own.flat(), ...earlier.filter(item => !ownNotices.has(noticeOf(item)))];
  };
  // A repeated poll without changes costs no query.
  const items = await models.memoize(`inbox of ${museId}, ${limit} after ${placeText(after)}, ${keepsSilenced}`, load);
  return items
    .filter(item => item.since <= upto && isAfter(item, after))
    .sort((a, b) => (isAfter(a, b) ? 1 : -1))
    .slice(0, limit);
}

const noticeOf = ({ since, kind }: InboxItem) => `${since} ${kind}`;

type Hear = (items: InboxItem[]) => Promise<InboxItem[]>;

const ownItems = (models: ReadModels, museId: string, after: Place, limit: number, hear: Hear) =>
  storedItems(models, museId, after, limit, async page => {
    const heard = await hear(page);
    return heard.some(isOffer) ? excludeAlerted(models, museId, heard) : heard;
  });

/**
 * Finds items that arrive for the earlier identity after the link. Leaves out actions of the muse itself, and job
 * alerts, because those of an earlier identity cannot be ended.
 */
async function earlierItems(
  models: ReadModels,
  museId: string,
  after: Place,
  { upto, limit }: ItemRange,
  hear: Hear,
): Promise<InboxItem[]> {
  const link = await findEarlier(models, museId);
  if (!link) return [];
  const { earlier, since } = link;
  const from = since > after.since ? { since, name: '' } : after;
  const isOwnAction = ({ about }: InboxItem) => about['from'] === museId || about['by'] === museId;
  const [stored, closed] = await Promise.all([
    storedItems(models, earlier, from, limit, page => hear(page.filter(item => !isOffer(item) && !isOwnAction(item)))),
    closedItems(models, earlier, from, upto),
  ]);
  return [...stored, ...closed];
}

async function storedItems(
  models: ReadModels,
  museId: string,
  after: Place,
  limit: number,
  select: (page: InboxItem[]) => InboxItem[] | Promise<InboxItem[]>,
): Promise<InboxItem[]> {
  const count = limit + ITEMS_PER_EVENT_MAX;
  const items: InboxItem[] = [];
  let range = rangeAfter('byMuse', museId, after);
  // Fills the page with later items when some are left out; otherwise other sources would be read past them.
  for (let left = count; left > 0; left = count - items.length) {
    const documents = await models.of(InboxItems).find({ ...range, limit: left });
    const page = documents.map(({ id, body: { kind, about, at, since } }) => ({ kind, about, at, since, name: id }));
    items.push(...(await select(page)));
    if (documents.length < left) break;
    range = { ...range, after: [page.at(-1)!.since, page.at(-1)!.name] };
  }
  return items;
}

const isOffer = ({ kind }: InboxItem) => kind === 'job_alert';

/** Leaves out offers of roles that match an alert of the muse: the alert already gives an item. */
async function excludeAlerted(models: ReadModels, museId: string, items: InboxItem[]): Promise<InboxItem[]> {
  const alerts = Object.entries((await models.of(Alerts).get(museId))?.body.since ?? {});
  const keys = items
    .filter(isOffer)
    .flatMap(({ about }) => alerts.map(([skill]) => roleSkillKey(skill, String(about['role']))));
  const since = new Map(alerts);
  const matches = (await models.of(RoleSkills).getMany(keys)).filter(({ body }) => body.since > since.get(body.skill)!);
  const alerted = new Set(matches.map(({ body }) => body.role));
  return items.filter(item => !isOffer(item) || !alerted.has(String(item.about['role'])));
}

async function closedItems(models: ReadModels, museId: string, { since }: Place, upto: Position): Promise<InboxItem[]> {
  const closings = await findClosings(models, museId, since, upto);
  return closings.map(closing => {
    const { role, at, since } = closing;
    return { kind: 'closed', about: { role }, at, since, name: closedName(museId, closing) };
  });
}

async function alertItems(models: ReadModels, museId: string, after: Place, limit: number): Promise<InboxItem[]> {
  const alerts = (await models.of(Alerts).get(museId))?.body.since ?? {};
  const roles = models.of(RoleSkills);
  const matches = await Promise.all(
    Object.entries(alerts).map(([skill, since]) => {
      const from = since > after.since ? { since, name: '' } : after;
      return pageOf(roles, { ...rangeAfter('bySkill', skill, from), limit: limit + ITEMS_PER_EVENT_MAX });
    }),
  );
  const byRole = new Map(
    matches
      .flat()
      .filter(({ poster }) => poster !== museId)
      .map(match => [match.role, match]),
  );
  return [...byRole.values()].map(({ role, at, since }) => {
    return { kind: 'job_alert', about: { role }, at, since, name: alertName(museId, role) };
  });
}

/** Includes the place itself: one position may have several items, ordered by name. */
const rangeAfter = (index: string, key: string, { since }: Place): Omit<IndexRange, 'limit'> => ({
  index,
  equals: [key],
  order: 'asc',
  ...(since !== '' && { after: [since, ''] }),
});

const pageOf = async <D extends JsonObject>(collection: Collection<D>, range: IndexRange) =>
  (await collection.find(range)).map(({ body }) => body);
