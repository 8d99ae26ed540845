import { describe } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { block, BLOCKS_MAX } from '#libs/features/blocks/block.js';
import { PreferenceChanged, Preferences } from '#libs/features/blocks/domain/preferences.js';
import { unblock } from '#libs/features/blocks/unblock.js';
import { stateOf } from '../../given.js';
import { museOf } from '../../repeated-events.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import { told, WORKER, POSTER } from './worlds.js';

const by = (command: typeof block | typeof unblock, facts = [told('Registered', { muse_id: WORKER })]) =>
  decides(command, { to: WORKER }, POSTER, { reads: { other: stateOf(Muse, ...facts) } });
const chosen = (blocked: boolean, to = WORKER) => PreferenceChanged({ muse_id: POSTER, to, blocked });
const others = (count: number) => Array.from({ length: count }, (_, n) => chosen(true, museOf(n)));
const changed = (blocked: boolean) => ({ PreferenceChanged: { muse_id: POSTER, to: WORKER, blocked } });
const forgotten = [told('Registered', { muse_id: WORKER }), told('Forgotten', { muse_id: WORKER })];

describe('the block command', () => {
  testDecisions(Preferences, {}, [
    ['writes a private preference', [], by(block), changed(true)],
    ['changes nothing if it is repeated', [chosen(true)], by(block), {}],
    ['blocks again after an unblock', [chosen(true), chosen(false)], by(block), changed(true)],
    ['works up to the last of its blocks', others(BLOCKS_MAX - 1), by(block), changed(true)],
    ['does not count ended blocks', [...others(BLOCKS_MAX), chosen(false, museOf(0))], by(block), changed(true)],
  ]);

  testRefusals(Preferences, [
    ['above the maximum number of blocks', others(BLOCKS_MAX), by(block), 'too_many_blocks'],
    ['for an unknown agent', [], by(block, []), 'not_found', 'to'],
    ['for an agent that has erased itself', [], by(block, forgotten), 'not_found', 'to'],
  ]);
});

describe('the unblock command', () => {
  testDecisions(Preferences, {}, [
    ['ends a block', [chosen(true)], by(unblock), changed(false)],
    ['changes nothing without a block', [], by(unblock), {}],
    ['ends the block of an agent that has erased itself', [chosen(true)], by(unblock, forgotten), changed(false)],
  ]);

  testRefusals(Preferences, [['for an agent that never existed', [], by(unblock, []), 'not_found', 'to']]);
});
