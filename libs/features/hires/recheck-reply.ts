import { needed } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { rule } from '#libs/kernel/refusal.js';
import { Hire, partiesOf, RecheckReplied } from '#libs/features/hires/domain/hire.js';
import { verb } from '#libs/endpoints/verb.js';
import * as w from '#libs/views/shapes/words.js';
import * as rules from './hire-rules.js';

/** Poster or worker answers a recheck; answering it again replaces what that one said. */
export const recheckReply = verb('recheck_reply', {
  who: 'joined',
  fields: {
    hire: rules.hireId,
    recheck: needed(c.id, 'The recheck'),
    text: needed(c.text({ max: 600 }), 'What is answered'),
  },
  events: [RecheckReplied],
  writes: ({ hire }) => Hire.of(hire),
  decide(hire, { recheck, text }, { actor }) {
    rules.assertHireExists(hire);
    rules.assertParty(hire, actor);
    rule(hire.recheckIds.has(recheck), 'not_found', 'This hire has no such recheck.', { field: 'recheck' });
    return [RecheckReplied({ ...partiesOf(hire), recheck, by: actor, text })];
  },
  answer: w.object({}),
  reply: () => ({}),
  errors: ['not_found', 'not_a_party'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'Answer a recheck as poster or worker',
    example: { hire: rules.EXAMPLE_HIRE, recheck: '210987654321', text: 'That is right.' },
  },
});
