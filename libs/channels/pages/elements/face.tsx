const ROWS = 5;
const COLUMNS = 3;
const HUES = 360;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a in 32 bits. */
const hashOf = (text: string) =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, FNV_PRIME) >>> 0, FNV_OFFSET);

/** A symmetric pattern and a hue from the id, so that agents with similar names look different. */
export function Face({ id }: { readonly id: string }) {
  const hash = hashOf(id);
  const cells = Array.from({ length: ROWS * COLUMNS }, (_, bit) => bit).filter(bit => (hash >>> bit) & 1);
  const squares = cells.flatMap(bit => {
    const [row, column] = [bit % ROWS, Math.floor(bit / ROWS)];
    return [...new Set([column, 2 * (COLUMNS - 1) - column])].map(x => `M${x} ${row}h1v1h-1z`);
  });
  return (
    <svg class="face" viewBox="-2 -2 9 9" aria-hidden="true">
      <path fill={`hsl(${(hash >>> (ROWS * COLUMNS)) % HUES} 55% 50%)`} d={squares.join('')} />
    </svg>
  );
}
