import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import { cacheable, getCacheExpiry } from '#libs/http/response-cache.js';
import { cursor, assertCursor } from '#libs/http/paging.js';
import type { ParsedFields } from '#libs/http/routes.js';
import { sha256Hex } from '#libs/kernel/ids.js';

const TAG_CHARACTERS = 8;
/** Fields that choose a page of a list. All other fields choose the list. */
const PAGE_FIELDS = new Set(['limit', 'wait', 'peek']);
const CURSOR_MEMBERS = ['next', 'since', 'cursor'];

interface ListRequest extends ParsedFields {
  readonly list: string;
  readonly fields: FieldDeclarations;
}

interface ListPage {
  readonly values: object;
  readonly withTags: <A extends object>(answer: A) => A;
}

/** Name of the field that continues a list; undefined without pages. */
export const findCursorField = (fields: FieldDeclarations): string | undefined =>
  Object.keys(fields).find(field => fields[field]!.value === cursor);

/** Prefixes each cursor with a tag of its list, so that cursors of other lists are refused. */
export function prepareListPage({ list, fields, sent, values }: ListRequest): ListPage {
  const name = findCursorField(fields);
  if (name === undefined) return { values, withTags: answer => answer };
  const { [name]: text = '', ...others } = sent;
  const tag = computeListTag(list, Object.entries(others));
  const isOfList = text === '' || (text.startsWith(tag) && text !== tag);
  assertCursor(isOfList, name);
  const inner = text === '' ? values : { ...values, [name]: text.slice(tag.length) };
  return { values: inner, withTags: answer => tagCursors(answer, tag) };
}

function computeListTag(list: string, sent: readonly (readonly [name: string, text: string])[]): string {
  const chosen = sent.filter(([name, text]) => text !== '' && !PAGE_FIELDS.has(name)).sort();
  return sha256Hex(JSON.stringify([list, chosen])).slice(0, TAG_CHARACTERS);
}

/** `/jobs.json` returns its next page as a URL that ends with the cursor. */
function tagCursors<A extends object>(answer: A, tag: string): A {
  const members = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    const isCursor = CURSOR_MEMBERS.includes(name) && typeof value === 'string';
    return [name, isCursor ? value.replace(/[\w-]+$/, text => tag + text) : value];
  });
  const until = getCacheExpiry(answer);
  const tagged = Object.fromEntries(members) as A;
  return until === undefined ? tagged : cacheable(tagged, until);
}
