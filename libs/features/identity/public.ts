export { assertProof, assertStrongKey, isKeyOf } from './key-rules.js';
export { IdentitySettings, issuedEmail, mailDomainIn } from './issued-email.js';
export {
  QUICKSTART_FIELDS,
  adjustmentsOf,
  headlineOf,
  nameOf,
  requestedFieldsIn,
  sourceKey,
  splitSkills,
  truncatedBio,
  withAdjusted,
  withRetryBody,
} from './new-identity.js';
export { claimKey } from './new-identity.js';
export { newTokenContext } from './new-token.js';
export { acceptedReferrer, referrerOf } from './referrer.js';
export { laterOf, payeeFrom, payeeOf } from './wage-wallet.js';
