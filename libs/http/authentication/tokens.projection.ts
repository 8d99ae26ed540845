import { is } from '#libs/streams/define.js';
import { TokenIssued } from '#libs/streams/muse.js';
import type { Projection } from '#libs/kernel/projection.js';

export type TokenDocument = { readonly muse_id: string };

/** Which muse a token belongs to, by the token's sha256. Whether it is valid says the muse's own stream. */
export const Tokens: Projection<TokenDocument> = {
  name: 'tokens',
  version: 1,
  types: [TokenIssued.type],
  indexes: {},
  keys: event => (is(TokenIssued, event) ? [event.data.hash] : []),
  evolve: (document, event) => (is(TokenIssued, event) ? { muse_id: event.data.muse_id } : (document ?? null)),
};
