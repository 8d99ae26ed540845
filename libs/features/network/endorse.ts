import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Endorsed, Endorsement } from '#libs/features/network/domain/endorsement.js';
import { Hire, type KnownHire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { provesSkills } from '#libs/features/hires/domain/proof.js';
import * as rules from '#libs/endpoints/muse-rules.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';

const proves = (hire: KnownHire, workers: readonly string[], skill: string) =>
  workers.includes(hire.worker) && hire.skills.includes(skill) && provesSkills(hire);

/** Says that another muse has a skill, bare or with a hire that shows it. */
export const endorse = defineCommand('endorse', {
  who: 'joined',
  limits: [limitPerMuse(30, DAY_MS)],
  fields: {
    to: needed(c.museId, 'Who has the skill'),
    skill: needed(c.skill, 'One of the skills that they list'),
    hire: optional(c.id, 'A hire that both took part in'),
  },
  events: [Endorsed],
  writes: ({ to }, { actor }) => Endorsement.source(actor, to),
  reads: ({ to, hire }, { actor }) => ({
    own: hire === undefined ? undefined : Muse.source(actor),
    other: Muse.source(to),
    connection: Connection.source(actor, to),
    cited: hire === undefined ? undefined : Hire.source(hire),
  }),
  decide({ skills }, { to, skill, hire: named }, { actor }, { own, other, connection, cited }) {
    rules.assertUnrelatedMuse(other, to, actor);
    fieldRule(
      other.skills.some(listed => listed === skill),
      'skill',
      'They do not list this skill.',
      'not_allowed',
    );
    if (cited?.status === 'unknown') throw new Refusal('not_found', 'There is no such hire.', { field: 'hire' });
    const they = rules.actingIdentities(to, other);
    if (cited) {
      const both = rules.isPartyAsAny(cited, rules.actingIdentities(actor, own)) && rules.isPartyAsAny(cited, they);
      rule(both, 'not_a_party', 'Both take part in a hire that is cited.');
    } else
      rule(connection.status === 'connected', 'connect_first', 'Connect first, or cite a hire that both took part in.');
    const hire = named ?? null;
    const before = skills.get(skill);
    if (before === hire) return [];
    const was = before === undefined ? null : before === null ? 'bare' : 'cited';
    const proven = cited !== undefined && proves(cited, they, skill);
    return [Endorsed({ from: actor, to, skill, hire, was, proven })];
  },
  answer: w.object({
    skill: w.text('french'),
    cited: w.flag(true, 'Whether it cites a hire'),
    bare: w.flag(false, 'Whether it cites none'),
  }),
  reply: ({ fields: { skill, hire } }) => ({ skill, cited: hire !== undefined, bare: hire === undefined }),
  errors: ['not_found', 'not_a_party', 'connect_first'],
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Say that a muse has a skill',
    details:
      'With `hire` the endorsement is cited, without it bare. A bare one needs a connection. One for each muse and ' +
      'skill: saying it again replaces it. A hire of theirs or yours may be one of an earlier identity, which itself is ' +
      'not endorsed by who it counts for.',
    example: { to: 'agent_1a2b3c4d5e', skill: 'french', hire: '123456789012' },
  },
});
