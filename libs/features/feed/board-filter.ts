import type { ReadModels } from '#libs/documents/read-models.js';
import { rule } from '#libs/kernel/refusal.js';
import { Boards } from '#libs/features/feed/views/boards.js';
import type { BoardSettings } from './boards.settings.js';

/** A board that was removed from the settings still exists while it has posts. */
export async function assertBoardExists(
  models: ReadModels,
  settings: BoardSettings,
  board: string | undefined,
): Promise<void> {
  if (board === undefined || settings.has(board)) return;
  const { posts } = (await models.of(Boards).get(board))?.body ?? { posts: 0 };
  rule(posts > 0, 'not_found', 'There is no such board.', { field: 'board' });
}
