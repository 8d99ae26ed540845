import type { ReadModels } from '#libs/documents/read-models.js';
import { getById, getMany } from '#libs/documents/get-many.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { PostWords, type PostWordsDocument } from '#libs/features/feed/views/post-words.js';
import { filterByActingPosters, loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import { RoleWords, type RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import * as w from '#libs/values/answer-schema.js';
import { findNearIds, type Words } from './near-matches.js';
import { type Match, readInSequence, searchInTurn } from './search-in-turn.js';
import { finishedWords } from './ordered-roles.js';
import { findPage, type SearchRequest } from './search-lists.js';
import { holdsAll, type WordIndex } from './word-search.js';

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
  evidence: shapes.hireEvidence,
});

/** Deliveries of the jobs that match, then those of posts that do; each newest first. */
export const searchDone = (models: ReadModels, { words, ...request }: SearchRequest) =>
  searchInTurn(request.after, async (match, after) => {
    const { results, next } = await readInSequence<DoneHire>(
      { ...request, after },
      part => findByJobs(models, { words, ...part }, match),
      part => findByPosts(models, { words, ...part }, match),
    );
    return { results: await addJobs(models, results), next };
  });

/** The cursor counts the hires of a job that a page ended in. */
async function findByJobs(models: ReadModels, { words, limit, after }: SearchRequest, match: Match) {
  const [skipped, start] = after === undefined ? [0, ''] : decodeCursor(after, 'after', 2);
  const page = await loadPageOfActingPosters(models, { limit, after: String(start) || undefined }, part =>
    findPage(finishedWords(models), { words, ...part, keep: isDelivered }, match),
  );
  const lists = await Promise.all(page.documents.map(({ id }) => loadDone(models, id)));
  const entries = lists.flatMap((list, job) => list.map((hire, at) => ({ hire, job, at }))).slice(Number(skipped));
  const next = entries[limit];
  const results = entries.slice(0, limit).map(({ hire }) => hire);
  if (!next) return { results, next: page.next === null ? null : encodeCursor([0, page.next]) };
  const before = next.job === 0 ? String(start) : cursorOf(page.documents[next.job - 1]!, match);
  return { results, next: encodeCursor([next.at, before]) };
}

const deliveredPosts = (models: ReadModels): WordIndex<PostWordsDocument> => ({
  collection: models.of(PostWords),
  index: 'byDeliveredWord',
  equals: [true],
  order: 'opened',
});

/** Leaves out deliveries of jobs that match, and earlier versions. */
async function findByPosts(models: ReadModels, { words, ...part }: SearchRequest, match: Match) {
  const { documents, next } = await findPage(deliveredPosts(models), { words, ...part }, match);
  const ids = [...new Set(documents.map(({ body }) => String(body.hire)))];
  const stored = await filterByActingPosters(models, await getMany(models.of(Hires), ids));
  const hires = new Map(stored.map(({ id, body }) => [id, body]));
  const results = documents.flatMap(({ body: { post, hire } }) =>
    listDone(hires.get(String(hire))).filter(({ delivery }) => delivery.post === post),
  );
  const isOfJob = new Set(results.length === 0 ? [] : await findJobIds(models, results, words, match));
  return { results: results.filter(({ role }) => !isOfJob.has(role)), next };
}

/** Jobs of these hires, or further ones, that match by their own words. */
async function findJobIds(models: ReadModels, hires: readonly DoneHire[], words: Words, match: Match) {
  if (match !== 'word') return findNearIds(finishedWords(models), words, match);
  const roles = [...new Set(hires.map(({ role }) => role))];
  const jobs = await getMany(models.of(RoleWords), roles);
  return jobs.filter(({ body }) => holdsAll(body.words, words)).map(({ id }) => id);
}

const isDelivered = ({ delivered }: RoleWordsDocument) => delivered;

/** As `findPage` continues. */
const cursorOf = ({ id, body: { opened } }: StoredDocument<RoleWordsDocument>, match: Match) =>
  encodeCursor(match === 'word' ? [opened, id] : [0, opened, id]);

async function loadDone(models: ReadModels, role: string): Promise<DoneHire[]> {
  const hires = await models.of(Hires).find({ index: 'byRole', equals: [role], order: 'desc', limit: HIRES_MAX });
  return hires.flatMap(({ body }) => listDone(body));
}

type DoneHire = HireDocument & { readonly delivery: NonNullable<HireDocument['delivery']> };

const listDone = (hire: HireDocument | undefined): DoneHire[] =>
  hire?.delivery ? [{ ...hire, delivery: hire.delivery }] : [];

async function addJobs(models: ReadModels, hires: readonly DoneHire[]) {
  const roles = await getById(
    models.of(Roles),
    hires.map(({ role }) => role),
  );
  return hires.map(({ hire, role, worker, poster, delivery, paid }) => {
    const { title = null, skills = [] } = roles.get(role) ?? {};
    const [parties, delivered_at] = [{ worker, poster }, delivery.at];
    return { hire, role, title, ...parties, skills, delivered_at, paid: paid !== null, evidence: hireEvidence(hire) };
  });
}
