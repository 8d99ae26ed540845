import { type JsonObject, toText } from '#libs/kernel/json.js';
import type { ServiceCalls } from './service-calls.js';

/** Words of a question that are looked for one by one. */
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

/** Finds workers by all words of a question, else by its single words, with the most words first. */
export async function findWorkers(calls: ServiceCalls, query: Query): Promise<WorkerPage> {
  const whole = await fetchPeople(calls, query);
  const words = (query['q'] ?? '').split(' ').slice(0, WORDS_MAX);
  if (whole.people.length > 0 || words.length < 2) return whole;
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
