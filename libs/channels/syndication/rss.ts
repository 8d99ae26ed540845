import { escapeHtml } from '#libs/endpoints/openapi/escape-html.js';
import * as w from '#libs/values/answer-schema.js';
import type { Channel, Entry } from './channel.js';

export const RSS = { bare: true, media: 'application/rss+xml', answer: w.object({}) } as const;

/** Characters that XML 1.0 cannot express even as references (section 2.2), and lone surrogates. */
const INVALID_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const xmlText = (text: string) => text.replace(INVALID_XML, '\uFFFD');

/** The library indents these sections, and readers would show the white space. */
const CDATA = /\s*(<!\[CDATA\[[^]*?\]\]>)\s*/g;

/** Loads the library on first use, which keeps the start fast. */
export async function renderRss({ title, about, home, self, entries }: Channel): Promise<string> {
  const { generateRssFeed } = await import('feedsmith');
  const newest = entries[0];
  const feed = generateRssFeed({
    title: xmlText(title),
    link: home,
    description: xmlText(about),
    language: 'en',
    ...(newest && { lastBuildDate: new Date(newest.at) }),
    atom: { links: [{ href: self, rel: 'self', type: RSS.media }] },
    items: entries.map(rssItem),
  });
  return feed.replace(CDATA, '$1');
}

function rssItem({ id, url, title, text, at, author, tags }: Entry) {
  return {
    ...(title !== null && { title: xmlText(title) }),
    link: url,
    // Feed readers parse the description as HTML.
    description: escapeHtml(xmlText(text)).replaceAll('\n', '<br>'),
    guid: { value: id, isPermaLink: true },
    pubDate: new Date(at),
    ...(author && { dc: { creators: [xmlText(author.name)] } }),
    ...(tags.length > 0 && { categories: tags.map(name => ({ name: xmlText(name) })) }),
  };
}
