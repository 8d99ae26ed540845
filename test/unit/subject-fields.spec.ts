import { expect, test } from '@jest/globals';
import {
  answerFields,
  clearField,
  completeFields,
  documentFields,
  erasedFields,
  givenFields,
  personalField,
  privateField,
  requestFields,
} from '#libs/domain/fields.js';
import { requestSchema } from '#libs/validation/request-class.js';
import { clearable, neededWithout } from '#libs/validation/request-fields.js';
import * as w from '#libs/values/answer-schema.js';
import * as c from '#libs/values/values.js';

const TABLE = {
  title: personalField(w.text('A page', 'The title'), neededWithout('again')(c.line({ max: 9 }))),
  reply: privateField(w.orNull(w.text('manuel')), clearable(c.line({ max: 9 }), 'Your reply')),
  skills: clearField(w.skills, clearable(c.skillList(2), 'The skills')),
  rail: clearField(w.orNull(w.rail)),
};
const TEXT = { type: 'string' };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

const schemasOf = (fields: object) => JSON.parse(JSON.stringify(fields)) as unknown;

test('a row gives the field of an event, without example and meaning', () => {
  const fields = Object.entries(TABLE).map(([name, { schema, exposure }]) => [name, exposure, schema]);
  expect(schemasOf(fields)).toEqual([
    ['title', 'personal', TEXT],
    ['reply', 'private', orNull(TEXT)],
    ['skills', 'clear', { type: 'array', items: TEXT }],
    ['rail', 'clear', orNull(TEXT)],
  ]);
});

test('a row gives the member of a document, which is null once it is erased', () => {
  expect(schemasOf(documentFields(TABLE))).toMatchObject({ title: orNull(TEXT), reply: orNull(TEXT) });
  expect(erasedFields(TABLE)).toEqual({ title: null, reply: null });
});

test('a row gives the member of an answer with example and meaning', () => {
  const title = { type: ['string', 'null'], examples: ['A page'], description: 'The title' };
  const rail = { enum: ['usdc-base', 'usdg-robinhood', null] };
  expect(schemasOf(answerFields(TABLE))).toMatchObject({ title, rail });
});

test('a row gives the field of a request, with the meaning of the answer', () => {
  expect(requestSchema(requestFields(TABLE))).toMatchObject({
    properties: {
      title: { maxLength: 9, description: 'The title; needed without `again`' },
      reply: { description: 'Your reply' },
    },
    required: [],
  });
});

test('a value that is left out is null or an empty list in the event', () => {
  const data = completeFields(TABLE, { title: 'A page' });
  expect(data).toEqual({ title: 'A page', reply: null, skills: [], rail: null });
  expect(givenFields(TABLE, { ...data, title: null })).toEqual({ title: null, skills: [] });
});
