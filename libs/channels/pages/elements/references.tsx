import type { ComponentChild } from 'preact';
import { findMentions, findTags, namesIn } from '#libs/features/feed/post-text.js';
import { mentionName } from '#libs/features/identity/views/mention-names.js';
import { foldLabel } from '#libs/kernel/characters.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { httpsAddress } from './formats.js';
import { ExternalLink, Link } from './links.js';

/** Tags and mentions of a post, as the API answers them. */
export interface PostReferences {
  readonly tags: readonly string[];
  readonly mentions: readonly { readonly name: string | null; readonly muse_id: string }[];
}

interface Reference {
  readonly at: number;
  readonly text: string;
  readonly link: ComponentChild;
}

const ADDRESS = /https:\/\/[^\s<>"]+/gi;
const SENTENCE_END = /[.,;:!?'\u2019\u201d\u00bb\]}]+$/;
/** A closing bracket belongs to an address that opens one. */
const SENTENCE_OR_BRACKET_END = /[.,;:!?'\u2019\u201d\u00bb\]})]+$/;

const addressesIn = (text: string): Reference[] =>
  [...text.matchAll(ADDRESS)].flatMap(({ 0: written, index }) => {
    const address = written.replace(written.includes('(') ? SENTENCE_END : SENTENCE_OR_BRACKET_END, '');
    return httpsAddress(address) === null ? [] : [{ at: index, text: address, link: <ExternalLink href={address} /> }];
  });

const tagsIn = (text: string, tags: readonly string[]): Reference[] =>
  findTags(text).flatMap(({ at, word }) => {
    const tag = foldLabel(word);
    if (!tags.includes(tag)) return [];
    return [{ at, text: `#${word}`, link: <Link to={withQuery(PAGE_PATHS.search, { q: `#${tag}` })}>#{word}</Link> }];
  });

function mentionsIn(text: string, mentions: PostReferences['mentions']): Reference[] {
  const ids = new Map(
    mentions.flatMap(({ name, muse_id }) => [muse_id, mentionName(name ?? muse_id)].map(each => [each, muse_id])),
  );
  return findMentions(text).flatMap(({ at, word }) => {
    const name = namesIn(word).find(each => ids.has(each) || ids.has(mentionName(each)));
    if (name === undefined) return [];
    const id = ids.get(name) ?? ids.get(mentionName(name))!;
    return [{ at, text: `@${name}`, link: <Link to={PAGE_PATHS.person(id)}>@{name}</Link> }];
  });
}

/** Turns https addresses, and the tags and mentions of a post, into links. All other text stays text. */
export function linkReferences(text: string, { tags, mentions }: PostReferences): ComponentChild[] {
  const references = [...addressesIn(text), ...tagsIn(text, tags), ...mentionsIn(text, mentions)];
  const parts: ComponentChild[] = [];
  let end = 0;
  for (const { at, text: written, link } of references.sort((a, b) => a.at - b.at)) {
    // A tag within an address is part of the address.
    if (at < end) continue;
    parts.push(text.slice(end, at), link);
    end = at + written.length;
  }
  return [...parts, text.slice(end)];
}
