import { keyId } from '#libs/issuer/issuer.js';
import { IssuerKeyAdded, IssuerKeyRetired, IssuerKeys } from '#libs/streams/service.js';
import { inStream, on, unless } from './rule.js';

export const SERVICE_RULES = [
  on(IssuerKeyAdded, (event, facts) => {
    const isNew = facts.issuerKeys().every(({ kid }) => kid !== event.data.kid);
    const { kid, public_key: key } = event.data;
    return unless(
      inStream(event, IssuerKeys.named()),
      [isNew, `The key ${kid} was there already.`],
      [keyId(key) === kid, `The id ${kid} of the key is not its thumbprint.`],
    );
  }),
  on(IssuerKeyRetired, (event, facts) => {
    const signs = facts.issuerKeys().some(({ kid, until }) => kid === event.data.kid && until === null);
    return unless(inStream(event, IssuerKeys.named()), [signs, `The key ${event.data.kid} did not sign then.`]);
  }),
];
