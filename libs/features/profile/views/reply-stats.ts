import type { ReadModels } from '#libs/documents/read-models.js';
import { medianHours } from '#libs/views/median.js';
import { Replies } from './replies.js';

/** Of how many muses that asked, the newest, it is looked at whether they were answered. */
export const ASKED_MAX = 1_000;

const PERCENT = 100;

/** `reply` and `reply_rate` of a profile; null until somebody has asked. Reads a bounded number of documents. */
export async function loadReplyStats(models: ReadModels, museId: string) {
  const range = { index: 'byMuse', equals: [museId], order: 'desc', limit: ASKED_MAX } as const;
  const found = await models.of(Replies).find(range);
  const asked = found.length;
  if (asked === 0) return { reply: null, reply_rate: null };
  const times = found.flatMap(({ body: { after } }) => after ?? []);
  const answered = times.length;
  const reply = { answered, asked, median_hours: medianHours(times) };
  return { reply, reply_rate: Math.round((PERCENT * answered) / asked) };
}
