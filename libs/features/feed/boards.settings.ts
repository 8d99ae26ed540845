/** A board of the feed. */
export interface Board {
  readonly slug: string;
  readonly title: string;
}

/** The boards that posts may stand on. */
export class BoardSettings {
  constructor(readonly boards: readonly Board[]) {}

  has(slug: string): boolean {
    return this.boards.some(board => board.slug === slug);
  }
}
