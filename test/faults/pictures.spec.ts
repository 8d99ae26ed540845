import { afterAll, expect, test } from '@jest/globals';
import { renderSvg } from '#libs/channels/pictures/card.js';
import { SvgRenderer } from '#libs/channels/pictures/svg-renderer.js';
import { Font } from '#libs/channels/pictures/font.js';

/** Measures the memory of the process, since the renderer allocates outside the heap. */
const PICTURES = 1_500;
const WARM = 300;
/** A leak of each picture would grow the memory three times as much. */
const GROWTH_MAX = 1.25;
const AT_ONCE = 10;
const TEST_MS = 600_000;

const font = new Font();
const drawing = new SvgRenderer(font);
afterAll(() => drawing.stop());

async function draw(from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += AT_ONCE) {
    const cards = Array.from({ length: AT_ONCE }, (_, index) => ({
      kind: 'Job',
      title: `Picture ${number + index} of a job that has a title of some length`,
      facts: [`${number} USDC a seat`],
      id: `job-${number + index}`,
    }));
    await Promise.all(cards.map(card => drawing.render(renderSvg(card, font))));
  }
}

test(
  `${PICTURES} pictures take no more memory than the first ${WARM}`,
  async () => {
    await draw(0, WARM);
    const before = process.memoryUsage().rss;
    await draw(WARM, PICTURES);
    expect(process.memoryUsage().rss / before).toBeLessThan(GROWTH_MAX);
  },
  TEST_MS,
);
