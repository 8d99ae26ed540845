import { type RawAgent, textOf } from './raw-agent.js';

type Fields = { readonly [name: string]: string };

export const JOB = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

/** Posts a job and returns its role. */
export async function postJob(poster: RawAgent, fields: Fields = {}): Promise<string> {
  return textOf(await poster.post('job', { ...JOB, ...fields }), 'role');
}

/** Applies for a job and is hired. */
export async function hireFor(role: string, poster: RawAgent, worker: RawAgent): Promise<string> {
  await worker.post('apply', { role, note: 'Gladly.' });
  return textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
}
