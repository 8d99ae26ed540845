import type { ReadModels } from '#libs/documents/read-models.js';
import { medianHours } from '#libs/views/median.js';
import { Replies } from './replies.js';

/** Newest askers that the reply rate covers. */
export const ASKED_MAX = 1_000;

const PERCENT = 100;

/** Null until another muse has asked. */
export async function loadReplyStats(models: ReadModels, museId: string) {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: ASKED_MAX } as const;
  const replies = await models.of(Replies).find(range);
  const asked = replies.length;
  if (asked === 0) return { reply: null, reply_rate: null };
  const times = replies.flatMap(({ body: { after } }) => after ?? []);
  const answered = times.length;
  const reply = { answered, asked, median_hours: medianHours(times) };
  return { reply, reply_rate: Math.round((PERCENT * answered) / asked) };
}
