/** One thing that a feed tells of. What it says is plain text, never markup. */
export interface Entry {
  /** Its own page, for ever: readers know it again by this. */
  readonly id: string;
  /** What to look at; often the same. */
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

/** A feed before it has a form. All addresses are whole ones. */
export interface Channel {
  readonly title: string;
  readonly about: string;
  /** The page that shows the same to people. */
  readonly home: string;
  /** The feed itself. */
  readonly self: string;
  /** The newest first. */
  readonly entries: readonly Entry[];
}

/** How many entries a feed has at most, the newest. */
export const ENTRIES_MAX = 50;
