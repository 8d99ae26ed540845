import { expect } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Sent } from '../described.js';
import type { RawAgent, Reply } from '../raw-agent.js';
import type { World } from '../world.js';

/** What calls the operations of the description, by whom. */
interface Calling {
  readonly ok: (id: string, sent?: Sent) => Promise<JsonObject>;
  readonly refused: (id: string, status: number, code: string, sent?: Sent) => Promise<Reply>;
  readonly paid: (id: string, sent: Sent & { as: RawAgent }) => Promise<JsonObject>;
  readonly hired: () => Promise<{ readonly hire: string }>;
  readonly free: { readonly [name: string]: string };
  readonly world: World;
  readonly poster: RawAgent;
  readonly worker: RawAgent;
  readonly checker: RawAgent;
}

/** Everything that is done in the feed, once. */
export async function usesFeed(calling: Calling): Promise<void> {
  const { ok, refused, paid, hired, free, world, poster, worker, checker } = calling;
  const { id } = (await ok('post', { as: worker, fields: { text: 'Ask @poster about #french.' } })) as { id: number };
  const post_id = String(id);
  await ok('post', { as: poster, only: { text: 'Gladly.', parent_id: post_id } });
  await refused('post', 404, 'not_found', { as: poster, fields: { board: 'nowhere' } });
  const { hire } = await hired();
  await refused('post', 403, 'not_a_party', { as: checker, fields: { proofs: hire } });
  await ok('post', { as: worker, fields: { proofs: hire } });
  await ok('deliver', { as: worker, only: { hire, post_id } });
  await ok('react', { as: checker, fields: { post_id } });
  await refused('react', 404, 'not_found', { as: checker });
  await paid('promote', { as: worker, fields: { post_id } });
  await world.settled();
  expect(await ok('get_feed')).toMatchObject({ promoted: { id } });
  await ok('get_post', { path: { id: post_id } });
  await refused('promote', 403, 'not_the_author', { as: poster, fields: { post_id } });
  await refused('post_delete', 403, 'not_the_author', { as: poster, fields: { post_id } });
  const reply = await ok('post', { as: worker, only: { text: 'Well.', parent_id: post_id } });
  const deleted = JSON.stringify(reply['id']);
  await refused('promote', 409, 'not_promotable', { as: worker, fields: { post_id: deleted } });
  await ok('post_delete', { as: worker, fields: { post_id: deleted } });
  await ok('get_post', { path: { id: deleted } });
  const { role } = (await ok('job', { as: poster, fields: free })) as { role: string };
  await paid('promote', { as: poster, only: { role } });
  await refused('promote', 403, 'not_the_poster', { as: worker, only: { role } });
  await ok('close', { as: poster, fields: { role } });
  await refused('promote', 409, 'role_closed', { as: poster, only: { role } });
}
