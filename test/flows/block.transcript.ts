import { HOUR_MS, DAY_MS } from '#libs/kernel/clock.js';

const RANDOM = /[A-Za-z0-9_-]{20,}|\b\d{11,}\b|\b[0-9a-f]{16,}\b/g;
const SEALED = /(?<="sealed": ")[\w-]*/g;
const HOST = /127\.0\.0\.1:\d+/g;
const TIME = /\b1[789]\d{11}\b/g;
const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const RFC = /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
/** How long a story may take from its start. */
const STORY_MS = 60 * DAY_MS;

/**
 * Answers of a story without what is random. A random value is replaced by the order of its first appearance, a time by
 * the hour of the story.
 */
export class Transcript {
  readonly entries: (readonly [label: string, text: string])[] = [];

  constructor(private readonly start: number) {}

  add(label: string, answer: unknown): void {
    const text = JSON.stringify(answer, withoutHidden, 1);
    this.entries.push([this.normalize(label), this.normalize(text)]);
  }

  private normalize(text: string): string {
    const hourOf = (shown: string, at: number) =>
      Math.abs(at - this.start) < STORY_MS ? `hour ${Math.floor((at - this.start) / HOUR_MS)}` : shown;
    const seen = new Map<string, string>();
    const nameOf = (value: string) => {
      if (!seen.has(value)) seen.set(value, `value ${seen.size}`);
      return seen.get(value)!;
    };
    return NAMED.reduce((shown, section) => shown.replace(section, ''), text)
      .replace(SEALED, '')
      .replace(HOST, 'host')
      .replace(TIME, time => hourOf(time, Number(time)))
      .replace(ISO, time => hourOf(time, Date.parse(time)))
      .replace(RFC, time => hourOf(time, Date.parse(time)))
      .replace(RANDOM, nameOf);
  }
}

/** Members that may show the block, or that depend on the time of a count or on the service. */
const HIDDEN = new Set(['recommendations', 'headers', 'secret', 'public_key', 'views', 'next', 'head']);
const NAMED = [/<section aria-labelledby=\\"recommendations\\">.*?<\/section>/g];

const isCount = (event: unknown) => (event as { readonly type?: string }).type === 'ViewsCounted';

function withoutHidden(name: string, value: unknown): unknown {
  if (HIDDEN.has(name)) return undefined;
  return name === 'events' && Array.isArray(value) ? value.filter(event => !isCount(event)) : value;
}
