import { expect, test } from '@jest/globals';
import { Screen } from '#apps/demo/screen.js';
import { hiredText } from '#libs/terminal/hire-text.js';
import { formatTable, escapeControls, escapeLine } from '#libs/terminal/print.js';
import { verifyText, type VerifyReport } from '#apps/auditor/verify.js';
import { escapeLogLine } from '#libs/setup/process/logger.js';

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at));
const LINE_BREAK = '\n';
/** Control characters, direction marks and Unicode line breaks. */
const ACTED_ON = [
  ...range(0x00, 0x1f).filter(character => character !== LINE_BREAK),
  ...range(0x7f, 0x9f),
  '\u061c',
  ...range(0x200e, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x2069),
];
const HOSTILE = `${ACTED_ON.join('x')}\u001b[2J\u001b]0;owned\u0007`;
const isHarmless = (text: string) => ACTED_ON.every(character => !text.includes(character));

test('escapes each control character as JSON does', () => {
  expect(ACTED_ON.map(escapeControls)).toEqual(
    ACTED_ON.map(character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
});

test('keeps all other characters', () => {
  const text = 'Zoë, Наташа, 東京, \u{1f600}, a\u00a0b, "quotes" and \\ back\nslashes';
  expect(escapeControls(text)).toBe(text);
});

test('escapes line breaks in a text for a single line', () => {
  expect(escapeLine('a\nok   vault: all is well')).toBe('a\\u000aok   vault: all is well');
});

test('keeps the value of a JSON text', () => {
  const value = { [HOSTILE]: [HOSTILE, 'a\nb', 'c\\d'] };
  const text = escapeControls(JSON.stringify(value));
  expect(isHarmless(text)).toBe(true);
  expect(JSON.parse(text)).toEqual(value);
});

test('makes a log line safe for a terminal even after its JSON is parsed', () => {
  const line = escapeLogLine(
    `${JSON.stringify({ msg: `${HOSTILE}\nforged`, err: { stack: `${HOSTILE}\n    at a` } })}\n`,
  );
  const { msg, err } = JSON.parse(line) as { msg: string; err: { stack: string } };
  expect([isHarmless(line), isHarmless(msg), isHarmless(err.stack)]).toEqual([true, true, true]);
  expect([msg.includes('\n'), err.stack.split('\n').length]).toEqual([false, 2]);
});

test('keeps each message of a service in an audit report on one line', () => {
  const place = { kind: 'source', position: '7\n', stream: null, revision: null, type: null } as const;
  const report: VerifyReport = {
    ok: false,
    origin: 'a\nNothing is wrong.',
    events: 1,
    signatures: 0,
    records: 0,
    service: null,
    payments: 0,
    unshown_receivers: 0,
    on_chain: false,
    not_looked_up: {},
    origins: ['b\nNothing is wrong.'],
    clock_moves: [],
    forgotten_again: ['a\nNothing is wrong.'],
    claims: { verified: 0, private: 0, erased: 0, withheld: 0, bearer: 0, service: 0, operator: 0, hidden: 0 },
    decisions: { again: 0, by_rule: 0, undecided: 0, lacking: 1, lacking_rules: ['a@1\nNothing is wrong.'] },
    head: null,
    root: '',
    kinds: {},
    findings: [{ ...place, problem: 'x\nNothing is wrong.' }],
    unlisted: 0,
  };
  const text = verifyText(report);
  expect(text.split('\n').filter(line => line === 'Nothing is wrong.')).toEqual([]);
  expect(text.split('\n')).toHaveLength(7);
});

test('keeps the rows of an operator table', () => {
  expect(
    formatTable([
      ['id', 'name'],
      ['1', `a\nb${HOSTILE}`],
    ]).split('\n'),
  ).toHaveLength(2);
  expect(isHarmless(escapeControls(hiredText(HOSTILE, { hire: 1, position: { wage: null } })))).toBe(true);
});

test('the demo escapes the responses of a service', async () => {
  let text = '';
  const screen = new Screen({ write: more => (text += more) }, false);
  screen.title(HOSTILE);
  await screen.step(HOSTILE, async () => [[HOSTILE, `${HOSTILE}\nforged`]]);
  await screen.step(HOSTILE, () => Promise.reject(new Error(HOSTILE))).catch(() => undefined);
  screen.failure(HOSTILE);
  expect(isHarmless(text)).toBe(true);
  expect(text.split('\n').filter(line => line.startsWith('forged'))).toEqual([]);
});
