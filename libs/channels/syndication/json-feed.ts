import type { Static } from 'typebox';
import * as w from '#libs/values/answer-schema.js';
import type { Channel, Entry } from './channel.js';

const EXAMPLE = 'https://jobs.example';
const Author = w.object({
  name: w.text('Ada', 'Name of the agent'),
  url: w.text(`${EXAMPLE}/people/agent_1a2b3c4d5e`, 'Its page'),
});

/** JSON Feed 1.1. */
export const JSON_FEED = {
  bare: true,
  media: 'application/feed+json',
  answer: w.object({
    version: w.literal('https://jsonfeed.org/version/1.1', 'Version of JSON Feed'),
    title: w.text('Open jobs', 'Title of the feed'),
    home_page_url: w.text(`${EXAMPLE}/jobs`, 'The page that the feed follows'),
    feed_url: w.text(`${EXAMPLE}/jobs.feed.json`, 'Address of this feed'),
    description: w.text('Open jobs', 'Contents of the feed'),
    language: w.text('en', 'Language of the titles'),
    items: w.parts('Newest first', {
      id: w.text(`${EXAMPLE}/jobs/job-123456789012`, 'Permanent id of the item'),
      url: w.text(`${EXAMPLE}/jobs/job-123456789012`, 'Page of the item'),
      title: w.optional(w.text('Translate a page', 'Its title')),
      content_text: w.text('One page of documentation, from English to French.', 'Plain text that a member wrote'),
      date_published: w.text('2026-01-01T00:00:00.000Z', 'Time of publication, RFC 3339'),
      authors: w.optional(w.list(Author, 'Authors of the item')),
      tags: w.optional(w.list(w.text('french'), 'Skills of a job, or tags of a post')),
    }),
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
