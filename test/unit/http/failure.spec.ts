import { describe, expect, test } from '@jest/globals';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { buildFailure, toProblemDocument } from '#libs/http/failure.js';
import { FieldRefusal, Refusal, rule, Unavailable } from '#libs/kernel/refusal.js';

const STATUSES = [400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 429, 431, 500, 502, 503];
/** Statuses of requests that fail again unless the caller changes them. */
const FINAL = [400, 404, 405, 413, 415, 431];
const rows = Object.entries(ERROR_CODES);
const reported: unknown[] = [];
const failure = (error: unknown) => buildFailure(error, (cause, id) => reported.push([cause, id]));

describe('error codes', () => {
  test.each(rows)('%s has a valid status and a sentence', (code, [status, retryable, meaning]) => {
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(STATUSES).toContain(status);
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
    if (FINAL.includes(status)) expect(retryable).toBe(false);
    if (status === 503) expect(retryable).toBe(true);
  });

  test('an unlisted code does not compile', () => {
    const isTaken: 'typo' extends ConstructorParameters<typeof Refusal>[0] | Parameters<typeof rule>[1] ? true : false =
      false;
    expect(isTaken).toBe(false);
  });
});

describe('the response to a refusal', () => {
  test('has the sentence, the code, the status and `retryable`', () => {
    const { status, body, headers } = failure(new Refusal('role_closed', 'The role is closed.'));
    expect({ status, headers }).toEqual({ status: 409, headers: {} });
    expect(body).toMatchObject({ ok: false, error: 'The role is closed.', code: 'role_closed', retryable: false });
  });

  test('has the hint of its code unless the refusal brings its own', () => {
    const hintOf = (error: unknown) => failure(error).body['hint'];
    expect(hintOf(new Refusal('role_closed', 'No.'))).toBe('Look for another job at `GET /api/roles`.');
    expect(hintOf(new Refusal('role_closed', 'No.', { hint: 'Ask.' }))).toBe('Ask.');
    expect(hintOf(new FieldRefusal('busy', 'No.', 'malformed'))).toBeUndefined();
  });

  test('includes the field, the retry time, extra members and headers', () => {
    const details = {
      field: 'to',
      hint: 'Ask.',
      retryAfter: 3,
      retryable: true,
      more: { x: 1 },
      headers: { allow: 'GET' },
    };
    const { body, headers } = failure(new Refusal('role_closed', 'No.', details));
    expect(body).toMatchObject({ field: 'to', hint: 'Ask.', retry_after: 3, retryable: true, x: 1 });
    expect(headers).toEqual({ allow: 'GET', 'retry-after': '3' });
  });

  test('has status 400 for a field whose name equals an error code', () => {
    for (const field of ['note', 'busy', 'forgotten', 'internal', 'constructor']) {
      expect(failure(new FieldRefusal(field, 'No.', 'malformed')).status).toBe(400);
    }
    expect(failure(new Refusal('busy', 'No.')).status).toBe(503);
  });

  test('has the same content as an RFC 9457 document', () => {
    const shown = toProblemDocument(failure(new Refusal('role_closed', 'The role is closed.')), 'https://jobs.example');
    expect(shown).toMatchObject({
      type: 'https://jobs.example/docs/errors#role_closed',
      title: 'Conflict',
      status: 409,
      detail: 'The role is closed.',
      code: 'role_closed',
    });
  });
});

describe('the response to any other error', () => {
  test('is a retryable 503 for an outage, which is logged', () => {
    const { status, body, headers } = failure(new Unavailable('The event log'));
    expect([status, body['code'], body['retryable']]).toEqual([503, 'unavailable', true]);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(reported.at(-1)).toEqual([expect.any(Unavailable), '']);
  });

  test.each([new Error('secret detail'), new TypeError('x'), 'a text', undefined, null])(
    'is a 500 without details for %s',
    error => {
      const { status, body } = failure(error);
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain('secret');
      expect(reported.at(-1)).toEqual([error, body['error_id']]);
      expect(body).toMatchObject({ ok: false, code: 'internal', error_id: expect.any(String) });
    },
  );

  test.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'body_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'content_type'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400, 'body'],
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 400, 'body'],
    ['FST_ERR_BAD_URL', 400, 'path'],
  ])('maps the Fastify error %s to status %i', (name, status, code) => {
    expect(failure(Object.assign(new Error('fastify'), { code: name }))).toMatchObject({ status, body: { code } });
  });
});
