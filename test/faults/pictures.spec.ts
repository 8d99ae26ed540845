import { afterAll, expect, test } from '@jest/globals';
import { svgOf } from '#libs/channels/pictures/card.js';
import { Drawing } from '#libs/channels/pictures/drawing.js';
import { Font } from '#libs/channels/pictures/font.js';

/** What the renderer does not free is no memory of JavaScript, so the memory of the process says whether it does. */
const PICTURES = 1_500;
const WARM = 300;
/** What 1,200 more may add to what the process has after the first 300. A leak of each picture would add three times it. */
const GROWTH_MAX = 1.25;
const AT_ONCE = 10;
const TEST_MS = 600_000;

const font = new Font();
const drawing = new Drawing(font);
afterAll(() => drawing.stop());

async function draw(from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += AT_ONCE) {
    const cards = Array.from({ length: AT_ONCE }, (_, index) => ({
      kind: 'Job',
      title: `Picture ${number + index} of a job that has a title of some length`,
      facts: [`${number} USDC a seat`],
      id: `job-${number + index}`,
    }));
    await Promise.all(cards.map(card => drawing.draw(svgOf(card, font))));
  }
}

test(
  `${PICTURES} pictures keep the memory that the first ${WARM} took`,
  async () => {
    await draw(0, WARM);
    const before = process.memoryUsage().rss;
    await draw(WARM, PICTURES);
    expect(process.memoryUsage().rss / before).toBeLessThan(GROWTH_MAX);
  },
  TEST_MS,
);
