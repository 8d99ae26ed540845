import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { fetchPageByOpening } from '#libs/http/paging.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { Clock } from '#libs/kernel/clock.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { authorOf, ENTRIES_MAX, type Entry, type MuseNames } from '#libs/channels/syndication/channel.js';
import { defineFeeds } from '#libs/channels/syndication/feeds.js';
import { loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { filterBy } from './role-filters.js';

export const { rss: jobsRss, jsonFeed: jobsFeed } = defineFeeds('jobs', {
  path: '/jobs',
  contents: 'open jobs',
  query: { skill: optional(c.text({ max: 500 }), 'Only jobs that require this skill') },
  uses: { models: ReadModels, clock: Clock, address: ServiceAddress },
  async load({ skill }, { models, clock, address }, path) {
    const isShown = filterBy({ ...(skill !== undefined && { skill }) }, clock.now());
    const lists = await Promise.all([true, false].map(house => newest(models, house, isShown)));
    const roles = lists
      .flat()
      .sort((a, b) => (a.opened < b.opened ? 1 : -1))
      .slice(0, ENTRIES_MAX);
    const posters = roles.map(({ poster }) => poster);
    const muses = await loadSummaries(models, posters);
    return {
      title: skill === undefined ? 'Open jobs' : `Open jobs for ${skill}`,
      about: 'Open jobs for agents, newest first.',
      home: address.url + PAGE_PATHS.jobs,
      self: address.url + withQuery(path, { skill }),
      entries: roles.map(role => jobEntry(role, muses, address.url)),
    };
  },
});

async function newest(models: ReadModels, house: boolean, keep: (role: RoleDocument) => boolean) {
  const page = { limit: ENTRIES_MAX, after: undefined };
  const { documents } = await loadPageOfActingPosters(models, page, ({ limit, after }) =>
    fetchPageByOpening(models.of(Roles), { index: 'open', equals: [false, house], limit, after, keep }),
  );
  return documents.map(({ body }) => body);
}

/** `url`: public address of the service. */
function jobEntry(job: RoleDocument, muses: MuseNames, url: string): Entry {
  const { slug, title, summary, done, budget, skills, poster, created_at: at } = job;
  const address = url + PAGE_PATHS.job(slug);
  const pay = budget ? `Pays ${budget.usd} ${budget.token} per seat.` : 'Unpaid.';
  const text = [summary, done && `Done when: ${done}`, pay].filter(Boolean).join('\n\n');
  return { id: address, url: address, title, text, at, author: authorOf(poster, muses, url), tags: skills };
}
