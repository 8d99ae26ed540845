import { expect, test } from '@jest/globals';
import { Screen } from '#apps/demo/screen.js';

function paper() {
  let text = '';
  return { out: { write: (more: string) => (text += more) }, text: () => text };
}

test('prints numbered steps with their links, without colour on paper', async () => {
  const { out, text } = paper();
  const screen = new Screen(out);
  await screen.step('Ada joins', async () => [['look at', 'http://x/api/muse/a']]);
  await screen.step('Ben joins', async () => []);
  expect(text()).toBe('  1  ok  Ada joins\n        look at  http://x/api/muse/a\n  2  ok  Ben joins\n');
});

test('a failed step is printed as failed and fails the story', async () => {
  const { out, text } = paper();
  const failing = new Screen(out).step('Ada joins', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(text()).toBe('  1  NOT Ada joins\n');
});
