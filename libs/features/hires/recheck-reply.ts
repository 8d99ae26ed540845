import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { rule } from '#libs/kernel/refusal.js';
import { partiesOf, RecheckReplied } from '#libs/features/hires/domain/hire.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import * as rules from './hire-rules.js';
import { UnfinishedHires } from './unfinished-hires.js';

export const recheckReply = defineCommand('recheck_reply', {
  who: 'joined',
  fields: {
    hire: rules.hireId,
    recheck: needed(c.id, 'The id of the recheck'),
    text: needed(c.text({ max: 600 }), 'Your reply'),
  },
  uses: { unfinished: UnfinishedHires },
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
