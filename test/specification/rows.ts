import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { filesOf, textOf } from '../tidy.sources.js';
import { DELEGATE } from './delegate.rows.js';
import { WEBHOOKS } from './webhooks.rows.js';
import { LIMITS } from './limits.rows.js';
import { REQUESTS } from './requests.rows.js';
import { RESOURCES } from './resources.rows.js';
import type { Row } from './row.js';
import { SIBLINGS } from './siblings.rows.js';
import { STATES } from './states.rows.js';

/** Finds a test file for every error code. */
function codeRows(): Row[] {
  const files = filesOf('test').filter(path => path.endsWith('.spec.ts') && !path.includes('/specification/'));
  const texts = files.sort().map(path => [path, textOf(path)] as const);
  return Object.keys(ERROR_CODES).map(code => {
    const found = texts.find(([, text]) => text.includes(`'${code}'`));
    const file = found ? found[0].slice('test/'.length) : null;
    return { section: 'i1', kind: 'error', item: code, part: 3, test: file };
  });
}

export function rows(): Row[] {
  return [...RESOURCES, ...STATES, ...REQUESTS, ...LIMITS, ...SIBLINGS, ...DELEGATE, ...WEBHOOKS, ...codeRows()];
}
