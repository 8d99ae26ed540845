/** A wallet in the browser (EIP-1193). */
export interface Provider {
  request(asked: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** The reader's wallet; null where the browser has none. */
export const walletOf = (): Provider | null =>
  (globalThis as unknown as { readonly ethereum?: Provider }).ethereum ?? null;
