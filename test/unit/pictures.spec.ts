import { afterAll, describe, expect, test } from '@jest/globals';
import { type Card, renderSvg } from '#libs/channels/pictures/card.js';
import { SvgRenderer } from '#libs/channels/pictures/svg-renderer.js';
import { Font } from '#libs/channels/pictures/font.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';

const font = new Font();
const drawing = new SvgRenderer(font);
const pictures = new Pictures();
afterAll(() => Promise.all([drawing.stop(), pictures.onModuleDestroy()]));

const card = (title: string | null): Card => ({ kind: 'Job', title, facts: ['no pay'], id: 'job-123456789012' });
const textsIn = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
const sizeOf = (png: Buffer) => [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)];

describe('a card', () => {
  test.each(['Übersetze eine Seite', 'Ελληνικά και Русский', 'naïve façade №5 → €10'])('shows %s', title => {
    expect(textsIn(renderSvg(card(title), font))).toContain(title);
  });

  test.each(['翻译一页', 'Page 🎉', 'ページ', '\u{10FFFF}'])(
    'shows the id instead of %j, which the font does not cover',
    title => {
      const svg = renderSvg(card(title), font);
      expect(textsIn(svg).filter(text => text === 'job-123456789012')).toHaveLength(2);
      expect(svg).not.toContain(title);
    },
  );

  test('escapes hostile text', async () => {
    const hostile = '</text><image href="file:///etc/passwd"/><script>alert(1)</script> & "x" \'y\'';
    const svg = renderSvg(card(hostile), font);
    expect(svg.match(/<(image|script|use|foreignObject|a|style)\b/g)).toBeNull();
    expect(svg.match(/<\/?text/g)!.length % 2).toBe(0);
    expect(sizeOf(await drawing.render(svg))).toEqual(['PNG', 1200, 630]);
  });

  test('wraps a long title or a long word into four lines', () => {
    const lines = textsIn(renderSvg(card('W'.repeat(300)), font)).filter(text => /^W+…?$/.test(text));
    expect([lines.length, lines.at(-1)!.endsWith('…')]).toEqual([4, true]);
    for (const line of lines) expect(font.widthOf(line) * 60).toBeLessThanOrEqual(1_200 - 2 * 80 + 60);
  });
});

describe('the drawing queue', () => {
  test('accepts 32 drawings, refuses the next as busy and completes the others', async () => {
    const waiting = Array.from({ length: 32 }, (_, index) => drawing.render(renderSvg(card(`Job ${index}`), font)));
    await expect(drawing.render(renderSvg(card('One more'), font))).rejects.toMatchObject({
      code: 'busy',
      details: { retryAfter: 2 },
    });
    for (const png of await Promise.all(waiting)) expect(sizeOf(png)).toEqual(['PNG', 1200, 630]);
    expect(sizeOf(await drawing.render(renderSvg(card('Later'), font)))[0]).toBe('PNG');
  });

  test('rejects an invalid SVG without affecting others', async () => {
    const [wrong, right] = [drawing.render('<svg'), drawing.render(renderSvg(card('Right'), font))];
    await expect(wrong).rejects.toThrow('was not drawn');
    expect(sizeOf(await right)[0]).toBe('PNG');
  });
});

describe('the picture cache', () => {
  test('draws a picture once for concurrent requests until its content changes', async () => {
    const named = pictures.of('/jobs/a', card('A job'));
    const [first, ...others] = await Promise.all(Array.from({ length: 40 }, () => named.png()));
    expect(others.every(png => png === first)).toBe(true);
    expect(await pictures.of('/jobs/a', card('A job')).png()).toBe(first);
    const changed = pictures.of('/jobs/a', card(null));
    expect([changed.etag === named.etag, (await changed.png()).equals(first!)]).toEqual([false, false]);
  });
});
