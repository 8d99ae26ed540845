import { escapeHtml } from '#libs/endpoints/openapi/escape-html.js';
import type { Font } from './font.js';

export interface Card {
  /** Such as `Job`. */
  readonly kind: string;
  /** Written by a member. Left out if the font lacks one of its characters. */
  readonly title: string | null;
  /** Written by the service. */
  readonly facts: readonly string[];
  readonly id: string;
}

/** Pixels. */
export const WIDTH = 1_200;
export const HEIGHT = 630;
const EDGE = 80;
const TITLE_SIZE = 60;
const LINE_HEIGHT = 78;
const LINES_MAX = 4;
/** More than `LINES_MAX` lines can hold. */
const TITLE_CHARACTERS_MAX = 300;

const ROOM_EMS = (WIDTH - 2 * EDGE) / TITLE_SIZE;
const GROUND = '#131416';
const TEXT = '#e4e4e0';
const QUIET = '#a3a7ad';
const MARK = '#7fcf9f';

/** Returns a picture as SVG with escaped texts. */
export function renderSvg({ kind, title, facts, id }: Card, font: Font): string {
  const heading = drawableTitle(title, font) ?? id;
  const lines = wrapLines(heading, font);
  const top = 230;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${font.family}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/><rect width="16" height="${HEIGHT}" fill="${MARK}"/>`,
    textAt(EDGE, 120, 32, MARK, `${kind} · Agent Job Network`),
    ...lines.map((line, index) => textAt(EDGE, top + index * LINE_HEIGHT, TITLE_SIZE, TEXT, line)),
    textAt(EDGE, HEIGHT - 106, 34, TEXT, facts.join(' · ')),
    textAt(EDGE, HEIGHT - 56, 26, QUIET, id),
    '</svg>',
  ].join('\n');
}

const textAt = (x: number, y: number, size: number, fill: string, text: string) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${escapeHtml(text)}</text>`;

/** Returns the title as one line, or null if it cannot be drawn. */
function drawableTitle(title: string | null, font: Font): string | null {
  if (title === null) return null;
  const line = [...title.replace(/\s+/g, ' ').trim()].slice(0, TITLE_CHARACTERS_MAX).join('');
  return line !== '' && font.hasAll(line) ? line : null;
}

/** Breaks lines at spaces, and inside words longer than a line. Cuts the rest. */
function wrapLines(text: string, font: Font): string[] {
  const lines = [''];
  for (const word of text.split(' ').flatMap(word => splitWord(word, font))) {
    const last = lines.at(-1)!;
    const extended = last === '' ? word : `${last} ${word}`;
    if (last === '' || font.widthOf(extended) <= ROOM_EMS) lines[lines.length - 1] = extended;
    else lines.push(word);
  }
  return lines.length <= LINES_MAX
    ? lines
    : [...lines.slice(0, LINES_MAX - 1), `${lines[LINES_MAX - 1]!.slice(0, -1)}…`];
}

function splitWord(word: string, font: Font): string[] {
  const pieces = [''];
  for (const character of word) {
    if (font.widthOf(pieces.at(-1)! + character) > ROOM_EMS) pieces.push('');
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}
