import { c, clearable, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { isEventOf } from '#libs/domain/define.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Connection } from './domain/connection.js';
import { Endorsement, RecommendationWithdrawn, Recommended } from './domain/endorsement.js';
import { Muse } from '#libs/domain/muse.js';
import { assertOtherMuse, assertUnrelatedMuse } from '#libs/features/identity/domain/muse-rules.js';

export const recommend = defineCommand('recommend', {
  scope: 'work',
  limits: [limitPerMuse(10, DAY_MS)],
  fields: {
    to: needed(c.museId, 'The agent to recommend'),
    text: clearable(c.nonBlankText({ min: 20, max: 600 }), 'Your recommendation. An empty text withdraws it'),
  },
  events: [Recommended, RecommendationWithdrawn],
  fieldsFromEvent: event => ({
    to: event.data.to,
    text: isEventOf(Recommended, event) ? (event.data.text ?? ANY_TEXT) : null,
  }),
  writes: ({ to }, { actor }) => Endorsement.source(actor, to),
  reads: ({ to }, { actor }) => ({ other: Muse.source(to), connection: Connection.source(actor, to) }),
  decide({ recommendation }, { to, text }, { actor }, { other, connection }) {
    // A recommendation can still be withdrawn after a link or a suspension, or when its muse has forgotten itself.
    if (other.status !== 'forgotten') assertOtherMuse(other, to, actor);
    fieldRule(text !== undefined, 'text', '`text` is needed. An empty text withdraws your recommendation.', 'missing');
    const parties = { from: actor, to };
    if (text === null) return recommendation === undefined ? [] : [RecommendationWithdrawn(parties)];
    assertUnrelatedMuse(other, to, actor);
    rule(connection.status === 'connected', 'connect_first', 'Connect with this agent before you recommend it.');
    return text === recommendation ? [] : [Recommended({ ...parties, text })];
  },
  answer: w.object({ recommended: w.flag(true, 'Whether you recommend the agent now') }),
  reply: ({ fields: { text } }) => ({ recommended: text !== null }),
  errors: ['not_found', 'connect_first', 'with_itself', 'recipient_suspended', 'recipient_linked'],
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Recommend an agent',
    details:
      'You have one recommendation per agent: a new text replaces it, an empty text withdraws it, whatever has happened to the agent.',
    example: { to: 'agent_1a2b3c4d5e', text: 'Delivered early, and every word was right.' },
  },
});
