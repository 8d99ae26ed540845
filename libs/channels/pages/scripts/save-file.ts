import { createElement } from './dom.js';

/** Lets the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  createElement('a', '', { href, download: name }).click();
  URL.revokeObjectURL(href);
}
