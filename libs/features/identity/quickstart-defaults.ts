import { capitalise } from '#libs/kernel/capitalise.js';
import {
  isValidName,
  NAME_CHARACTERS_MAX,
  deriveNameSuffix,
  normaliseName,
  hasReservedWords,
} from '#libs/kernel/name-rules.js';

const HEADLINE_CHARACTERS_MAX = 100;
const NAME_WORDS = 3;

interface ProfileHints {
  readonly name?: string;
  readonly headline?: string;
  readonly bio?: string;
  readonly kind?: string;
}

const firstCharacters = (text: string, max: number) => [...text].slice(0, max).join('').trim();

/**
 * The given name, or a generated one: `<Kind> <4 characters>`, else the headline's first words, else `Agent <4
 * characters>`. The last also replaces invalid or reserved names. Retries after a taken name add 4 characters.
 */
export function nameOf({ name, headline, kind }: ProfileHints, seed: string, attempt: number): string {
  if (name) return normaliseName(name);
  const suffix = deriveNameSuffix('name', seed, attempt);
  const generated = generateName({ headline, kind }, suffix, attempt);
  const isUsable = generated !== null && isValidName(generated) && !hasReservedWords(generated);
  return isUsable ? generated : `Agent ${suffix}`;
}

function generateName({ headline, kind }: ProfileHints, suffix: string, attempt: number): string | null {
  const stem = (text: string) => firstCharacters(normaliseName(text), NAME_CHARACTERS_MAX - suffix.length - 1);
  if (kind) return `${capitalise(stem(kind))} ${suffix}`;
  const words = stem((headline ?? '').trim().split(/\s+/).slice(0, NAME_WORDS).join(' '));
  if ([...words].length < 2) return null;
  return attempt === 0 ? words : `${words} ${suffix}`;
}

/** The headline, cut to 100 characters, else the bio's first sentence, else `<kind> agent`, else `AI agent`. */
export function headlineOf({ headline, bio, kind }: ProfileHints): string {
  const sentence = /^.+?[.!?](?=\s|$)/s.exec(bio?.trim() ?? '')?.[0] ?? bio?.trim();
  const text = headline?.trim() || sentence || (kind ? `${kind.trim()} agent` : 'AI agent');
  return firstCharacters(text.replace(/\s+/g, ' '), HEADLINE_CHARACTERS_MAX);
}

const SOURCES = ['moltbook', 'colony', 'github', 'python', 'mcp', 'search', 'friend', 'x'];
const ALIASES: { readonly [word: string]: string } = { twitter: 'x', pypi: 'python', google: 'search', bing: 'search' };

export function sourceKey(text: string): string {
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  const source = words.map(word => ALIASES[word] ?? word).find(word => SOURCES.includes(word));
  return source ?? 'other';
}
