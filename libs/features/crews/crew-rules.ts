import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Crew, KnownCrew } from './domain/crew.js';

export const EXAMPLE_CREW = 'night-shift';

export const crewField = needed(c.slug, 'The slug of a crew');

export function assertCrewExists(crew: Crew): asserts crew is KnownCrew {
  if (crew.status === 'unknown')
    throw new Refusal('not_found', '`crew` must be the slug of an existing crew.', { field: 'crew' });
}
