import type { ReadModels } from '#libs/documents/read-models.js';
import { getById } from '#libs/documents/get-many.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import { hireEvidence as evidence } from '#libs/features/jobs/views/position.shape.js';
import type { RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import * as w from '#libs/values/answer-schema.js';
import { type Match, searchInTurn } from './near-matches.js';
import { finishedWords } from './ordered-roles.js';
import { findPage, type SearchRequest } from './search-lists.js';

/** Hires of one job. */
const HIRES_MAX = 200;

export const DoneWork = w.object({
  hire: w.means('Id of the hire', w.id),
  role: w.slug,
  title: w.orNull(w.text('Translate a page', 'Title of the job; null once erased')),
  worker: w.means('The worker', w.museId),
  poster: w.orNull(w.means('The poster; null for the service', w.museId)),
  skills: w.skills,
  delivered_at: w.time(),
  paid: w.flag(true, 'Whether the wage is paid'),
  evidence,
});

/** Deliveries of the jobs that match, newest job first. The cursor counts the hires of a job that a page ended in. */
export const searchDone = (models: ReadModels, request: SearchRequest) =>
  searchInTurn(request.after, async (match, after) => {
    const [skipped, start] = after === undefined ? [0, ''] : decodeCursor(after, 'after', 2);
    const page = await loadPageOfActingPosters(
      models,
      { limit: request.limit, after: String(start) || undefined },
      part => findPage(finishedWords(models), { words: request.words, ...part, keep: isDelivered }, match),
    );
    const lists = await Promise.all(page.documents.map(({ id }) => loadDone(models, id)));
    const entries = lists.flatMap((list, job) => list.map((entry, at) => ({ entry, job, at }))).slice(Number(skipped));
    const next = entries[request.limit];
    const results = await addJobs(
      models,
      entries.slice(0, request.limit).map(({ entry }) => entry),
    );
    if (!next) return { results, next: page.next === null ? null : encodeCursor([0, page.next]) };
    const before = next.job === 0 ? String(start) : cursorOf(page.documents[next.job - 1]!, match);
    return { results, next: encodeCursor([next.at, before]) };
  });

const isDelivered = ({ delivered }: RoleWordsDocument) => delivered;

/** As `findPage` continues. */
const cursorOf = ({ id, body: { opened } }: StoredDocument<RoleWordsDocument>, match: Match) =>
  encodeCursor(match === 'word' ? [opened, id] : [0, opened, id]);

async function loadDone(models: ReadModels, role: string) {
  const hires = await models.of(Hires).find({ index: 'byRole', equals: [role], order: 'desc', limit: HIRES_MAX });
  return hires.flatMap(({ body }) => (body.delivery === null ? [] : [{ ...body, delivered_at: body.delivery.at }]));
}

type DoneHire = Awaited<ReturnType<typeof loadDone>>[number];

async function addJobs(models: ReadModels, hires: readonly DoneHire[]) {
  const roles = await getById(
    models.of(Roles),
    hires.map(({ role }) => role),
  );
  return hires.map(({ hire, role, worker, poster, delivered_at, paid }) => {
    const { title = null, skills = [] } = roles.get(role) ?? {};
    const parties = { worker, poster };
    return { hire, role, title, ...parties, skills, delivered_at, paid: paid !== null, evidence: hireEvidence(hire) };
  });
}
