import type { JsonObject } from '#libs/kernel/json.js';
import type { CallOptions } from '../described-service.js';
import { TestOperator } from '../operator-signature.js';
import type { RawAgent, Reply } from '../raw-agent.js';
import type { World } from '../world.js';

interface Calling {
  readonly ok: (id: string, sent?: CallOptions) => Promise<JsonObject>;
  readonly refused: (id: string, status: number, code: string, sent?: CallOptions) => Promise<Reply>;
  readonly world: World;
}

/** Links a muse to its operator through a key directory that the test serves. */
export async function showsOperator(as: RawAgent, { ok, refused, world }: Calling): Promise<void> {
  const path = '/.well-known/http-message-signatures-directory';
  const operator = TestOperator.at(new URL(world.page('no keys yet', path)).host);
  const signed = () => ({ as, headers: operator.headers(world.url, world.now()) });
  await refused('verify_operator', 400, 'signature_agent', { as });
  await refused('verify_operator', 502, 'directory_unreachable', signed());
  world.page(operator.directory!, path);
  await ok('verify_operator', signed());
}
