const LONG_NAME_LETTERS = 8;

/** Allows one edit (insertion, deletion, substitution, swap), or two in a long name. */
export function findIntendedName(unknown: string, names: readonly string[]): string | undefined {
  return names.find(name => editDistance(unknown, name) <= maxEdits(name));
}

/** Returns the most similar name, also in another case. A name that shares no letter is not similar. */
export function findNearestName(unknown: string, names: readonly string[]): string | undefined {
  const distances = names.map(name => ({ name, distance: editDistance(unknown.toLowerCase(), name) }));
  const similar = distances.filter(({ name, distance }) => distance < name.length && distance <= maxEdits(name));
  return similar.sort((a, b) => a.distance - b.distance)[0]?.name;
}

const maxEdits = (name: string) => (name.length >= LONG_NAME_LETTERS ? 2 : 1);

function editDistance(one: string, other: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = row[j - 1]! + Number(one[i - 1] !== other[j - 1]);
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
