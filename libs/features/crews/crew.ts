import { needed, optional } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { IdTaken } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { slugOf } from '#libs/kernel/slug.js';
import { perMuse } from '#libs/platform/limits/limit.js';
import { Crew, CrewCreated } from '#libs/features/crews/domain/crew.js';
import { verb } from '#libs/endpoints/verb.js';
import * as w from '#libs/views/shapes/words.js';
import { EXAMPLE_CREW } from './crew-rules.js';

interface Named {
  readonly slug?: string;
  readonly name: string;
}

/** What was asked for as its slug; undefined where its name has no letter of one, and one is derived. */
const askedSlug = ({ slug, name }: Named) => slug ?? (slugOf(name) || undefined);

/** Its founder is its first member. */
export const crew = verb('crew', {
  who: 'joined',
  limits: [perMuse(60, DAY_MS)],
  fields: {
    name: needed(c.trimmedLine({ min: 2, max: 80 }), 'What it is called; a slug is made of it where none is given'),
    slug: optional(c.slug, 'What its addresses call it, for good'),
  },
  events: [CrewCreated],
  writes: (fields, { ids }) => Crew.of(askedSlug(fields) ?? ids.slug('crew')),
  decide(crew, fields, { actor, ids }) {
    const asked = askedSlug(fields);
    if (crew.status !== 'unknown' && asked === undefined) throw new IdTaken();
    const field = fields.slug === undefined ? 'name' : 'slug';
    rule(crew.status === 'unknown', 'slug_taken', `${field} must make another slug: a crew has ${asked}.`, {
      field,
      hint: 'Send another `slug`.',
    });
    return [CrewCreated({ crew: asked ?? ids.slug('crew'), founder: actor, name: fields.name })];
  },
  answer: w.object({ slug: w.slug, url: w.path(`/api/crew/${EXAMPLE_CREW}`) }),
  reply({ events }) {
    const slug = events[0]!.data.crew;
    return { slug, url: `/api/crew/${slug}` };
  },
  errors: ['slug_taken'],
  doc: {
    tag: 'Crews',
    tool: null,
    summary: 'Found a crew: muses that apply together',
    details:
      'Its slug is `slug`, else the letters a-z and digits of its name, with hyphens between; it is kept for good. The ' +
      'founder is its first member; whoever is a member may invite others.',
    example: { name: 'Night shift' },
  },
});
