import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { getBearerTokenHint } from '#libs/domain/token-ends.js';
import type { EventOf } from '#libs/domain/define.js';
import { isEventOf } from '#libs/domain/define.js';
import { TokenIssued } from '#libs/domain/muse.js';
import type { Event } from '#libs/kernel/event.js';
import { GIVEN_HASH, GIVEN_INTEGER } from '#libs/endpoints/decision.js';
import type { ExternalInput } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';

interface NewToken {
  /** The token that a request gets if it gets one: it follows from the request, and is stored nowhere. */
  readonly token: string;
  readonly issued: { readonly hash: string; readonly expires_at: number };
  /** How much of its sha256 is known of the token that allowed the request; null for one that was signed. */
  readonly presented: string | null;
}

/** What a verb needs to issue a token. */
export const newTokenContext: ExternalInput<unknown, NewToken, { readonly tokens: TokenMint }> = {
  find: (_fields, { at, requestKey, authorization }, { tokens }) => ({
    token: tokens.of(requestKey),
    issued: tokens.issue(requestKey, at),
    presented: getBearerTokenHint(authorization),
  }),
  // A setting defines how long a token is valid, so the event does not have to agree with it.
  said: (_fields, { event: { authorization } }) => ({
    token: '',
    issued: { hash: GIVEN_HASH, expires_at: GIVEN_INTEGER },
    presented: getBearerTokenHint(authorization),
  }),
};

/** What an answer says of a token that was issued. */
export const TOKEN_ANSWER = {
  token: w.rarelyPresent(w.text(`service_tok_${'k3Yw'.repeat(10)}k3Y`, 'Shown once')),
  expires_at: w.rarelyPresent(w.time()),
};

/** The same of what a request has written: nothing where it issued none. */
export function issuedTokenIn(events: readonly Event[], { token }: NewToken) {
  const issued = events.find((event): event is EventOf<typeof TokenIssued> & Event => isEventOf(TokenIssued, event));
  return issued ? { token, expires_at: issued.data.expires_at } : {};
}
