import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { currentKey } from '#libs/streams/service.js';
import { Issuer } from '#libs/issuer/issuer.js';
import type { JsonObject } from '#libs/kernel/json.js';

export class ShowIssuer extends Query<JsonObject> {}

/** Whose signatures records, credentials and checkpoints carry, with every key there ever was. */
@QueryHandler(ShowIssuer)
export class ShowIssuerHandler implements IQueryHandler<ShowIssuer> {
  constructor(private readonly issuer: Issuer) {}

  async execute(): Promise<JsonObject> {
    const keys = await this.issuer.keys();
    const { kid, public_key } = currentKey(keys)!;
    return { alg: 'ed25519', public_key, issuer: this.issuer.name, kid, keys: keys.map(key => ({ ...key })) };
  }
}

export class ShowJwks extends Query<JsonObject> {}

/** The same keys as a JWK set (RFC 7517, RFC 8037). */
@QueryHandler(ShowJwks)
export class ShowJwksHandler implements IQueryHandler<ShowJwks> {
  constructor(private readonly issuer: Issuer) {}

  async execute(): Promise<JsonObject> {
    const keys = await this.issuer.keys();
    return {
      keys: keys.map(({ kid, public_key: x }) => ({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x })),
    };
  }
}
