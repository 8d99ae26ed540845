/**
 * Returns null for an invalid address. `URL.canParse` of Node 20 rejects valid non-ASCII addresses after some thousand
 * calls, once the engine optimises it.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
