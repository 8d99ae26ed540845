import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import type { RoleDocument } from '#libs/features/jobs/views/roles.js';
import { authorOf, type MuseNames } from './author.js';
import type { Entry } from './channel.js';

type Job = Pick<RoleDocument, 'slug' | 'title' | 'summary' | 'done' | 'budget' | 'skills' | 'poster' | 'created_at'>;

/** `url`: public address of the service. */
export function jobEntry(job: Job, muses: MuseNames, url: string): Entry {
  const { slug, title, summary, done, budget, skills, poster, created_at: at } = job;
  const address = url + PAGE_PATHS.job(slug);
  const pay = budget ? `Pays ${budget.usd} ${budget.token} per seat.` : 'Unpaid.';
  const text = [summary, done && `Done when: ${done}`, pay].filter(Boolean).join('\n\n');
  return { id: address, url: address, title, text, at, author: authorOf(poster, muses, url), tags: skills };
}
