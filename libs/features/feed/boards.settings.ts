export interface Board {
  readonly slug: string;
  readonly title: string;
}

export class BoardSettings {
  constructor(readonly boards: readonly Board[]) {}

  has(slug: string): boolean {
    return this.boards.some(board => board.slug === slug);
  }
}
