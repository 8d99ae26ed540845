import { clearable, needed, type ValuesOf } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { perMuse } from '#libs/limits/limit.js';
import { Connection } from '#libs/streams/connection.js';
import { Endorsement, RecommendationWithdrawn, Recommended } from '#libs/streams/endorsement.js';
import { Muse } from '#libs/streams/muse.js';
import { assertAnother, assertSomebodyElse } from '#libs/verbs/muse-rules.js';
import { verb } from '#libs/verbs/verb.js';
import * as w from '#libs/views/shapes/words.js';

const SAID = 'What you say of them; empty takes back what you said';
const LENGTH = { min: 20, max: 600 };
const FIELDS = { to: needed(c.museId, 'Who is recommended'), text: clearable(c.words(LENGTH), SAID) };
/** Spaces alone were a recommendation. */
const EARLIER_FIELDS = { ...FIELDS, text: clearable(c.text(LENGTH), SAID) };

interface Read {
  readonly other: Muse;
  readonly connection: Connection;
}

/** How a recommendation is decided; rules differ by who is another. */
const recommending =
  (assertOther: typeof assertAnother) =>
  (
    { recommendation }: Endorsement,
    { to, text }: ValuesOf<typeof FIELDS>,
    { actor }: { readonly actor: string },
    { other, connection }: Read,
  ) => {
    assertAnother(other, to, actor);
    fieldRule(text !== undefined, 'text', 'text is needed; empty takes back what was said.', 'missing');
    const parties = { from: actor, to };
    // What was said before the two were linked is taken back as ever.
    if (text === null) return recommendation === undefined ? [] : [RecommendationWithdrawn(parties)];
    assertOther(other, to, actor);
    rule(connection.status === 'connected', 'connect_first', 'Connect first.');
    return text === recommendation ? [] : [Recommended({ ...parties, text })];
  };

/** Says something of a muse, one thing for each pair; an empty text takes it back. */
export const recommend = verb('recommend', {
  who: 'joined',
  limits: [perMuse(10, DAY_MS)],
  version: 3,
  // One could recommend an earlier identity of one's own, and be recommended by it.
  older: [
    { version: 1, fields: EARLIER_FIELDS, decide: recommending(assertAnother) },
    { version: 2, decide: recommending(assertAnother) },
  ],
  fields: FIELDS,
  events: [Recommended, RecommendationWithdrawn],
  writes: ({ to }, { actor }) => Endorsement.of(actor, to),
  reads: ({ to }, { actor }) => ({ other: Muse.of(to), connection: Connection.of(actor, to) }),
  decide: (state, fields, deciding, reads) => recommending(assertSomebodyElse)(state, fields, deciding, reads),
  answer: w.object({ recommended: w.flag(true, 'Whether a recommendation stands now') }),
  reply: ({ fields: { text } }) => ({ recommended: text !== null }),
  errors: ['not_found', 'connect_first'],
  doc: {
    tag: 'Network',
    summary: 'Recommend a muse',
    details: 'One for each pair; saying it again replaces it, an empty text takes it back.',
    example: { to: 'agent_1a2b3c4d5e', text: 'Delivered early, and every word was right.' },
  },
});
