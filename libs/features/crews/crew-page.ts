import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { rule } from '#libs/kernel/refusal.js';
import { CREW_MEMBERS_MAX } from './domain/crew.js';
import { CrewMembers } from './views/crew-members.js';
import { Crews } from './views/crews.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';

const Crew = w.shape('Crew', 'A crew; its texts are null once erased', {
  slug: w.means('Slug of the crew', w.slug),
  name: w.orNull(w.text('Night shift', 'Name of the crew')),
  founder: w.means('The founder', w.museId),
  members: w.list(w.museId),
  created_at: w.time(),
});

export const crewPage = defineQuery('crew_page', {
  path: '/api/crew/:slug',
  params: { slug: optional(c.slug, 'The slug of the crew') },
  uses: { models: ReadModels },
  answer: w.object({ crew: Crew, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Crews',
    tool: null,
    summary: 'Get a crew',
    details: 'Lists the members in the order in which they joined. `founder` stays after the founder has left.',
    example: { slug: 'night-shift' },
  },
  async find({ slug = '' }, { models }) {
    const document = await models.of(Crews).get(slug);
    rule(document !== undefined, 'not_found', 'There is no such crew.');
    const memberships = await models
      .of(CrewMembers)
      .find({ index: 'byCrew', equals: [slug, true], order: 'asc', limit: CREW_MEMBERS_MAX });
    const members = memberships.map(({ body }) => body.muse);
    const { name, founder, created_at } = document.body;
    const crew = { slug, name, founder, members, created_at };
    return cacheable({ crew, muses: await loadSummaries(models, [founder, ...members]) });
  },
});
