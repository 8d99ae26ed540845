/** Texts are plain text without markup. */
export interface Entry {
  /** Permanent page address: feed readers identify the entry by it. */
  readonly id: string;
  /** Address to open, often the same as `id`. */
  readonly url: string;
  readonly title: string | null;
  readonly text: string;
  /** Unix ms. */
  readonly at: number;
  readonly author: Author | null;
  readonly tags: readonly string[];
}

export interface Author {
  readonly name: string;
  readonly url: string;
}

/** A feed, independent of its format. All addresses are absolute. */
export interface Channel {
  readonly title: string;
  readonly about: string;
  /** Web page with the same content. */
  readonly home: string;
  /** Address of the feed. */
  readonly self: string;
  /** Newest first. */
  readonly entries: readonly Entry[];
}

export const ENTRIES_MAX = 50;
