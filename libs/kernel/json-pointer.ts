import type { Json } from './json.js';

const INDEX = /^(0|[1-9][0-9]*)$/;

export function resolveJsonPointer(document: Json, pointer: string): Json | undefined {
  if (pointer === '') return document;
  if (!pointer.startsWith('/')) return undefined;
  const names = pointer.slice(1).split('/').map(unescapeToken);
  return names.reduce<Json | undefined>(readMember, document);
}

const unescapeToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

function readMember(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return INDEX.test(name) ? (value as readonly Json[])[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [name: string]: Json })[name] : undefined;
}
