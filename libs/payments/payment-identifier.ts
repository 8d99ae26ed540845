import { isJsonObject, type JsonObject } from '#libs/kernel/json.js';

/**
 * The x402 extension `payment-identifier`: an id that the payer chooses. A request with a known id is a repetition, also
 * with another authorization.
 */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const CHARACTERS_MIN = 16;
const CHARACTERS_MAX = 128;
const ID_FORM = new RegExp(`^[a-zA-Z0-9_-]{${CHARACTERS_MIN},${CHARACTERS_MAX}}$`);

/** Advertises the extension in an offer. */
export const PAYMENT_IDENTIFIER_OFFER: JsonObject = {
  [PAYMENT_IDENTIFIER]: {
    info: { required: false },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        required: { type: 'boolean' },
        id: { type: 'string', minLength: CHARACTERS_MIN, maxLength: CHARACTERS_MAX, pattern: '^[a-zA-Z0-9_-]+$' },
      },
      required: ['required'],
    },
  },
};

export const PAYMENT_IDENTIFIER_FORM = `${CHARACTERS_MIN} to ${CHARACTERS_MAX} characters of A-Z a-z 0-9 _ -`;

/** Returns the id of a payment's extensions, null if there is none, and undefined if it is malformed. */
export function readPaymentIdentifier(extensions: unknown): string | null | undefined {
  const extension = isJsonObject(extensions) ? extensions[PAYMENT_IDENTIFIER] : undefined;
  const info = isJsonObject(extension) ? extension['info'] : undefined;
  const id = isJsonObject(info) ? info['id'] : undefined;
  if (id === undefined || id === null) return null;
  return typeof id === 'string' && ID_FORM.test(id) ? id : undefined;
}
