import { expect, test } from '@jest/globals';
import { renderRss } from '#libs/channels/syndication/rss.js';

const HOME = 'https://jobs.example/feed';

test('texts with reserved characters have no white space around them in RSS', async () => {
  const [title, text] = ['Books & more <now>', 'Read\n  this & that ]]> please'];
  const entry = { id: `${HOME}/1`, url: `${HOME}/1`, title, text, at: 1_767_225_600_000, author: null, tags: ['a&b'] };
  const xml = await renderRss({ title: 'News & jobs', about: 'All', home: HOME, self: HOME, entries: [entry] });
  expect(xml).toContain('<title><![CDATA[News & jobs]]></title>');
  expect(xml).toContain(`<title><![CDATA[${title}]]></title>`);
  expect(xml).toContain('<category><![CDATA[a&b]]></category>');
  expect(xml).not.toMatch(/\s<!\[CDATA\[|\]\]>\s/);
});
