import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import type { ServiceAddress } from '#libs/http/service-address.js';
import type { Issuer } from '#libs/issuer/issuer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { findCurrentKey } from '#libs/domain/service.js';
import { buildAgentCard, withLegacyMembers } from './agent-card.js';

const base64url = (text: string) => Buffer.from(text).toString('base64url');

interface Signature {
  readonly protected: string;
  readonly signature: string;
}
type Card = ReturnType<typeof withLegacyMembers> & { readonly signatures: readonly Signature[] };

/** Caches the signed card until the issuer's key or the address changes. */
export class SignedCard {
  private cached: { readonly kid: string; readonly url: string; readonly card: Card } | null = null;

  constructor(
    private readonly issuer: Issuer,
    private readonly address: ServiceAddress,
  ) {}

  async get(): Promise<Card> {
    const { url } = this.address;
    const { kid } = findCurrentKey(await this.issuer.keys())!;
    if (this.cached?.kid !== kid || this.cached.url !== url)
      this.cached = { kid, url, card: await this.sign(url, kid) };
    return this.cached.card;
  }

  /**
   * Signed twice (JWS, RFC 7515, over RFC 8785): as A2A 1.0 defines the card, and as the JavaScript client parses it,
   * which loses the security schemes before it verifies.
   */
  private async sign(url: string, kid: string): Promise<Card> {
    const card = buildAgentCard(url);
    const payloads = [canonicalJson(card), canonicalizeAgentCard(AgentCard.fromJSON(card))];
    const header = base64url(canonicalJson({ alg: 'EdDSA', typ: 'JOSE', kid, jku: `${url}/.well-known/jwks.json` }));
    const signatures = await Promise.all(
      payloads.map(async payload => {
        const { signature } = await this.issuer.signText(`${header}.${base64url(payload)}`);
        return { protected: header, signature };
      }),
    );
    return { ...withLegacyMembers(card, url), signatures };
  }
}
