/** The field's prime, 2^255 - 19. */
const P = 2n ** 255n - 19n;
const ORDER_8_Y = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
/** y of the eight points whose order divides 8. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, ORDER_8_Y, P - ORDER_8_Y]);

/** The number that the bytes are, read from their end (RFC 8032, 5.1.2). */
export function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/**
 * Whether the 32 bytes may stand for a point of a key or a signature: its `y` is reduced, and its order is not small. A
 * signature by a key of small order says nothing about its message, and one with such an `R` gives the key away. OpenSSL
 * took both for years and newer ones refuse them, so it is decided here: all versions of Node must answer alike.
 */
export function isOrdinaryPoint(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) & ((1n << 255n) - 1n);
  return y < P && !SMALL_ORDER_Y.has(y);
}
