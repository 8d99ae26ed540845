import { type JsonObject, toText } from '#libs/kernel/json.js';
import type { ServiceCalls } from './service-calls.js';

/** Maximum number of words that are searched separately. */
const WORDS_MAX = 5;
const PEOPLE_MAX = 20;

interface WorkerPage {
  readonly people: readonly JsonObject[];
  readonly next: string | null;
}
type Query = { readonly [name: string]: string };

const fetchPeople = async (calls: ServiceCalls, query: Query): Promise<WorkerPage> => {
  const { answer } = await calls.ask<WorkerPage>({ method: 'GET', path: '/api/people', query });
  return { people: answer.people, next: answer.next };
};

/** Searches for all words together, or else for each word, and ranks workers by the number of matches. */
export async function findWorkers(calls: ServiceCalls, query: Query): Promise<WorkerPage> {
  const page = await fetchPeople(calls, query);
  const words = (query['q'] ?? '').split(' ').slice(0, WORDS_MAX);
  if (page.people.length > 0 || words.length < 2) return page;
  const pages = await Promise.all(words.map(q => fetchPeople(calls, { ...query, q })));
  const matches = new Map<string, { readonly muse: JsonObject; count: number }>();
  for (const muse of pages.flatMap(({ people }) => people)) {
    const id = toText(muse['muse_id']);
    const match = matches.get(id) ?? { muse, count: 0 };
    matches.set(id, { muse, count: match.count + 1 });
  }
  const ranked = [...matches.values()].sort((a, b) => b.count - a.count);
  return { people: ranked.slice(0, PEOPLE_MAX).map(({ muse }) => muse), next: null };
}
