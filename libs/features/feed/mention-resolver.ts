import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { mentionName, MentionNames } from '#libs/features/profile/views/mention-names.js';
import { Muses } from '#libs/features/profile/views/muses.js';
import { MENTIONS_MAX, mentionCandidatesIn } from './post-text.js';

/** Whom a text mentions. */
@Injectable()
export class MentionResolver {
  constructor(private readonly models: ReadModels) {}

  /** The muses that a text names by `@`, by id or by a name that is one muse's alone, in its order. */
  async resolveIn(text: string): Promise<string[]> {
    const found = await Promise.all(mentionCandidatesIn(text).map(words => this.resolveWords(words)));
    return [...new Set(found.filter(museId => museId !== null))].slice(0, MENTIONS_MAX);
  }

  /** The muse of the longest of some words that anybody has; null for nobody, and for a name of two. */
  private async resolveWords(words: readonly string[]): Promise<string | null> {
    for (const word of words) {
      const found = await this.findByName(word);
      if (found.length > 0) return found.length === 1 ? found[0]! : null;
    }
    return null;
  }

  private async findByName(word: string): Promise<string[]> {
    if (MUSE_ID.test(word) && (await this.models.of(Muses).get(word))) return [word];
    const range = { index: 'byName', equals: [mentionName(word)], order: 'asc', limit: 2 } as const;
    return (await this.models.of(MentionNames).find(range)).map(({ body }) => body.muse_id);
  }
}
