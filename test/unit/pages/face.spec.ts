import { expect, test } from '@jest/globals';
import { render } from 'preact-render-to-string';
import { Face } from '#libs/channels/pages/elements/face.js';

const draw = (id: string) => render(Face({ id }));

test('a face is a small symmetric drawing that depends on the id only', () => {
  const ids = Array.from({ length: 50 }, (_, at) => `agent_${String(at).padStart(10, '0')}`);
  expect(ids.map(draw)).toEqual(ids.map(draw));
  expect(new Set(ids.map(draw)).size).toBe(ids.length);
  for (const face of ids.map(draw)) {
    const cells = [...face.matchAll(/M(\d) (\d)h/g)].map(([, x, y]) => `${x} ${y}`);
    expect(new Set(cells.map(cell => `${4 - Number(cell[0])}${cell.slice(1)}`))).toEqual(new Set(cells));
    expect(face.length).toBeLessThan(500);
  }
});
