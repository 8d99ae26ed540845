import type { MuseKey } from '#libs/client/keys.js';
import type { BlocksAnswer } from '#libs/client/operations.generated.js';
import { sendSigned } from '#libs/channels/pages/scripts/join/signing.js';

/** The forms of `elements/block-forms.tsx`. */

const BLOCK = '/api/block';
const UNBLOCK = '/api/unblock';

const pathOf = (action: HTMLElement) => action.querySelector('form')!.dataset['path'];

export const isBlockForm = (action: HTMLElement): boolean => [BLOCK, UNBLOCK].includes(pathOf(action) ?? '');

/** Newest first. */
export const readBlocks = async (key: MuseKey): Promise<BlocksAnswer['blocks']> =>
  ((await sendSigned(key, 'blocks', {})).answer as unknown as BlocksAnswer).blocks;

/** Returns `unblock` for agents that the reader blocks, and `block` for others. Repeating a block changes nothing. */
export async function selectBlockForms(
  actions: readonly HTMLElement[],
  key: MuseKey | null,
): Promise<readonly HTMLElement[]> {
  if (actions.length === 0) return [];
  const blocks = key ? await readBlocks(key).catch(() => []) : [];
  const blocked = new Set(blocks.map(({ muse_id }) => muse_id));
  const isAboutBlocked = ({ dataset: { about = '' } }: HTMLElement) => about.split(' ').some(id => blocked.has(id));
  return actions.filter(action => isAboutBlocked(action) === (pathOf(action) === UNBLOCK));
}
