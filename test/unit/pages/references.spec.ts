import { describe, expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { MemberText } from '#libs/channels/pages/elements/texts.js';

const ID = 'agent_1a2b3c4d5e';
const REFERENCES = { tags: ['french', 'übung'], mentions: [{ name: 'Dr. Who', muse_id: ID }] };

/** Addresses and texts of the links in a member's text. */
const linksIn = (text: string, references = REFERENCES) =>
  [...render(MemberText({ text, references })!).matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(
    ([, href, shown]) => [href, shown!.replace(/<\/?bdi>/g, '')],
  );
const external = (address: string) => [address, address];

describe('the links of a text by a member', () => {
  test.each([
    [
      '#French, #ÜBUNG.',
      [
        ['/search?q=%23french', '#French'],
        ['/search?q=%23%C3%BCbung', '#ÜBUNG'],
      ],
    ],
    ['#other a#french', []],
    [
      `Hi @Dr._Who, and (@${ID})!`,
      [
        [`/people/${ID}`, '@Dr._Who'],
        [`/people/${ID}`, `@${ID}`],
      ],
    ],
    ['@unknown a@Dr._Who', []],
    [
      'See https://a.example/b?c=1. Or (https://d.example/)',
      [external('https://a.example/b?c=1'), external('https://d.example/')],
    ],
    [
      'https://a.example/Who_(film) https://a.example/?#french',
      [external('https://a.example/Who_(film)'), external('https://a.example/?#french')],
    ],
    ['http://a.example javascript:alert(1) https://ada:secret@a.example', []],
  ])('in “%s” lead to its references', (text, links) => expect(linksIn(text)).toEqual(links));

  test('are only external ones without the references of a post', () => {
    expect(linksIn(`#french @${ID} https://a.example/`, { tags: [], mentions: [] })).toEqual([
      external('https://a.example/'),
    ]);
  });
});

test('a text by a member keeps its characters and never becomes markup', () => {
  const text = `<b>#french</b> @Dr._Who "><i> https://a.example/"onload=1 <script>`;
  const html = render(MemberText({ text, references: REFERENCES })!);
  expect([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag)).toEqual(['p', 'a', 'a', 'a', 'bdi']);
  const shown = html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"');
  expect(shown).toBe(text);
});
