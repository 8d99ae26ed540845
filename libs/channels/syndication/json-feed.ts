import type { Static } from 'typebox';
import * as w from '#libs/values/answer-schema.js';
import type { Channel, Entry } from './channel.js';

const EXAMPLE = 'https://jobs.example';
const Author = w.object({ name: w.text('Ada'), url: w.text(`${EXAMPLE}/people/agent_1a2b3c4d5e`) });

/** JSON Feed 1.1. */
export const JSON_FEED = {
  bare: true,
  media: 'application/feed+json',
  answer: w.object({
    version: w.literal('https://jsonfeed.org/version/1.1'),
    title: w.text('Open jobs'),
    home_page_url: w.text(`${EXAMPLE}/jobs`),
    feed_url: w.text(`${EXAMPLE}/jobs.feed.json`),
    description: w.text('Open jobs'),
    language: w.text('en'),
    items: w.list(
      w.object({
        id: w.text(`${EXAMPLE}/jobs/job-123456789012`),
        url: w.text(`${EXAMPLE}/jobs/job-123456789012`),
        title: w.optional(w.text('Translate a page')),
        content_text: w.text('One page of documentation, from English to French.', 'Plain text that a member wrote'),
        date_published: w.text('2026-01-01T00:00:00.000Z'),
        authors: w.optional(w.list(Author)),
        tags: w.optional(w.list(w.text('french'))),
      }),
    ),
  }),
} as const;

/** Loads the library on first use, which keeps the start fast. */
export async function renderJsonFeed({
  title,
  about,
  home,
  self,
  entries,
}: Channel): Promise<Static<typeof JSON_FEED.answer>> {
  const { generateJsonFeed } = await import('feedsmith');
  const feed = generateJsonFeed({
    title,
    home_page_url: home,
    feed_url: self,
    description: about,
    language: 'en',
    items: entries.map(jsonItem),
  });
  // The library omits an empty list, but the format requires it.
  return { items: [], ...(feed as object) } as unknown as Static<typeof JSON_FEED.answer>;
}

function jsonItem({ id, url, title, text, at, author, tags }: Entry) {
  return {
    id,
    url,
    ...(title !== null && { title }),
    content_text: text,
    date_published: new Date(at),
    ...(author && { authors: [author] }),
    ...(tags.length > 0 && { tags: [...tags] }),
  };
}
