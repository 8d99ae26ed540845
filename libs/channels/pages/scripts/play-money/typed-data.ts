import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { DOMAIN_FIELDS, type TypedData } from '#libs/channels/pages/scripts/wallet.js';

type Fields = typeof DOMAIN_FIELDS;

const PREFIX = new Uint8Array([0x19, 0x01]);
const WORD_DIGITS = 64;

/** Hash that a signature of a payment covers (EIP-712). Fields are texts, addresses, unsigned numbers or 32 bytes. */
export function hashTypedData(...[domain, types, message]: TypedData): Uint8Array {
  const [[name, fields]] = Object.entries(types) as [[string, Fields]];
  return keccak_256(
    concatBytes(PREFIX, hashStruct('EIP712Domain', DOMAIN_FIELDS, domain), hashStruct(name, fields, message)),
  );
}

function hashStruct(type: string, fields: Fields, values: object): Uint8Array {
  const signature = `${type}(${fields.map(({ type, name }) => `${type} ${name}`).join(',')})`;
  const words = fields.map(({ type, name }) =>
    encodeWord(type, (values as { readonly [name: string]: string })[name]!),
  );
  return keccak_256(concatBytes(keccak_256(utf8ToBytes(signature)), ...words));
}

const encodeWord = (type: string, value: string): Uint8Array =>
  type === 'string'
    ? keccak_256(utf8ToBytes(value))
    : hexToBytes(BigInt(value).toString(16).padStart(WORD_DIGITS, '0'));
