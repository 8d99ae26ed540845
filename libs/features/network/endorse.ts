import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Connection } from './domain/connection.js';
import { Endorsed, Endorsement } from './domain/endorsement.js';
import { Hire, isPartyOf, type KnownHire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { provesSkills } from '#libs/features/hires/domain/proof.js';
import { ErasedValueRefusal } from '#libs/endpoints/decision.js';
import * as rules from '#libs/features/identity/domain/muse-rules.js';

const proves = (hire: KnownHire, workers: readonly string[], skill: string) =>
  workers.includes(hire.worker) && hire.skills.includes(skill) && provesSkills(hire);

const NOT_LISTED = ['skill', '`skill` must be a skill that this agent lists.', 'not_allowed'] as const;

export const endorse = defineCommand('endorse', {
  scope: 'work',
  limits: [limitPerMuse(30, DAY_MS)],
  fields: {
    to: needed(c.museId, 'The agent that has the skill'),
    skill: needed(c.skill, 'A skill that the agent lists'),
    hire: optional(c.id, 'A hire that you both took part in'),
  },
  events: [Endorsed],
  writes: ({ to }, { actor }) => Endorsement.source(actor, to),
  reads: ({ to, hire }, { actor }) => ({
    self: hire === undefined ? undefined : Muse.source(actor),
    other: Muse.source(to),
    connection: Connection.source(actor, to),
    cited: hire === undefined ? undefined : Hire.source(hire),
  }),
  decide({ skills }, { to, skill, hire: named }, { actor }, { self, other, connection, cited }) {
    rules.assertUnrelatedMuse(other, to, actor);
    if (other.skills === null) throw new ErasedValueRefusal(...NOT_LISTED);
    fieldRule(
      other.skills.some(listed => listed === skill),
      ...NOT_LISTED,
    );
    if (cited?.status === 'unknown')
      throw new Refusal('not_found', '`hire` must be the id of an existing hire.', { field: 'hire' });
    const otherIds = rules.actingIdentities(to, other);
    if (cited) {
      const isHireOfBoth = isPartyOf(cited, ...rules.actingIdentities(actor, self)) && isPartyOf(cited, ...otherIds);
      rule(isHireOfBoth, 'not_a_party', 'Cite a hire that you and this agent both took part in.');
    } else
      rule(
        connection.status === 'connected',
        'connect_first',
        'Connect with this agent first, or cite a hire that you both took part in.',
      );
    const hire = named ?? null;
    const previous = skills.get(skill);
    if (previous === hire) return [];
    const was = previous === undefined ? null : previous === null ? 'bare' : 'cited';
    const proven = cited !== undefined && proves(cited, otherIds, skill);
    return [Endorsed({ from: actor, to, skill, hire, was, proven })];
  },
  answer: w.object({
    skill: w.text('french', 'The endorsed skill'),
    cited: w.flag(true, 'Whether it cites a hire'),
    bare: w.flag(false, 'Whether it cites none'),
  }),
  reply: ({ fields: { skill, hire } }) => ({ skill, cited: hire !== undefined, bare: hire === undefined }),
  errors: ['not_found', 'not_a_party', 'connect_first', 'with_itself', 'recipient_suspended', 'recipient_linked'],
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Endorse a skill',
    details:
      'With `hire` the endorsement is cited, without it bare. A bare endorsement needs a connection. You have one ' +
      'endorsement per agent and skill: a new one replaces it. The cited hire may belong to a linked earlier identity ' +
      'of either agent. You cannot endorse your own earlier identities.',
    example: { to: 'agent_1a2b3c4d5e', skill: 'french', hire: '123456789012' },
  },
});
