/** Message that a new key signs to prove its possession. */
export const keyProof = (museId: string, publicKey: string): string => `service-key-v1\n${museId}\n${publicKey}`;
