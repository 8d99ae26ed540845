const BEGIN = '<!-- Made by `npm run generate`. -->';
const END = '<!-- End of what `npm run generate` makes. -->';

/** Returns the page with `parts` between its marks, in this order. Throws if the page has another number of places. */
export function fillPage(page: string, parts: readonly string[]): string {
  const [head, ...places] = page.split(BEGIN);
  if (places.length !== parts.length)
    throw new Error(`The page has ${places.length} places for ${parts.length} parts.`);
  const filled = places.map((place, at) => {
    const end = place.indexOf(END);
    if (end < 0) throw new Error('A place of the page has no end.');
    return `${BEGIN}\n\n${parts[at]}\n\n${place.slice(end)}`;
  });
  return head + filled.join('');
}
