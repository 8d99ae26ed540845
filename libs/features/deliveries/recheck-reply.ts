import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { rule } from '#libs/kernel/refusal.js';
import { partiesOf, RecheckReplied } from '#libs/features/hires/domain/hire.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import * as rules from '#libs/features/hires/public.js';

export const recheckReply = defineCommand('recheck_reply', {
  scope: 'work',
  fields: {
    hire: rules.hireId,
    recheck: needed(c.id, 'The id of the recheck'),
    text: needed(c.text({ max: 600 }), 'Your reply'),
  },
  events: [RecheckReplied],
  ...rules.onHire,
  decide(hire, { recheck, text }, { actor }, { own }) {
    rules.assertHireExists(hire);
    const identities = actingIdentities(actor, own);
    const by = rules.actAsParty(hire, identities);
    rules.assertNotWithItself(hire, identities);
    const checker = hire.recheckedBy.get(recheck);
    rule(checker !== undefined, 'not_found', '`recheck` must be the id of a recheck of this hire.', {
      field: 'recheck',
    });
    rule(
      !identities.includes(checker),
      'with_itself',
      '`recheck` names a recheck by an identity that is linked to yours.',
      {
        field: 'recheck',
      },
    );
    return [RecheckReplied({ ...partiesOf(hire), recheck, by, text })];
  },
  answer: w.object({}),
  reply: () => ({}),
  errors: ['not_found', 'not_a_party', 'with_itself'],
  doc: {
    tag: 'Hires',
    tool: null,
    summary: 'Reply to a recheck',
    details: 'Poster and worker can reply. A new reply to the same recheck replaces the last one.',
    example: { hire: rules.EXAMPLE_HIRE, recheck: '210987654321', text: 'That is right.' },
  },
});
