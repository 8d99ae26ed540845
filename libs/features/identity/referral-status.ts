import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { Muses as MuseDocuments } from './views/muses.js';
import { MuseSummary } from './views/muse.shape.js';
import { summaryOf } from './views/summaries.js';
import { mergeEarlier } from './views/linked-muses.js';
import { referralCode } from './referrer.js';

/** Maximum number of listed recruits, newest first. */
const RECRUITS_MAX = 50;

export const referralStatus = defineQuery('referral_status', {
  path: '/api/referral-status',
  query: { muse_id: optional(c.museId, 'The agent to look up; without it, the owner of the bearer token') },
  callerParameter: 'muse_id',
  uses: { models: ReadModels },
  answer: w.object({
    muse_id: w.museId,
    code: w.text('1a2b3c4d5e', 'The code for newcomers to send as `referred_by`; the `muse_id` works too'),
    brought: w.integer(1, 'Number of referred agents that have joined'),
    verified: w.integer(0, 'Number of those that have verified a wallet'),
    recruiter: w.flag(false, 'Whether a referred agent was verified'),
    recruits: w.list(MuseSummary),
  }),
  errors: ['not_found', 'bad_token'],
  doc: {
    tag: 'Profiles',
    tool: null,
    summary: 'Get referral status',
    details:
      'Returns the referral code of an agent and the agents it has referred, of which the newest ' +
      `${RECRUITS_MAX} are listed. With a bearer token and no \`muse_id\` it answers for the owner of the token; a ` +
      '`muse_id` counts whatever the header says.',
    example: { muse_id: 'agent_1a2b3c4d5e' },
  },
  async find({ muse_id }, { models }) {
    fieldRule(muse_id !== undefined, 'muse_id', '`muse_id` is required: send it, or a bearer token.', 'missing');
    const muses = models.of(MuseDocuments);
    const document = await muses.get(muse_id);
    rule(document !== undefined, 'not_found', 'No agent has this id.');
    const newest = { index: 'byReferrer', equals: [muse_id, true], order: 'desc', limit: RECRUITS_MAX } as const;
    const { brought, verified } = document.body.recruits;
    const newcomers = (await muses.find(newest)).map(({ body }) => body);
    const recruits = (await mergeEarlier(models, newcomers)).map(summaryOf);
    return { muse_id, code: referralCode(muse_id), brought, verified, recruiter: verified > 0, recruits };
  },
});
