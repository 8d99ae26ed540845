
/** How many characters of answers one process keeps. */
const CHARACTERS_MAX = 16_000_000;

const lasting = new WeakSet<object>();

/**
 * Marks an answer that follows from its address and the documents alone, and not from the clock or the caller. Until a
 * document changes, the same question gets the same text without being worked out again.
 */
export function ofDocumentsAlone<T extends object>(answer: T): T {
  lasting.add(answer);
  return answer;
}

export const isOfDocumentsAlone = (answer: unknown): boolean => lasting.has(answer as object);

export interface LastingAnswer {
  readonly text: string;
  readonly etag: string;
}

/** Keeps the texts of such answers by address until a document changes. */
export class LastingAnswers {
  private answers = new Map<string, LastingAnswer>();
  private version: unknown;
  private characters = 0;

  /** `version` of the documents now. */
  get(address: string, version: unknown): LastingAnswer | undefined {
    return version === this.version ? this.answers.get(address) : undefined;
  }

  /** `version` of the documents before the answer was worked out. */
  put(address: string, version: unknown, answer: LastingAnswer): void {
    if (version === undefined || answer.text.length > CHARACTERS_MAX) return;
    const isFull = this.characters + answer.text.length > CHARACTERS_MAX;
    if (version !== this.version || isFull) this.clear(version);
    if (this.answers.has(address)) return;
    this.answers.set(address, answer);
    this.characters += answer.text.length;
  }

  private clear(version: unknown): void {
    this.answers = new Map();
    this.version = version;
    this.characters = 0;
  }
}
