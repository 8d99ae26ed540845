import { c, definePrivateQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { loadPinnedTerms } from '#libs/features/hires/views/pinned-terms.js';
import { loadRevisionText } from '#libs/features/hires/views/revision-text.js';
import { hirePosition } from '#libs/features/hires/views/positions.js';
import { OwnHire } from '#libs/features/jobs/views/role.shape.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { RoleTerms } from '#libs/features/jobs/views/role-terms.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries, museIdsIn } from '#libs/features/identity/views/summaries.js';
import { cursor, fetchMergedPage, LIMIT_DEFAULT, limitAsText } from '#libs/http/paging.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';

type Side = 'worker' | 'poster';

const INDEXES = { worker: 'byWorkerAndOpen', poster: 'byPoster' } as const;

export const ownHires = definePrivateQuery('hires', {
  scope: 'read',
  byGet: true,
  fields: {
    as: optional(c.oneOf('worker', 'poster'), 'Only hires in which you are the worker, or the poster'),
    open: optional(c.shortFlag, '`1`: only open hires'),
    limit: optional(limitAsText),
    after: optional(cursor),
  },
  uses: { models: ReadModels, journal: Journal, feedItems: FeedItems },
  answer: w.object({ hires: w.list(OwnHire), next: w.cursor, muses: Muses }),
  doc: {
    tag: 'Hires',
    tool: { name: 'list_hires', title: 'List my hires', effect: 'read' },
    summary: 'Get your hires',
    details:
      'Lists the hires in which you are the worker or the poster: first the open ones, newest first, then the others. A ' +
      'hire is open while it has no delivery, or is neither accepted nor paid; a hire that was ended is not. Hires of your earlier identity are included. GET with a ' +
      'bearer token works too, with the fields as its query.',
    example: { as: 'worker', open: '1' },
  },
  async find({ as, open = false, limit = LIMIT_DEFAULT, after }, { actor }, { models, journal, feedItems }) {
    const position = await models.position(Hires, Roles, RoleTerms, Applications);
    const { state: own } = await journal.load(Muse.source(actor));
    const identities = actingIdentities(actor, own);
    const sides: readonly Side[] = as === undefined ? ['worker', 'poster'] : [as];
    const { documents, next } = await fetchMergedPage(models.of(Hires), {
      ranges: sides.flatMap(side => identities.map(id => rangeOf(side, id, open))),
      fields: open ? ['opened'] : ['is_open', 'opened'],
      limit,
      after,
    });
    const hireDocuments = documents.map(({ body }) => body);
    const [context, titles, termsOf] = await Promise.all([
      feedItems.contexts(hireDocuments),
      feedItems.titles(hireDocuments.map(({ role }) => role)),
      loadPinnedTerms(models, hireDocuments),
    ]);
    const hires = await Promise.all(
      hireDocuments.map(async hire => ({
        ...hirePosition(hire, titles.get(hire.role) ?? null, context(hire)),
        worker: hire.worker,
        terms_digest: hire.terms_digest,
        terms: termsOf(hire),
        revision: hire.revision && {
          ...hire.revision,
          text: await loadRevisionText(journal, hire.hire, hire.revision.count),
        },
      })),
    );
    return { position, body: { hires, next, muses: await loadSummaries(models, museIdsIn(hires)) } };
  },
});

/** Documents name no poster for hires of the house. */
function rangeOf(side: Side, id: string, isOpen: boolean) {
  const museId = side === 'poster' && id === SYSTEM_ACCOUNT_ID ? null : id;
  return { index: INDEXES[side], equals: isOpen ? [museId, true] : [museId] };
}
