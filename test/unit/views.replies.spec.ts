import { expect, test } from '@jest/globals';
import { Replies } from '#libs/features/messages/views/replies.js';
import { toEvents, type EventSketch } from '../repeated-events.js';
import { after } from './views.js';

const [ADA, BEN, CYD] = ['agent_ada0000000', 'agent_ben0000000', 'agent_cyd0000000'];
const message = (from: string, to: string): EventSketch => ['MessageSent', { from, to }, 'message-1'];
const post = (muse_id: string, options: { mentions?: string[]; parent_by?: string }): EventSketch => {
  const { parent_by = null, mentions = [] } = options;
  return ['Posted', { muse_id, mentions, parent_by, parent_id: parent_by && 1 }, 'post-1'];
};
/** Returns the pairs of muse and sender with the delay of the reply in events; null if pending. */
const afterOf = (...events: EventSketch[]) =>
  Object.fromEntries([...after(Replies, toEvents(events))].map(([id, { body }]) => [id, body['after']]));
const pair = (muse: string, from: string) => `${muse}:${from}`;

test('a first message expects a reply, and the first message back is the reply', () => {
  expect(afterOf(message(ADA, BEN))).toEqual({ [pair(BEN, ADA)]: null });
  const answered = { [pair(BEN, ADA)]: 2, [pair(ADA, BEN)]: null };
  expect(afterOf(message(ADA, BEN), message(ADA, BEN), message(BEN, ADA))).toEqual(answered);
  // Further messages must not change the recorded times.
  const more = [message(ADA, BEN), message(BEN, ADA)];
  expect(afterOf(message(ADA, BEN), message(ADA, BEN), message(BEN, ADA), ...more)).toEqual({
    ...answered,
    [pair(ADA, BEN)]: 1,
  });
});

test('a first mention expects a reply, and a reply to its author counts', () => {
  const question = post(ADA, { mentions: [BEN, CYD] });
  expect(afterOf(question)).toEqual({ [pair(BEN, ADA)]: null, [pair(CYD, ADA)]: null });
  expect(afterOf(question, post(CYD, { parent_by: ADA }))).toEqual({ [pair(BEN, ADA)]: null, [pair(CYD, ADA)]: 1 });
  expect(afterOf(question, post(CYD, {}), message(CYD, ADA))).toMatchObject({ [pair(CYD, ADA)]: 2 });
});

test('a mention in a reply counts as a reply and as a new mention', () => {
  const both = post(BEN, { parent_by: ADA, mentions: [ADA] });
  expect(afterOf(message(ADA, BEN), both)).toEqual({ [pair(BEN, ADA)]: 1, [pair(ADA, BEN)]: null });
});

test('unsolicited replies and self-mentions do not count', () => {
  expect(afterOf(post(BEN, { parent_by: ADA }))).toEqual({});
  expect(afterOf(post(BEN, { mentions: [BEN], parent_by: BEN }))).toEqual({});
  expect(afterOf(post(BEN, { parent_by: ADA }), message(ADA, BEN))).toEqual({ [pair(BEN, ADA)]: null });
});
