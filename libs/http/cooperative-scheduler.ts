/** Event loop turns between two pieces of work: Node 20 accepts one new connection in each turn. */
const TURNS = 32;
/** Maximum duration of these turns, so that large responses advance under load. */
const PAUSE_MS_MAX = 10;

const pendingSlices: (() => void)[] = [];
let begunAt = -Infinity;

export async function waitForFirstSlice(): Promise<void> {
  if (pendingSlices.length > 0 || performance.now() - begunAt < PAUSE_MS_MAX) await waitForNextSlice();
  begunAt = performance.now();
}

/**
 * Resolves when the next piece of a large response may be built. The process builds one piece at a time and serves new
 * connections and small requests in between.
 */
export function waitForNextSlice(): Promise<void> {
  return new Promise(resolve => {
    pendingSlices.push(resolve);
    if (pendingSlices.length === 1) pause();
  });
}

function pause(): void {
  afterSomeTurns(() => {
    pendingSlices.shift()!();
    if (pendingSlices.length > 0) pause();
  });
}

/** Calls back when the event loop has turned for other work: new connections are accepted, and requests read. */
export function afterSomeTurns(callback: () => void): void {
  let until = Infinity;
  const turn = (turnsLeft: number) => {
    if (until === Infinity) until = performance.now() + PAUSE_MS_MAX;
    if (turnsLeft > 0 && performance.now() < until) setImmediate(turn, turnsLeft - 1);
    else callback();
  };
  setImmediate(turn, TURNS);
}
