/** Turns of the event loop between two pieces of work: Node 20 accepts one new connection in each turn. */
const TURNS = 32;
/** Longest time that these turns may take, so that large answers advance while others are asked for. */
const PAUSE_MS_MAX = 10;

const pendingSlices: (() => void)[] = [];
let begunAt = -Infinity;

/** As `nextPiece`, at once if no large answer was begun a moment ago. */
export async function waitForFirstSlice(): Promise<void> {
  if (pendingSlices.length > 0 || performance.now() - begunAt < PAUSE_MS_MAX) await waitForNextSlice();
  begunAt = performance.now();
}

/**
 * Resolves when the next piece of a large answer may be built. The whole process builds one piece at a time, with turns
 * for new connections and small requests between them.
 */
export function waitForNextSlice(): Promise<void> {
  return new Promise(resolve => {
    pendingSlices.push(resolve);
    if (pendingSlices.length === 1) pause();
  });
}

function pause(): void {
  let until = Infinity;
  const turn = (turnsLeft: number) => {
    // Measured from the first turn on, because the piece before has just been built.
    if (until === Infinity) until = performance.now() + PAUSE_MS_MAX;
    if (turnsLeft > 0 && performance.now() < until) return void setImmediate(turn, turnsLeft - 1);
    pendingSlices.shift()!();
    if (pendingSlices.length > 0) pause();
  };
  setImmediate(turn, TURNS);
}
