import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { type HireContext, hirePosition, hireState, newestReply } from '#libs/features/hires/views/positions.js';
import { applicationEvidence, hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { type RecheckDocument, recheckKey, Rechecks } from '#libs/features/hires/views/rechecks.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { type AreLinked, loadLinkedPairs } from '#libs/features/identity/views/linked-pairs.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { nameOf } from '#libs/features/identity/views/summaries.js';
import { loadPayStates } from '#libs/features/hires/views/pay-states.js';
import { Clock } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { FeedItem } from './item.shape.js';
import { type ItemDocument, Items } from './items.js';
import { itemView, receiptData, ReceiptLinks } from './receipts.js';

@Injectable()
export class FeedItems {
  constructor(
    private readonly models: ReadModels,
    private readonly links: ReceiptLinks,
    private readonly clock: Clock,
  ) {}

  async of(items: readonly ItemDocument[]): Promise<FeedItem[]> {
    const contents = items.flatMap(item => item.content ?? []);
    const [titles, hires, names] = await Promise.all([
      this.titles([
        ...items.map(({ role }) => role),
        ...contents.flatMap(({ proofs }) => proofs.map(({ role }) => role)),
      ]),
      this.hires(items.map(({ kind, hire }) => (kind === 'hired' ? hire : null))),
      this.names(contents.flatMap(({ mentions }) => mentions)),
    ]);
    const [rechecks, context] = await Promise.all([
      this.rechecks([...hires.values()]),
      this.contexts([...hires.values()]),
    ]);
    const areLinked = await loadLinkedPairs(
      this.models,
      items.map(({ kind, muse_id }) => (kind === 'receipt' ? muse_id : null)),
    );
    const title = (role: string | null) => titles.get(role ?? '') ?? null;
    return items.map(item => {
      const joined = {
        hire: hires.get(item.hire ?? 0),
        recheck: rechecks.get(item.hire ?? 0),
        context,
        areLinked,
        links: this.links,
      };
      const view =
        item.content === null ? feedItem(item, title(item.role), joined) : postItem(item, item.content, title, names);
      return view as FeedItem;
    });
  }

  async names(museIds: readonly string[]): Promise<Names> {
    const muses = await this.models.of(Muses).getMany([...new Set(museIds)]);
    return new Map(muses.map(({ id, body }) => [id, nameOf(body)]));
  }

  async titles(slugs: readonly (string | null)[]): Promise<Map<string, string | null>> {
    const distinct = [...new Set(slugs.filter(slug => slug !== null))];
    const roles = await this.models.of(Roles).getMany(distinct);
    return new Map(roles.map(({ id, body }) => [id, body.title]));
  }

  /** When each application was first read by its poster, and which deliveries were erased. */
  async contexts(hires: readonly HireDocument[]): Promise<HireContexts> {
    const keys = hires.map(({ role, worker }) => applicationKey(role, worker));
    const delivered = hires.map(({ delivery }) => delivery?.post);
    const parties = hires.flatMap(({ worker, last_recheck }) => [worker, last_recheck?.by]);
    const [applications, erased, areLinked, payOf] = await Promise.all([
      this.models.of(Applications).getMany(keys),
      findErasedPosts(this.models, delivered),
      loadLinkedPairs(this.models, parties),
      loadPayStates(this.models, hires, this.clock.now()),
    ]);
    const times = new Map(
      applications.flatMap(({ body }) => body.hired_on.map(({ hire, read_at }) => [hire, read_at] as const)),
    );
    return ({ hire }) => ({ read_at: times.get(hire) ?? null, erased, areLinked, pay: payOf({ hire }) });
  }

  private async hires(ids: readonly (number | null)[]): Promise<Map<number, HireDocument>> {
    const distinct = [...new Set(ids.filter(id => id !== null))];
    const hires = await this.models.of(Hires).getMany(distinct.map(String));
    return new Map(hires.map(({ body }) => [body.hire, body]));
  }

  private async rechecks(hires: readonly HireDocument[]): Promise<Map<number, RecheckDocument>> {
    const ids = hires.flatMap(({ hire, last_recheck }) =>
      last_recheck ? [recheckKey(hire, last_recheck.recheck)] : [],
    );
    if (ids.length === 0) return new Map();
    const documents = await this.models.of(Rechecks).getMany(ids);
    return new Map(documents.map(({ body }) => [body.hire, body]));
  }
}

interface JoinedHire {
  readonly hire: HireDocument | undefined;
  readonly recheck: RecheckDocument | undefined;
  readonly context: HireContexts;
  readonly areLinked: AreLinked;
  readonly links: ReceiptLinks;
}

type HireContexts = (hire: HireDocument) => HireContext;

type Names = ReadonlyMap<string, string | null>;
type PostContent = NonNullable<ItemDocument['content']>;

export const mentionViews = (museIds: readonly string[], names: Names) =>
  museIds.map(muse_id => ({ name: names.get(muse_id) ?? null, muse_id }));

function postItem(
  item: ItemDocument,
  content: PostContent,
  title: (role: string) => string | null,
  names: Names,
): JsonObject {
  const proofs = content.proofs.map(({ hire, role, worker }) => {
    return { hire, evidence: hireEvidence(hire), muse_id: worker, role, title: title(role) };
  });
  const data = {
    mentions: mentionViews(content.mentions, names),
    tags: content.tags,
    ...(item.board !== null && { board: item.board }),
    ...(content.title !== null && { title: content.title }),
    ...(proofs.length > 0 && { proofs }),
  };
  const { promoted_until, deleted } = item;
  return { ...itemView(item, data), text: content.text, promoted_until, deleted };
}

function feedItem(item: ItemDocument, title: string | null, joined: JoinedHire): JsonObject {
  const { role, muse_id } = item;
  switch (item.kind) {
    case 'post':
    case 'joined':
    case 'verified':
      return itemView(item, {});
    case 'job':
      return itemView(item, { role, title, ...(item.again_of !== null && { again_of: item.again_of }) });
    case 'applied':
      return { ...itemView(item, { role, title }), evidence: applicationEvidence(role!, muse_id!) };
    case 'hired':
      return hiredItem(item, title, joined);
    case 'receipt':
      return receiptView(item, title, joined);
    default:
      item.kind satisfies never;
      return itemView(item, {});
  }
}

function receiptView(item: ItemDocument, title: string | null, { areLinked, links }: JoinedHire): JsonObject {
  const receipt = { ...item.receipt!, hire: item.hire! };
  const own: JsonObject = areLinked(item.muse_id, receipt.poster) ? { with_itself: true } : {};
  return { ...itemView(item, { ...receiptData(receipt, title, links), ...own }), ...own };
}

function hiredItem(item: ItemDocument, title: string | null, { hire, recheck, context }: JoinedHire): JsonObject {
  if (!hire) return { ...itemView(item, { role: item.role, title }), evidence: hireEvidence(item.hire!) };
  const of = context(hire);
  const position = hirePosition(hire, title, of);
  const data = { role: item.role, title, delivery: position.delivery, status: position.status, position };
  return {
    ...itemView(item, data),
    ...hireState(hire, of),
    recheck_reply: newestReply(recheck),
    evidence: position.evidence,
  };
}

/** Returns the posts without a text, with the time of their deletion; null if only their author was forgotten. */
export async function findErasedPosts(
  models: Pick<ReadModels, 'of'>,
  posts: readonly (number | null | undefined)[],
): Promise<ReadonlyMap<number, number | null>> {
  const ids = new Set(posts.flatMap(post => (post == null ? [] : [String(post)])));
  if (ids.size === 0) return new Map();
  const items = await models.of(Items).getMany([...ids]);
  const erased = items.map(({ body }) => body).filter(({ content }) => content?.text == null);
  return new Map(erased.map(({ id, deleted_at }) => [id, deleted_at]));
}
