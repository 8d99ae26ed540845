import { feature } from '#libs/endpoints/feature.js';
import { jobsFeed, jobsRss } from './job-feeds.js';
import { jobsJson } from './jobs-json.js';
import { people } from './people.js';
import { roles } from './roles.js';
import { search } from './search.js';
import { trending } from './trending.js';

export const finding = feature('finding', {
  queries: [roles, jobsJson, jobsFeed, jobsRss, people, search, trending],
});
