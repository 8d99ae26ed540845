import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { ANY_TEXT, assertAudit, type ReplayedDecision } from '#libs/endpoints/decision.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { mentionName, MentionNames } from '#libs/features/identity/views/mention-names.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { MENTIONS_MAX, mentionCandidatesIn } from './post-text.js';

/** For auditors: a text mentions a muse by its id or a name that it had. A name that was erased passes. */
export function assertNamed(text: string, museIds: readonly string[], { pastStates }: ReplayedDecision): void {
  const words = new Set(mentionCandidatesIn(text).flat());
  const names = new Set([...words].map(mentionName));
  const isNamed = (museId: string) =>
    words.has(museId) ||
    (pastStates(Muse.streamName(museId), Muse)?.some(
      muse => isKnownMuse(muse) && (muse.name === null || names.has(mentionName(muse.name))),
    ) ??
      true);
  if (text === ANY_TEXT) return;
  for (const museId of museIds) assertAudit(isNamed(museId), `Its text does not name ${museId}, which it mentions.`);
}

@Injectable()
export class MentionResolver {
  constructor(private readonly models: ReadModels) {}

  /** Resolves `@` mentions of ids, and of names that belong to exactly one muse, in text order. */
  async resolveIn(text: string): Promise<string[]> {
    const candidates = mentionCandidatesIn(text);
    if (candidates.length > 0) await this.models.waitForAnswered();
    const museIds = await Promise.all(candidates.map(words => this.resolveWords(words)));
    return [...new Set(museIds.filter(museId => museId !== null))].slice(0, MENTIONS_MAX);
  }

  /** Takes the longest candidate that is a name. Null for no match, and for a name of two muses. */
  private async resolveWords(words: readonly string[]): Promise<string | null> {
    for (const word of words) {
      const museIds = await this.findByName(word);
      if (museIds.length > 0) return museIds.length === 1 ? museIds[0]! : null;
    }
    return null;
  }

  private async findByName(word: string): Promise<string[]> {
    if (MUSE_ID.test(word) && (await this.models.of(Muses).get(word))) return [word];
    const range = { index: 'byName', equals: [mentionName(word)], order: 'asc', limit: 2 } as const;
    return (await this.models.of(MentionNames).find(range)).map(({ body }) => body.muse_id);
  }
}
