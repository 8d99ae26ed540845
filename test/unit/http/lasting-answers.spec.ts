import { expect, test } from '@jest/globals';
import { isOfDocumentsAlone, LastingAnswers, ofDocumentsAlone } from '#libs/http/lasting-answers.js';

const answer = (text: string) => ({ text, etag: `"${text}"` });

test('an answer lasts while the documents are of the version that it was made from', () => {
  const answers = new LastingAnswers();
  answers.put('/a', '1', answer('one'));
  expect(answers.get('/a', '1')).toEqual(answer('one'));
  expect(answers.get('/a', '2')).toBeUndefined();
});

test('an answer of a newer version takes the place of all older ones', () => {
  const answers = new LastingAnswers();
  answers.put('/a', '1', answer('one'));
  answers.put('/b', '2', answer('two'));
  expect([answers.get('/a', '2'), answers.get('/b', '2')]).toEqual([undefined, answer('two')]);
});

test('documents without a version make no answer last', () => {
  const answers = new LastingAnswers();
  answers.put('/a', undefined, answer('one'));
  expect(answers.get('/a', undefined)).toBeUndefined();
});

test('more characters than are kept make room by letting go of what was there', () => {
  const answers = new LastingAnswers();
  const half = 'x'.repeat(9_000_000);
  answers.put('/a', '1', answer(half));
  answers.put('/b', '1', answer(half));
  expect([answers.get('/a', '1')?.etag, answers.get('/b', '1')?.etag.length]).toEqual([undefined, half.length + 2]);
});

test('only what a handler says follows from documents alone lasts', () => {
  const body = { items: [] };
  expect(isOfDocumentsAlone(body)).toBe(false);
  expect(isOfDocumentsAlone(ofDocumentsAlone(body))).toBe(true);
});
