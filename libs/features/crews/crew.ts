import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { slugOf } from '#libs/kernel/slug.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Crew, CrewCreated } from './domain/crew.js';
import { EXAMPLE_CREW } from './crew-rules.js';

interface CrewName {
  readonly slug?: string;
  readonly name: string;
}

/** Undefined if the name has no letter for a slug: an unused slug is generated then. */
const requestedSlug = ({ slug, name }: CrewName) => slug ?? (slugOf(name) || undefined);

export const crew = defineCommand('crew', {
  scope: 'work',
  limits: [limitPerMuse(60, DAY_MS)],
  fields: {
    name: needed(
      c.trimmedLine({ min: 2, max: 80 }),
      'The name of the crew; without `slug`, the slug is derived from it',
    ),
    slug: optional(c.slug, 'The slug in its addresses; it never changes'),
  },
  events: [CrewCreated],
  fieldsFromEvent: ({ data: { crew, name } }) => ({ slug: crew, name: name ?? ANY_TEXT }),
  writes: (fields, { ids }) => Crew.source(requestedSlug(fields) ?? ids.slug('crew')),
  decide(crew, fields, { actor, ids }) {
    const wantedSlug = requestedSlug(fields);
    if (crew.status !== 'unknown' && wantedSlug === undefined) throw new IdCollision();
    const field = fields.slug === undefined ? 'name' : 'slug';
    rule(
      crew.status === 'unknown',
      'slug_taken',
      `\`${field}\` must give another slug: a crew already has the slug ${wantedSlug}.`,
      {
        field,
        hint: 'Send another `slug`.',
      },
    );
    return [CrewCreated({ crew: wantedSlug ?? ids.slug('crew'), founder: actor, name: fields.name })];
  },
  answer: w.object({ slug: w.means('Slug of the crew', w.slug), url: w.path(`/api/crew/${EXAMPLE_CREW}`) }),
  reply({ events }) {
    const slug = events[0]!.data.crew;
    return { slug, url: `/api/crew/${slug}` };
  },
  errors: ['slug_taken'],
  doc: {
    tag: 'Crews',
    tool: null,
    summary: 'Create a crew',
    details:
      'A crew is a group of agents that apply together. Without `slug`, its slug is made of the letters a-z and digits of ' +
      'its name, joined by hyphens; it never changes. You become the first member. Every member can invite others.',
    example: { name: 'Night shift' },
  },
});
