import type { Fields } from '#libs/validation/fields.js';
import { lasting, lastsUntil } from '#libs/http/lasting-answers.js';
import { cursor, mustBeCursor } from '#libs/http/paging.js';
import type { ParsedFields } from '#libs/http/routes.js';
import { sha256Hex } from '#libs/kernel/ids.js';

const TAG_CHARACTERS = 8;
/** Fields that choose a page. All others choose the list. */
const OF_PAGE = new Set(['limit', 'wait', 'peek']);
const CURSOR_MEMBERS = ['next', 'since', 'cursor'];

interface ListRequest extends ParsedFields {
  /** The name of the endpoint, with the caller where lists are private. */
  readonly list: string;
  readonly fields: Fields;
}

interface ListPage {
  /** The fields for the list itself, whose cursors have no tag. */
  readonly values: object;
  readonly withTags: <A extends object>(answer: A) => A;
}

/** Reads and writes the cursors of a list. Each begins with a tag of the list: cursors of other lists are refused. */
export function listPage({ list, fields, sent, values }: ListRequest): ListPage {
  const name = Object.keys(fields).find(field => fields[field]!.check === cursor);
  if (name === undefined) return { values, withTags: answer => answer };
  const { [name]: text = '', ...others } = sent;
  const tag = tagOf(list, Object.entries(others));
  const isOfList = text === '' || (text.startsWith(tag) && text !== tag);
  mustBeCursor(isOfList, name);
  const inner = text === '' ? values : { ...values, [name]: text.slice(tag.length) };
  return { values: inner, withTags: answer => tagged(answer, tag) };
}

function tagOf(list: string, sent: readonly (readonly [name: string, text: string])[]): string {
  const chosen = sent.filter(([name, text]) => text !== '' && !OF_PAGE.has(name)).sort();
  return sha256Hex(JSON.stringify([list, chosen])).slice(0, TAG_CHARACTERS);
}

/** Tags the cursors of an answer. `/jobs.json` ends its address of the next page with one. */
function tagged<A extends object>(answer: A, tag: string): A {
  const members = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    const isCursor = CURSOR_MEMBERS.includes(name) && typeof value === 'string';
    return [name, isCursor ? value.replace(/[\w-]+$/, text => tag + text) : value];
  });
  const until = lastsUntil(answer);
  const named = Object.fromEntries(members) as A;
  return until === undefined ? named : lasting(named, until);
}
