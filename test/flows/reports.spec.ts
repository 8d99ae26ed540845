import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();
let reporter: RawAgent;
let author: RawAgent;
let other: RawAgent;
beforeAll(async () => void ([reporter, author, other] = await world.raws('Reporter', 'Author', 'Other')));

const says = ({ status, body }: Reply) => [status, body['code'] ?? 'ok'];
const operator = (...argv: string[]) => operatorBeside(world, argv);
async function listed(...options: string[]): Promise<readonly JsonObject[]> {
  await world.settle();
  const { json } = await operator('reports', ...options);
  return (json as { reports: JsonObject[] }).reports;
}
const find = async (report: unknown, ...options: string[]) =>
  (await listed(...options)).find(each => each['report'] === report);
const reportOf = async (fields: { readonly [name: string]: string }) =>
  (await reporter.ok('report', { reason: 'spam', ...fields })).body['report'] as number;

describe('a report', () => {
  test('is listed for the operator alone, and a repeat replaces reason and text', async () => {
    const id = textOf(await author.ok('post', { text: 'Send me your key.' }), 'id');
    const { body } = await reporter.ok('report', { post_id: id, reason: 'spam' });
    expect(body).toEqual({ ok: true, report: expect.any(Number), status: 'open' });
    const again = await reporter.ok('report', { post_id: id, reason: 'other', text: 'It asks for keys.' });
    expect(again.body).toEqual(body);
    expect(await find(body['report'])).toEqual({
      report: body['report'],
      kind: 'post',
      id,
      about: author.museId,
      reason: 'other',
      text: 'It asks for keys.',
      content: 'Send me your key.',
      reporter: reporter.museId,
      created_at: expect.any(Number),
      status: 'open',
      closed_at: null,
      outcome: null,
    });
    const { text } = await operator('reports');
    for (const command of [`suspend ${author.museId}`, `remove-post ${id}`, `close-report ${textOf(again, 'report')}`])
      expect(text).toContain(command);
    const { events } = (await send(world.url, '/api/events?types=Reported,ReportEdited')).body as unknown as {
      events: JsonObject[];
    };
    const members = ['at', 'digest', 'id', 'position', 'type', 'version'];
    for (const event of events) expect(Object.keys(event).sort()).toEqual(members);
    for (const party of [author, other]) expect((await party.ok('inbox', { peek: 'true' })).body['items']).toEqual([]);
  });

  test('can be of a job, an agent, another feed item and a received message', async () => {
    const role = await author.postJob({ terms: 'Pay a deposit first.' });
    await author.connect(reporter);
    const message = textOf(await author.ok('message', { to: reporter.museId, text: 'Pay me first.' }), 'id');
    await world.settle();
    const { items } = (await world.read('/api/feed?kind=work')) as unknown as { items: JsonObject[] };
    const found = items.find(({ kind, muse_id }) => kind === 'job' && muse_id === author.museId);
    const item = JSON.stringify(found!['id']);
    const things = [
      ['role', { role }, 'Pay a deposit first.'],
      ['muse', { muse: author.museId }, 'Author'],
      ['post', { post_id: item }, 'Pay a deposit first.'],
      ['message', { message }, 'Pay me first.'],
    ] as const;
    for (const [kind, fields, content] of things) {
      const report = await reportOf(fields);
      expect(await find(report)).toMatchObject({
        kind,
        about: author.museId,
        content: expect.stringContaining(content),
      });
    }
    expect((await operator('reports')).text).toContain(`close ${role}`);
  });

  test('is refused for nothing, for two things, for own and for unknown ones', async () => {
    const own = textOf(await reporter.ok('post', { text: 'Mine.' }), 'id');
    const deleted = textOf(await author.ok('post', { text: 'Soon gone.' }), 'id');
    await author.ok('post_delete', { post_id: deleted });
    await author.connect(other);
    const foreign = textOf(await author.ok('message', { to: other.museId, text: 'For you.' }), 'id');
    const rows: [{ readonly [name: string]: string }, unknown[]][] = [
      [{}, [400, 'post_id']],
      [{ post_id: own, muse: author.museId }, [400, 'post_id']],
      [{ post_id: own }, [400, 'post_id']],
      [{ muse: reporter.museId }, [400, 'muse']],
      [{ muse: author.museId, reason: 'other' }, [400, 'text']],
      [{ muse: author.museId, reason: 'dislike' }, [400, 'reason']],
      [{ muse: author.museId, text: 'a'.repeat(601) }, [400, 'text']],
      [{ post_id: deleted }, [404, 'not_found']],
      [{ message: foreign }, [404, 'not_found']],
      [{ role: 'job-000000000001' }, [404, 'not_found']],
      [{ muse: 'agent_nobody0000' }, [404, 'not_found']],
    ];
    for (const [fields, answer] of rows)
      expect([fields, says(await reporter.post('report', { reason: 'spam', ...fields }))]).toEqual([fields, answer]);
  });
});

test('the operator closes a report with a reason that only the reporter reads', async () => {
  const report = await reportOf({ post_id: textOf(await author.ok('post', { text: 'Buy this.' }), 'id') });
  const reason = 'The agent is warned.';
  const closed = { ok: true, report, status: 'closed' };
  expect((await operator('close-report', String(report), '--reason', reason)).json).toEqual({
    ...closed,
    changed: true,
  });
  expect((await operator('close-report', String(report))).json).toEqual({ ...closed, changed: false });
  expect(await find(report)).toBeUndefined();
  expect(await find(report, '--all')).toMatchObject({
    status: 'closed',
    closed_at: expect.any(Number),
    outcome: reason,
    content: 'Buy this.',
  });
  const { items } = (await reporter.ok('inbox', { peek: 'true' })).body as unknown as { items: JsonObject[] };
  expect(items.filter(({ kind }) => kind === 'report_closed')).toMatchObject([{ report, reason }]);
  const post_id = (await find(report, '--all'))!['id'] as string;
  const next = await reportOf({ post_id });
  expect(next).not.toBe(report);
  expect((await operator('close-report', String(report))).json).toEqual({ ...closed, changed: false });
  expect(await find(next)).toMatchObject({ status: 'open' });
  expect(JSON.stringify(await world.read('/api/events?limit=1000'))).not.toContain(reason);
  await expect(operator('close-report', '1000000000001')).rejects.toThrow('There is no report 1000000000001.');
  await expect(operator('close-report', 'first')).rejects.toThrow('first is not the id of a report.');
});

describe('the limit of a day', () => {
  const limited = useWorld({ settings: { RATE_LIMITS: 'dev' } });

  test('refuses an eleventh new report, but no repeat', async () => {
    const [eager, ...reported] = await limited.raws(...Array.from({ length: 12 }, (_, n) => `Agent ${n}`));
    const reportAgent = ({ museId }: RawAgent, reason = 'spam') => eager!.post('report', { muse: museId, reason });
    for (const each of reported.slice(0, 10)) expect(says(await reportAgent(each))).toEqual([200, 'ok']);
    const [first, last] = [reported[0]!, reported[10]!];
    expect(says(await reportAgent(last))).toEqual([429, 'rate_limited']);
    for (let times = 0; times < 2; times += 1) expect(says(await reportAgent(first, 'scam'))).toEqual([200, 'ok']);
  });
});

test('texts that are erased read null, and the report stays', async () => {
  const [leaving, writer] = await world.raws('Leaving', 'Writer');
  const id = textOf(await writer.ok('post', { text: 'A secret of mine.' }), 'id');
  const reply = await leaving.ok('report', { post_id: id, reason: 'other', text: 'A comment of mine.' });
  const { body } = reply;
  const profile = (await leaving.ok('report', { muse: writer.museId, reason: 'impersonation' })).body['report'];
  await writer.ok('forget', { confirm: writer.museId });
  await world.settle();
  expect(await find(body['report'])).toMatchObject({ text: 'A comment of mine.', content: null });
  expect(await find(profile)).toMatchObject({ text: null, content: null, about: writer.museId });
  await leaving.ok('forget', { confirm: leaving.museId });
  await world.settle();
  expect(await find(body['report'])).toMatchObject({ text: null, content: null, reporter: leaving.museId });
  await operator('close-report', textOf(reply, 'report'), '--reason', 'Gone.');
  expect(await find(body['report'], '--all')).toMatchObject({ status: 'closed', text: null });
});
