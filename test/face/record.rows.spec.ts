import { beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { brokenIn, type Changes, checkedRecord } from './checked-record.js';
import { describeInChromium, START_MS, world } from './in-chromium.js';
import { HOSTILE } from './page-story.js';

const PAGE = '/records/*';
const POST = '/api/post/*';

describeInChromium('the lists of a record in Chromium', () => {
  let hire: number;
  let worker: AgentClient;
  let post: number;

  beforeAll(async () => {
    const [poster, other, checker] = (await world.agents('Posy', 'Wren', 'Cleo')) as [
      AgentClient,
      AgentClient,
      AgentClient,
    ];
    worker = other;
    const { slug: project } = await poster.project({ name: 'Handbook', oneLine: 'A book.', about: 'A book.' });
    const job = { title: 'Translate <b>a page</b>', summary: 'One page into French.', done: 'A page in French.' };
    const { role } = await poster.job({ ...job, project });
    await worker.apply({ role, note: 'Gladly.' });
    hire = (await poster.hire({ role, to: worker.museId })).hire;
    await worker.deliver({ hire, url: world.page('bonjour'), note: `First\n\n  draft. ${HOSTILE}` });
    post = (await worker.post({ text: `La page :\n  elle coule. ${HOSTILE}` })).id;
    await worker.deliver({ hire, postId: post });
    await world.settle();
    const evidenceUrl = 'https://example.com/a?b="c"';
    const verdict = { hire, scope: `Read both. ${HOSTILE}`, evidenceUrl };
    const { recheck } = await checker.recheck({ ...verdict, result: 'held' });
    await worker.recheckReply({ hire, recheck, text: 'Thank you,\nindeed.' });
    await world.settle();
  }, START_MS);

  const checked = (changed: Changes = {}) => checkedRecord(hire, changed);
  const changing = (what: string | RegExp, by: string): Changes => ({ [PAGE]: text => text.replace(what, by) });

  test('match the record despite hostile texts, and the delivered post is unchanged', async () => {
    const { states, outcome, because, complaints, text } = await checked();
    expect([because, complaints, brokenIn(states)]).toEqual([['The record has no payment.'], [], []]);
    expect(states['delivery']).toBe('holds');
    expect(outcome).toBe('Verified in your browser: 11 of 11 checks that apply.');
    expect(text).toContain('Names of agents and their check marks are not signed.');
    expect(text).toContain('Text of version 2:\n\nLa page :\nelle coule.');
    expect(text).toContain('This result is from the service and is not signed.');
  });

  test.each([
    ['the digest of a version', /SHA-256 <code>[0-9a-f]/, 'SHA-256 <code>x', 'Deliveries'],
    ['the number of a version', 'Version 2:', 'Version 3:', 'Deliveries'],
    ['the note of a version', '>First', '>Last', 'Deliveries'],
    ['the delivered post', />a post</, ' data-x="">another post<', 'Deliveries'],
    ['the link of a post', /href="\/feed\/\d+/, 'href="/feed/1', 'Deliveries'],
    ['the presence of a version', /<li>(?:(?!<li>).)*Version 1:.*?<\/li>/s, '', 'Deliveries'],
    ['the number of versions', /(<div id="record-deliveries"><ul[^>]*>)/, '$1<li>Version 3: a page</li>', 'Deliveries'],
    [
      'the result of a recheck',
      'says that version 2 holds',
      'says that version 2 does not hold',
      'Checks by third parties',
    ],
    [
      'the author of a recheck',
      /(id="record-rechecks">.*?href="\/people\/)agent_\w+/s,
      '$1agent_0000000000',
      'Checks by third parties',
    ],
    ['the scope of a recheck', '>Read both. ', '>Read none. ', 'Checks by third parties'],
    [
      'the evidence of a recheck',
      'href="https://example.com/',
      'href="https://example.net/',
      'Checks by third parties',
    ],
    ['the reply to a recheck', '\nindeed.', '\nnot.', 'Checks by third parties'],
    ['an event', '>Delivered <code', '>Paid <code', 'Events behind this record'],
    ['the position of an event', ', revision 0', ', revision 7', 'Events behind this record'],
    ['the title', /(<h1.*?)Translate/, '$1Shred', 'Title'],
    ['the project', 'href="/projects/', 'href="/projects/x', 'Parties'],
  ] as const)('fail their check after a change of %s', async (_what, what, by, name) => {
    const { states, outcome, because } = await checked(changing(what, by));
    expect(brokenIn(states)).toEqual(['shown']);
    expect(because[0]).toMatch(new RegExp(`^For “${name}” the page (differs|shows more)`));
    expect(outcome).toMatch(/^Do not rely on this record: only \d+ of \d+ checks that apply hold[^.]*\.$/);
  });

  test('may show a new name, which is not signed', async () => {
    expect(brokenIn((await checked(changing('>Cleo<', '>Clio<'))).states)).toEqual([]);
  });

  test('fail their check if the delivered post has changed', async () => {
    const { states, because } = await checked({ [POST]: text => text.replace('La page', 'Une page') });
    expect(brokenIn(states)).toEqual(['delivery']);
    expect(because).toContain('The post has changed since it was delivered.');
  });

  test('fail their check if the page shows another text of the delivered post', async () => {
    const other = changing(/(id="record-preview">.*?)La page/s, '$1Une page');
    const { states, because } = await checked(other);
    expect(brokenIn(states)).toEqual(['delivery']);
    expect(because).toContain('The page shows another text.');
  });

  test('mark erased texts, and a deleted post can no longer be compared', async () => {
    const gone = 'The post was deleted or erased and cannot be compared.';
    await worker.postDelete({ postId: post });
    await world.settle();
    const deleted = await checked();
    expect([deleted.states['delivery'], brokenIn(deleted.states)]).toEqual(['unchecked', []]);
    expect(deleted.because).toContain(gone);
    await worker.forget({ confirm: worker.museId });
    await world.settle();
    const erased = await checked();
    expect([erased.text.includes('This text was erased.'), brokenIn(erased.states)]).toEqual([true, []]);
  });
});
