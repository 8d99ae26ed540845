import { TokenIssued } from '#libs/domain/muse.js';
import * as d from './document-schema.js';
import { on, defineProjection } from './projection.js';

export const TokenDocument = d.object({ muse_id: d.museId });
export type TokenDocument = d.DocumentOf<typeof TokenDocument>;

/** Muse ids by sha256 of the token. The muse's stream decides whether the token is valid. */
export const Tokens = defineProjection<typeof TokenDocument>({
  name: 'tokens',
  version: 1,
  shape: '36754884',
  document: TokenDocument,
  steps: [
    on(
      TokenIssued,
      ({ data }) => [data.hash],
      (_document, { data }) => ({ muse_id: data.muse_id }),
    ),
  ],
});
