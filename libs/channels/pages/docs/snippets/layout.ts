const COLUMNS_MAX = 88;

/** Puts a call on one line, or each part on its own line. */
export function wrapCall(before: string, parts: readonly string[], after: string, indent: string): string {
  const separated = before.endsWith('{') ? ` ${parts.join(', ')} ` : parts.join(', ');
  const line = `${before}${separated}${after}`;
  if (line.length <= COLUMNS_MAX) return line;
  return [before, ...parts.map(part => `${indent}${part},`), after].join('\n');
}
