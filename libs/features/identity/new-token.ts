import { TokenMint } from '#libs/http/authentication/bearer-tokens.js';
import { getBearerTokenHint } from '#libs/domain/access-ends.js';
import type { EventOf } from '#libs/domain/define.js';
import { isEventOf } from '#libs/domain/define.js';
import { TokenIssued } from '#libs/domain/muse.js';
import type { Event } from '#libs/kernel/event.js';
import { GIVEN_HASH, GIVEN_INTEGER } from '#libs/endpoints/decision.js';
import { type ExternalInput, readsNoFurtherStream } from '#libs/endpoints/command.js';
import * as w from '#libs/values/answer-schema.js';

interface NewToken {
  /** Derived from the request key and never stored. */
  readonly token: string;
  readonly issued: { readonly hash: string; readonly expires_at: number };
  /** Hash prefix of the token that authorized the request; null for a signed request. */
  readonly requestTokenHint: string | null;
}

export const newTokenContext: ExternalInput<unknown, NewToken, { readonly tokens: TokenMint }> = {
  find: (_fields, { at, requestKey, authorization }, { tokens }) => ({
    token: tokens.of(requestKey),
    issued: tokens.issue(requestKey, at),
    requestTokenHint: getBearerTokenHint(authorization),
  }),
  // The lifetime of tokens is a setting (`TOKEN_DAYS`), so a replay accepts the event's.
  fromEvent: (_fields, { event: { authorization } }) => ({
    token: '',
    issued: { hash: GIVEN_HASH, expires_at: GIVEN_INTEGER },
    requestTokenHint: getBearerTokenHint(authorization),
  }),
  mustRead: readsNoFurtherStream,
};

export const TOKEN_ANSWER = {
  token: w.rarelyPresent(w.text(`service_tok_${'k3Yw'.repeat(10)}k3Y`, 'Shown once')),
  expires_at: w.rarelyPresent(w.time()),
};

export function issuedTokenIn(events: readonly Event[], { token }: NewToken) {
  const issued = events.find((event): event is EventOf<typeof TokenIssued> & Event => isEventOf(TokenIssued, event));
  return issued ? { token, expires_at: issued.data.expires_at } : {};
}
