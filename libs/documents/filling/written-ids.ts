const HASH_BITS = 32;
/** 8 MiB: with five million documents, 7 % of the look-ups of new ones are still made. */
const SLOT_BITS = 26;
const WORD_BITS = 5;

/**
 * Recognises documents that were never written, so that the store need not be asked for them. Has a bit for each hash of
 * an id, so it may take a new document for a written one.
 */
export class WrittenIds {
  private readonly words = new Int32Array(2 ** (SLOT_BITS - WORD_BITS));

  add(build: string, id: string): void {
    const slot = slotOf(build, id);
    this.words[slot >>> WORD_BITS]! |= 1 << slot;
  }

  mayHave(build: string, id: string): boolean {
    const slot = slotOf(build, id);
    return (this.words[slot >>> WORD_BITS]! & (1 << slot)) !== 0;
  }
}

/** FNV-1a, with the bits mixed once more because the upper ones are used. */
function slotOf(build: string, id: string): number {
  let hash = 0x811c9dc5;
  for (const text of [build, id])
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> (HASH_BITS - SLOT_BITS);
}
