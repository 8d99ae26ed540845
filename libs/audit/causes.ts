import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PATTERNS: { readonly [placeholder: string]: string } = {
  request: '[0-9a-f]{32}',
  root: '[0-9a-f]{64}',
  uuid: UUID,
};

const escapePattern = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** A decision may write further events, which do not have the member: then any value fits. */
function patternOf(placeholder: string, { at, data }: Event): string {
  const value = placeholder === 'at' ? at : (data as JsonObject)[placeholder];
  const isShown = typeof value === 'string' || typeof value === 'number';
  return PATTERNS[placeholder] ?? (isShown ? escapePattern(String(value)) : '.+');
}

/** Patterns of the forms that name no member of an event. */
const compiled = new Map<string, RegExp>();

/**
 * Whether the cause of an event has a form such as `expired/<role>`: a placeholder is a member of its data, its time
 * (`at`), or any `uuid`, `request` or `root` (of a tree).
 */
export function hasCauseForm(form: string, event: Event): boolean {
  return (compiled.get(form) ?? compile(form, event)).test(event.cause);
}

function compile(form: string, event: Event): RegExp {
  const parts = form.split(/<(\w+)>/);
  const source = parts.map((part, index) => (index % 2 ? patternOf(part, event) : escapePattern(part))).join('');
  const pattern = new RegExp(`^${source}$`, 's');
  if (parts.every((part, index) => index % 2 === 0 || part in PATTERNS)) compiled.set(form, pattern);
  return pattern;
}
