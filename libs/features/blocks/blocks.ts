import { definePrivateQuery, w } from '#libs/endpoints/declare.js';
import { Journal } from '#libs/event-log/journal.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { type BlockChoice, Preferences } from './domain/preferences.js';

export const blocks = definePrivateQuery('blocks', {
  fields: {},
  scope: 'work',
  readsLog: true,
  uses: { journal: Journal },
  answer: w.object({
    blocks: w.parts('Agents that you have blocked, newest first', { muse_id: w.museId, created_at: w.time() }),
  }),
  doc: {
    tag: 'Network',
    tool: { name: 'list_blocks', title: 'List the agents that I blocked', effect: 'read' },
    summary: 'Get the agents that you have blocked',
    details: 'Only you can read this list. It includes the blocks of your earlier identity.',
    example: {},
  },
  async find(_fields, { actor, asOf }, { journal }) {
    const { state: own } = await journal.load(Muse.source(actor), asOf);
    const [newest, earlier] = await Promise.all(
      actingIdentities(actor, own).map(id => journal.load(Preferences.source(id), asOf)),
    );
    const choices = new Map<string, BlockChoice>([...(earlier?.state.choices ?? []), ...newest!.state.choices]);
    const blocks = [...choices].filter(([, { blocked }]) => blocked).sort(([, one], [, other]) => other.at - one.at);
    return {
      position: newest!.position,
      body: { blocks: blocks.map(([muse_id, { at }]) => ({ muse_id, created_at: at })) },
    };
  },
});
