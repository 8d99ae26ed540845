import { SECOND_MS } from '#libs/kernel/clock.js';
import type { FillProgress, OnProgress } from './fill-progress.js';

/** How often a log says how far it is. */
const LINE_MS = 5 * SECOND_MS;
const PROGRESS_LABEL = 'Filling read models';

/** Where a line goes. */
interface Log {
  info(details: object, message: string): void;
}

export interface ProgressDisplay {
  readonly onProgress: OnProgress;
  end(): void;
}

/** Who else is told. */
interface ProgressListener {
  reportProgress(progress: FillProgress): void;
}

/** Shows how far new builds are filled while a process starts: a bar on a terminal, elsewhere a line now and then. */
export function showProgress(log: Log, told: ProgressListener): ProgressDisplay {
  const shown = process.stderr.isTTY ? createProgressBar() : createProgressLog(log);
  const onProgress = (progress: FillProgress) => {
    told.reportProgress(progress);
    shown.onProgress(progress);
  };
  return { ...shown, onProgress };
}

function createProgressLog(log: Log): ProgressDisplay {
  let saidAt = -Infinity;
  const onProgress = (progress: FillProgress) => {
    if (performance.now() - saidAt < LINE_MS) return;
    saidAt = performance.now();
    log.info(progress, 'read models are being filled');
  };
  return { onProgress, end: () => undefined };
}

/** The bar is loaded once there is something to draw: hardly any start has. */
function createProgressBar(): ProgressDisplay {
  let show: (progress: FillProgress) => void = () => undefined;
  let end: () => void = () => undefined;
  const load = async () => {
    const { ProgressBars } = await import('#libs/terminal/progress-bars.js');
    const bars = new ProgressBars();
    const draw = bars.partBar(PROGRESS_LABEL);
    show = ({ events, of }) => draw(events, of);
    end = () => bars.end();
  };
  let loading: Promise<void> | null = null;
  const onProgress = (progress: FillProgress) => {
    loading ??= load();
    show(progress);
  };
  return { onProgress, end: () => void loading?.then(() => end()) };
}
