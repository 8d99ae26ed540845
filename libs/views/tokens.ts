import { TokenIssued } from '#libs/domain/muse.js';
import * as d from './document-schema.js';
import { by, on, defineProjection } from './projection.js';

/** Muse ids by sha256 of the token. The muse's stream decides whether the token is valid. */
export const Tokens = defineProjection('tokens', d.object({ muse_id: d.museId }), {
  shape: '36754884',
  steps: [on(TokenIssued, by('hash'), (_document, { data }) => ({ muse_id: data.muse_id }))],
});
