import { describe, expect, test } from '@jest/globals';
import { accepts } from '#libs/values/value.js';
import { parseFields } from '#libs/validation/request-class.js';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { delegate, delegateFields, draftOf } from '#libs/features/delegation/delegate.js';
import { jobFields } from '#libs/features/jobs/job-terms.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { given, NOW, DecisionExpectation } from '../../given.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { decides } from './deciding.js';
import * as world from './worlds.js';

const valuesOf = (fields: RequestFields) => parseFieldValues(delegateFields, fields);
const titleOf = (task: string) => draftOf(valuesOf({ task })).title;

describe('the title of a task', () => {
  test.each([
    ['is the whole task if it is one sentence', 'Translate this page into French', 'Translate this page into French'],
    ['has no final full stop', 'Translate this page into French.', 'Translate this page into French'],
    ['is its first sentence', 'Translate this page. It is about rivers.', 'Translate this page'],
    ['is its first line', 'Translate this page\nIt is about rivers', 'Translate this page'],
    [
      'continues after a sentence shorter than ten letters',
      'Hello! Translate this page. Thanks.',
      'Hello! Translate this page',
    ],
    ['does not end in an abbreviation', 'Translate e.g. this page. Thanks.', 'Translate e.g. this page'],
    [
      'does not end in an address or a number',
      'Read https://a.example/b.html 2.5 times',
      'Read https://a.example/b.html 2.5 times',
    ],
    ['has single spaces', '  Translate \t this\r\n   page ', 'Translate this'],
  ])('%s', (_what, task, title) => {
    expect(titleOf(task)).toBe(title);
  });

  test('is cut at a space if it is longer than eighty characters', () => {
    const title = titleOf('word '.repeat(40));
    expect(title).toBe(`${'word '.repeat(15)}word…`);
    expect([...titleOf('\u{1f600}'.repeat(100))]).toHaveLength(80);
  });

  test.each([
    'a b c d e f',
    'a\n\n\n\n\n\n\n\nb',
    '..........',
    '. . . . . . .',
    `${'x'.repeat(2_000)}`,
    'e\u0301'.repeat(900),
  ])('and the done line are valid for any task: %j', task => {
    const { title, done } = draftOf(valuesOf({ task }));
    expect([accepts(jobFields.title.value, title), accepts(jobFields.done.value, done!)]).toEqual([true, true]);
  });
});

describe('a delegated job', () => {
  const task = 'Translate this page.\n\nIt is about rivers. ';
  const post = (changed: RequestFields = {}) => decides(delegate, { task, ...changed }, world.POSTER);

  test('has one seat, thirty days, and the task unchanged as its summary', () => {
    const [fact] = given(Job).when(post()).thenTypes('JobPosted');
    expect(fact!.data).toMatchObject({
      summary: task,
      title: 'Translate this page',
      done: 'A stranger can check the delivery against the task: Translate this page',
      terms: null,
      skills: [],
      seats: 1,
      budget: null,
      expires_at: NOW + 30 * DAY_MS,
    });
  });

  test('keeps the done line and the skills that were sent', () => {
    const [fact] = given(Job)
      .when(post({ done: 'A page in French', skills: 'French' }))
      .thenTypes('JobPosted');
    expect(fact!.data).toMatchObject({ done: 'A page in French', skills: ['french'] });
    expect(draftOf(valuesOf({ task, done: 'A page in French' }))).toEqual({ title: 'Translate this page' });
  });

  test('has the hours to deliver', () => {
    const [fact] = given(Job)
      .when(post({ deliver_hours: '24' }))
      .thenTypes('JobPosted');
    expect(fact!.data).toMatchObject({ deliver_hours: 24, terms: null });
  });

  test('cannot take the slug of another job', () => {
    given(Job, world.plainJob()).when(post()).thenThrows(IdCollision);
  });

  test.each([
    ['task', { task: 'Too short' }],
    ['task', { task: `Short${' '.repeat(30)}` }],
    ['task', { task: 'x'.repeat(2_001) }],
    ['done', { done: 'Two words' }],
    ['skills', { skills: 'a1,b1,c1,d1,e1,f1' }],
    ['budget', { budget: '1.5' }],
    ['rail', { rail: 'gold' }],
    ['deliver_hours', { deliver_hours: '0' }],
    ['deliver_hours', { deliver_hours: '2161' }],
  ])('names an invalid %s in its refusal', (field, changed) => {
    const check = () => (parseFields(delegate.request, { task, ...changed }), [] as Fact[]);
    new DecisionExpectation(check).thenRefused(field, field);
  });
});
