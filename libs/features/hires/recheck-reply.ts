import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { partiesOf, RecheckReplied } from '#libs/features/hires/domain/hire.js';
import * as rules from './hire-rules.js';

export const recheckReply = defineCommand('recheck_reply', {
  fields: {
    hire: rules.hireId,
    recheck: needed(c.id, 'The id of the recheck'),
    text: needed(c.text({ max: 600 }), 'Your reply'),
  },
  events: [RecheckReplied],
  ...rules.onHire,
  decide(hire, { recheck, text }, { actor }) {
    rules.assertHireExists(hire);
    rules.assertParty(hire, actor);
    rule(hire.recheckIds.has(recheck), 'not_found', 'This hire has no recheck with this id.', { field: 'recheck' });
    return [RecheckReplied({ ...partiesOf(hire), recheck, by: actor, text })];
  },
  answer: w.object({}),
  reply: () => ({}),
  errors: ['not_found', 'not_a_party'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'Reply to a recheck',
    details: 'Poster and worker can reply. A new reply to the same recheck replaces the last one.',
    example: { hire: rules.EXAMPLE_HIRE, recheck: '210987654321', text: 'That is right.' },
  },
});
