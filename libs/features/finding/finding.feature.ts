import { feature } from '#libs/endpoints/feature.js';
import { people } from './people.js';
import { search } from './search.js';
import { trending } from './trending.js';

export const finding = feature('finding', { queries: [people, search, trending] });
