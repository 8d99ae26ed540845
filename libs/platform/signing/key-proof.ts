/** What a new key signs so that it is bound to a muse: nobody binds a key that is not theirs. */
export const keyProof = (museId: string, publicKey: string): string => `service-key-v1\n${museId}\n${publicKey}`;
